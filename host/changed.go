package host

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// maxMember is how much of a changed member is said.
const maxMember = 240

// changed is the refusal of an approval that is of another call than this one,
// and names what differs between their records.
func (b Binding) changed(is jsontext.Value) error {
	var was, now map[string]jsontext.Value
	if b.Record == nil || schema.Decode(b.Record, &was, schema.ResultLimits) != nil || schema.Decode(is, &now, schema.ResultLimits) != nil {
		return verdict.Deny(verdict.ApprovalChanged, "the approval %.80s is not of this call", b.Digest)
	}
	members := maps.Clone(was)
	maps.Copy(members, now)
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !bytes.Equal(was[name], now[name]) {
			lines = append(lines, fmt.Sprintf("%s: %s is now %s", guard.Line(name, maxMember), shown(was[name]), shown(now[name])))
		}
	}
	return verdict.Deny(verdict.ApprovalChanged, "what was approved is not this call:\n%s", strings.Join(lines, "\n"))
}

func shown(v jsontext.Value) string {
	if v == nil {
		return "nothing"
	}
	return guard.Line(string(v), maxMember)
}
