package trust

import (
	"maps"
	"slices"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/pin"
)

// changesOf are the changes since the approval, by tool. Tools that are not
// reviewed are not compared: a server may list any number of them.
func changesOf(r Review, now catalog.Listing, history []pin.Descriptor, elsewhere map[string]string) map[string]pin.Change {
	var approved []pin.Descriptor
	for _, name := range slices.Sorted(maps.Keys(r.pins.Tools)) {
		approved = append(approved, r.pins.Tools[name].descriptor(r.Name))
	}
	said := pin.Snapshot{Protocol: now.Protocol, Instructions: r.Told}
	for _, d := range now.Tools {
		if f, _ := d.Fields(); r.reviews(f.Name) {
			said.Tools = append(said.Tools, d)
		} else {
			said.Others = append(said.Others, d)
		}
	}
	by := map[string]pin.Change{}
	for _, c := range pin.Changes(approved, history, said, elsewhere) {
		by[c.Tool] = c
	}
	return by
}

// scan looks through every text of the reviewed tools, and the instructions.
func (r *Review) scan() guard.Report {
	parts := []guard.Part{{Where: "/instructions", Kind: "instructions", Text: r.Told}}
	for _, p := range r.Parts {
		for _, said := range p.Now.Parts() {
			said.Where = "/" + p.Tool + said.Where
			parts = append(parts, said)
		}
	}
	return r.Rules.Scan(r.Name, parts)
}
