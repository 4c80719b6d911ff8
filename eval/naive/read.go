package naive

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// step is one answer of a brain.
type step struct {
	final        bool
	answer, asks string

	server, tool string
	args         jsontext.Value

	unreadable string // the message to the brain if this is not a step
}

// limits are wider than those of any gate, because a common agent has none.
var limits = schema.Limits{Bytes: 64 << 20, Depth: 512, Values: 4 << 20, Exponent: 308, Digits: 1024}

// read reads a brain's answer as common agents do. Prose is an answer. Text before and
// after an object is skipped, such as a fence. Keys may have any case, and unknown
// ones are ignored.
func read(said []byte) step {
	if !bytes.ContainsRune(said, '{') {
		return step{final: true, answer: strings.TrimSpace(string(said))}
	}
	object, err := members(firstObject(said))
	if err != nil {
		return step{unreadable: "error: that is no JSON object: " + err.Error()}
	}
	s := step{server: object.text("server"), tool: object.text("tool"), args: object["args"]}
	switch {
	case s.tool != "":
		if s.args.Kind() != '{' {
			s.args = empty
		}
		return s
	case object.text("answer") != "" && object["needs_more_info"].Kind() == 't':
		return step{final: true, asks: object.text("answer")}
	case object.text("answer") != "":
		return step{final: true, answer: object.text("answer")}
	}
	return step{unreadable: "error: the object names neither a tool nor an answer"}
}

// claims returns the claims of a summary. It takes the claim of each item, or the
// whole text if it is not written as a summary.
func claims(said []byte) []string {
	object, err := members(firstObject(said))
	if err != nil {
		return []string{strings.TrimSpace(string(said))}
	}
	var all []string
	for _, kind := range []string{"bullets", "risks", "recommendations"} {
		var items []jsontext.Value
		if schema.DecodeOpen(object[kind], &items, limits) != nil {
			continue
		}
		for _, item := range items {
			all = append(all, claim(item))
		}
	}
	return all
}

// claim returns the claim of one item. That is a text, the member of that name, or the
// evidence of a writer that only selects.
func claim(item jsontext.Value) string {
	if object, err := members(item); err == nil {
		return cmp.Or(object.text("claim"), object.text("evidence"))
	}
	return textIn(item)
}

// firstObject returns the first stretch that begins and ends like an object. Without
// an end it returns everything from its beginning.
func firstObject(b []byte) []byte {
	depth, quoted := 0, false
	from := bytes.IndexByte(b, '{')
	for i := max(from, 0); i < len(b); i++ {
		switch c := b[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return b[from : i+1]
			}
		}
	}
	return b[max(from, 0):]
}

// object is the members of a JSON object, by their names in lower case.
type object map[string]jsontext.Value

func members(b []byte) (object, error) {
	if err := schema.Check(b, limits); err != nil {
		return nil, err
	}
	all, err := schema.Members(b)
	if err != nil {
		return nil, err
	}
	o := object{}
	for _, m := range all {
		o[strings.ToLower(m.Name)] = m.Value // of two names that differ only in case, the last one counts
	}
	return o, nil
}

func (o object) text(name string) string { return textIn(o[name]) }

func textIn(v jsontext.Value) string {
	var s string
	if schema.DecodeOpen(v, &s, limits) != nil {
		return ""
	}
	return s
}
