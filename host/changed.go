package host

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// maxMember is how much of a changed member is said.
const maxMember = 240

// changed is the refusal of an approval of another call. It names the differences
// between the two records, first those of the files.
func (b Binding) changed(is jsontext.Value) error {
	saw, unread := gate.ReadRecord(b.Record)
	sees, err := gate.ReadRecord(is)
	if no := gate.Replaced(saw.Files, sees.Files); unread == nil && err == nil && no != nil {
		return no
	}
	var was, now map[string]jsontext.Value
	if b.Record == nil || schema.Decode(b.Record, &was, schema.ResultLimits) != nil || schema.Decode(is, &now, schema.ResultLimits) != nil {
		return verdict.Deny(verdict.ApprovalChanged, "the approval %.80s is for another call", b.Digest)
	}
	members := maps.Clone(was)
	maps.Copy(members, now)
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !bytes.Equal(was[name], now[name]) {
			lines = append(lines, fmt.Sprintf("%s: %s is now %s", escape.Line(name, maxMember), shown(was[name]), shown(now[name])))
		}
	}
	return verdict.Deny(verdict.ApprovalChanged, "the approval is for another call:\n%s", strings.Join(lines, "\n"))
}

// shown is a value of a record. A model may have written any text in it: a text that is not
// a name is shown by its length.
func shown(v jsontext.Value) string {
	if v == nil {
		return "nothing"
	}
	repeated, err := schema.Rewrite(v, func(_ schema.Place, text string) (string, error) {
		if escape.Name(text) || text == "" {
			return text, nil
		}
		return lex.Repeat(text), nil
	})
	if err != nil { // two names of the same length
		return "another value"
	}
	return escape.Line(string(repeated), maxMember)
}
