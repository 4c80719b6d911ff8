package trust

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/host/store"
)

// changesOf returns the changes since the approval, by tool. It compares only tools under
// review: a server may list any number of others.
func changesOf(r Review, was Pins, now catalog.Listing, history []pin.Descriptor, elsewhere map[string]string) map[string]pin.Change {
	var approved []pin.Descriptor
	for _, name := range slices.Sorted(maps.Keys(was.Tools)) {
		approved = append(approved, was.Tools[name].descriptor(r.Name))
	}
	said := pin.Snapshot{Protocol: now.Protocol, Instructions: r.Told, Own: r.Own}
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

// scan scans every text of the reviewed tools, and the instructions.
func (r *Review) scan() scan.Report {
	parts := []scan.Part{{Where: "/instructions", Kind: "instructions", Text: r.Told}}
	for _, p := range r.Parts {
		for _, said := range p.Now.Parts() {
			said.Where = "/" + p.Tool + said.Where
			parts = append(parts, said)
		}
	}
	return r.Rules.Scan(r.Name, parts)
}

// Twin is the same server with another credential, for which exactly this description was
// approved. That is the instructions, the program, and every tool, byte for byte.
//
// Twin itself approves nothing. The user decides on the whole review at once, including
// an annotation that lowers caution: a user accepted it in these very bytes. The effects
// of the tools still have to be set for this server.
type Twin struct {
	Credential string    `json:"credential"` // its name, or ""
	By         []string  `json:"by"`
	At         time.Time `json:"at"` // time of the last decision
}

// twin finds the Twin among the decisions on every place.
func (r *Review) twin(all map[pin.Place][]store.Decision, said map[string]entry) *Twin {
	for _, at := range slices.SortedFunc(maps.Keys(all), func(a, b pin.Place) int { return cmp.Compare(a.Credential, b.Credential) }) {
		if at.Entry != r.Place.Entry || at == r.Place {
			continue
		}
		if pins := fold(all[at]); r.isApprovedAs(pins, said) {
			return twinOf(at, pins)
		}
	}
	return nil
}

// isApprovedAs reports whether those pins approve everything under review, and approve
// only what the server says here.
func (r *Review) isApprovedAs(pins Pins, said map[string]entry) bool {
	if len(pins.Tools) == 0 || r.Told != pins.Instructions || !bytes.Equal(r.Artifact, pins.Artifact) {
		return false
	}
	for name, t := range pins.Tools {
		if !identical(said[name].Descriptor, t.descriptor(r.Name)) {
			return false
		}
	}
	return !slices.ContainsFunc(r.Parts, func(p Part) bool {
		if _, approved := pins.Tools[p.Tool]; p.Tool != "" && !approved {
			return p.State != Absent
		}
		return !slices.Contains([]State{New, Changed, Same}, p.State)
	})
}

func twinOf(at pin.Place, pins Pins) *Twin {
	t := &Twin{Credential: at.Credential}
	for _, p := range pins.Tools {
		t.By = append(t.By, p.By)
		if p.At.After(t.At) {
			t.At = p.At
		}
	}
	t.By = slices.Compact(slices.Sorted(slices.Values(t.By)))
	return t
}
