package pin

import (
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/schema"
)

// Parts are the texts of a Tool object as they are scanned, the names of members
// included, each at its JSON Pointer in the object (RFC 6901). The instructions
// are the server's, and not among them.
func (d Descriptor) Parts() []guard.Part {
	var parts []guard.Part
	for leaf := range schema.Leaves(d.Raw) {
		if !leaf.Name && leaf.Kind != '"' {
			continue
		}
		kind := "schema"
		if at := leaf.Pointer(); at == "/description" || at == "/title" {
			kind = "description"
		}
		parts = append(parts, guard.Part{Where: leaf.Pointer(), Kind: kind, Text: leaf.Text})
	}
	return parts
}
