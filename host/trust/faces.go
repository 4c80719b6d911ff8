package trust

import (
	"bytes"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/pin"
)

// faces are three listings of one server.
type faces struct {
	ours, again, others map[string]pin.Descriptor
	unasked             error // why nobody could ask under another name
}

// byName are the descriptors of a listing. One that is there twice is there as
// none: nobody can say which is meant.
func byName(l catalog.Listing) map[string]pin.Descriptor {
	all, times := map[string]pin.Descriptor{}, map[string]int{}
	for _, d := range l.Tools {
		f, _ := d.Fields()
		times[f.Name]++
		all[f.Name] = d
	}
	for name, n := range times {
		if n > 1 || !guard.Name(name) {
			delete(all, name)
		}
	}
	return all
}

func same(a, b pin.Descriptor) bool {
	return bytes.Equal(a.Raw, b.Raw) && a.Instructions == b.Instructions
}

// toOthers is what another client is told otherwise.
func toOthers(ours, others pin.Descriptor) []pin.Difference {
	if others.Raw == nil {
		return []pin.Difference{{Class: pin.Lowering, Why: "another client is not told of it"}}
	}
	all, err := pin.Compare(ours, others)
	if err != nil {
		return []pin.Difference{{Class: pin.Lowering, Why: "what another client is told cannot be read"}}
	}
	for i := range all {
		all[i].Why = "to another client: " + all[i].Why
	}
	return all
}
