package trust

import (
	"context"
	"maps"
	"slices"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host/store"
)

// afterCall is the code of a tool that a server lists only after a call in the same
// session: a group that is switched on, a login, a gateway that finds more. A review
// that starts the server does not see it, so its description is kept. The mark stays
// when the tool is approved: a listing without it withdraws nothing. The call compares
// what its own session lists, as any.
const afterCall = store.AfterCall

// maxLater is how many such tools are kept of one place.
const maxLater = 100

// later are the tools that are kept so, by name.
func later(seen []store.Seen) map[string]pin.Descriptor {
	all := map[string]pin.Descriptor{}
	for _, s := range seen {
		if s.Code == afterCall && s.Raw != nil {
			all[s.Tool] = pin.Descriptor{Raw: s.Raw, Instructions: s.Instructions}
		}
	}
	return all
}

// noteLater keeps what a session listed after a call, where nothing of the tool is kept.
func (k *Keeper) noteLater(ctx context.Context, at pin.Place, grown []pin.Descriptor) error {
	if k == nil || at == (pin.Place{}) || len(grown) == 0 {
		return nil
	}
	return k.store.ChangeSeen(ctx, at, func(was []store.Seen) []store.Seen {
		all := slices.Clone(was)
		for _, d := range grown {
			f, err := d.Fields()
			if err != nil {
				continue
			}
			i := slices.IndexFunc(all, func(s store.Seen) bool { return s.Tool == f.Name })
			one := store.Seen{Place: at, Tool: f.Name, Code: afterCall, Why: "the server lists it only after a call", Raw: d.Raw, Instructions: d.Instructions}
			switch {
			case i >= 0 && all[i].Code == afterCall:
				all[i] = one
			case i < 0 && len(later(all)) < maxLater:
				all = append(all, one)
			}
		}
		return all
	})
}

// with is a listing, and the tools of later sessions that it lacks.
func with(l catalog.Listing, more map[string]pin.Descriptor) catalog.Listing {
	is := byName(l).by
	l.Tools = slices.Clone(l.Tools)
	for name, d := range more {
		if _, listed := is[name]; !listed && d.Instructions == told(l) {
			d.Server = l.Server
			l.Tools = append(l.Tools, d)
		}
	}
	return l
}

// New are the tools of a server that it lists only since a call and that no one has
// decided on, by name.
func (w Watched) New(ctx context.Context, server string) (names []string) {
	if w.Keeper == nil {
		return nil
	}
	pins, err := w.Keeper.Pins(ctx, w.Places[server])
	if err != nil {
		return nil // what reads the pins for a run says so
	}
	for _, name := range slices.Sorted(maps.Keys(pins.Later)) {
		_, approved := pins.Tools[name]
		if _, held := pins.Held[name]; !approved && !held {
			names = append(names, name)
		}
	}
	return names
}
