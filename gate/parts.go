package gate

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/schema"
)

// Parts are all texts of an answer, the names of its members too, each at its
// place: what is scanned. Bytes in base64 are no text. Of an answer that
// [Gate.Accept] cannot read there is none: it is refused, and not quoted.
func (g *Gate) Parts(r RawResult) (parts []guard.Part) {
	if schema.Check(r.Body, g.limits) != nil || jsontext.Value(r.Body).Kind() != '{' {
		return []guard.Part{{Kind: "result", Unscanned: "it cannot be read, and is refused"}}
	}
	for leaf := range schema.Leaves(r.Body) {
		if leaf.Kind != '"' && !leaf.Name || leaf.Text == "" {
			continue
		}
		names := namesOf(leaf.Path())
		p := guard.Part{Where: leaf.Pointer(), Kind: kindOf(names), Text: leaf.Text}
		if !leaf.Name && guard.Attached(names, leaf.Text) {
			p.Text, p.Unscanned = "", "bytes in base64"
		}
		parts = append(parts, p)
	}
	return parts
}

// namesOf are the names on the way to a place, "" of an item.
func namesOf(path []schema.Step) []string {
	names := make([]string, len(path))
	for i, s := range path {
		names[i] = s.Name
	}
	return names
}

// kindOf says what a place in an answer holds.
func kindOf(names []string) string {
	switch {
	case len(names) == 0:
		return "result"
	case names[0] == "structuredContent":
		return "structured"
	case names[0] != "content":
		return "result"
	case len(names) > 2 && names[2] == "resource":
		return "resource"
	}
	return "text"
}
