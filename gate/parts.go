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
		p := guard.Part{Where: leaf.Pointer(), Text: leaf.Text}
		var encoded bool
		if p.Kind, encoded = kindOf(leaf.Path()); encoded && !leaf.Name {
			p.Text, p.Unscanned = "", "bytes in base64"
		}
		parts = append(parts, p)
	}
	return parts
}

// kindOf says what a place in an answer holds, and whether that is bytes in
// base64: /content/N/data and /content/N/resource/blob are.
func kindOf(path []schema.Step) (kind string, encoded bool) {
	at := func(i int, name string) bool { return len(path) > i && path[i].Name == name }
	switch {
	case at(0, "structuredContent"):
		return "structured", false
	case !at(0, "content"):
		return "result", false
	case at(2, "resource"):
		return "resource", len(path) == 4 && at(3, "blob")
	}
	return "text", len(path) == 3 && at(2, "data")
}
