package trust

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/store"
)

// A server may list a tool only after a call in the same session: a group that is
// switched on, a login, a gateway that finds more. A review that starts the server does
// not see it. So its description is kept under [store.AfterCall], its approval records
// this, and a listing without it withdraws nothing. A call compares it with the listing
// of its own session, like any tool.

// maxLater is the number of such tools kept for one place.
const maxLater = 100

// later returns the tools that are listed only after a call, by name, as a session last
// listed them.
func later(seen []store.Seen, tools map[string]Pin) map[string]pin.Descriptor {
	all := map[string]pin.Descriptor{}
	for name, t := range tools {
		if t.AfterCall {
			all[name] = t.descriptor("")
		}
	}
	for _, s := range seen {
		if _, approved := all[s.Tool]; s.Raw != nil && (approved || s.Code == store.AfterCall) {
			all[s.Tool] = pin.Descriptor{Raw: s.Raw, Instructions: s.Instructions}
		}
	}
	return all
}

// noteLater stores the tools that a session listed after a call, and the names of all
// tools that it lists. Other findings about a tool stay, except a change or an absence:
// the session's listing is newer.
func (k *Keeper) noteLater(ctx context.Context, at pin.Place, grown []pin.Descriptor, names []string) error {
	if k == nil || at == (pin.Place{}) || len(grown)+len(names) == 0 {
		return nil
	}
	return k.store.ChangeSeen(ctx, at, func(was []store.Seen) []store.Seen {
		all := withListed(was, names)
		for _, d := range grown {
			f, err := d.Fields()
			if err != nil || !escape.Name(f.Name) {
				continue
			}
			one := store.Seen{Place: at, Tool: f.Name, Code: store.AfterCall, Why: "the server lists it only after a call", Raw: d.Raw, Instructions: d.Instructions}
			i := slices.IndexFunc(all, func(s store.Seen) bool { return s.Tool == f.Name })
			switch {
			case i >= 0 && outdated(all[i].Code):
				all[i] = one
			case i < 0 && lateOf(all) < maxLater:
				all = append(all, one)
			}
		}
		return all
	})
}

// outdated reports whether a newer listing replaces a finding.
func outdated(code string) bool {
	return code == store.AfterCall || code == string(verdict.PinChanged) || code == string(verdict.PinAbsent)
}

func lateOf(seen []store.Seen) (n int) {
	for _, s := range seen {
		if s.Code == store.AfterCall {
			n++
		}
	}
	return n
}

// with adds to a listing the tools of later sessions that it lacks, and returns their
// names.
func with(l catalog.Listing, more map[string]pin.Descriptor) (catalog.Listing, map[string]bool) {
	is, added := byName(l).by, map[string]bool{}
	l.Tools = slices.Clone(l.Tools)
	for name, d := range more {
		if _, listed := is[name]; !listed && d.Instructions == told(l) {
			d.Server = l.Server
			l.Tools, added[name] = append(l.Tools, d), true
		}
	}
	return l, added
}

// Bounds of the names kept for one place.
const (
	maxNames = 1000
	maxName  = 128 // bytes of one name
)

// namesOf returns the names of all tools in a listing.
func namesOf(l catalog.Listing) (names []string) {
	for _, d := range l.Tools {
		f, _ := d.Fields()
		names = append(names, f.Name)
	}
	return names
}

// withListed replaces the names of all currently listed tools in the findings on a place.
func withListed(seen []store.Seen, names []string) []store.Seen {
	if len(names) == 0 {
		return seen
	}
	all := make([]string, 0, len(names))
	for _, name := range names {
		all = append(all, verdict.Cut(cmp.Or(name, "(a name that cannot be read)"), maxName))
	}
	slices.Sort(all)
	all = slices.Compact(all)
	b, err := json.Marshal(all[:min(len(all), maxNames)])
	if err != nil {
		return seen
	}
	seen = slices.DeleteFunc(slices.Clone(seen), func(s store.Seen) bool { return s.Code == store.Listed })
	return append(seen, store.Seen{Code: store.Listed, Why: "the server lists them", Raw: b})
}

// listedIn returns the names that withListed stored.
func listedIn(seen []store.Seen) (names []string) {
	for _, s := range seen {
		if s.Code == store.Listed && schema.Decode(s.Raw, &names, fileLimits) != nil {
			return nil
		}
	}
	return names
}

// New returns the tools that a server lists only since a call and that wait for a first
// decision, by name.
func (w Watched) New(ctx context.Context, server string) (names []string) {
	pins := w.pins(ctx, server)
	for _, name := range slices.Sorted(maps.Keys(pins.Later)) {
		_, approved := pins.Tools[name]
		if _, held := pins.Held[name]; !approved && !held {
			names = append(names, name)
		}
	}
	return names
}

// Known returns the names of all tools that a server has listed or that were decided on.
// They are untrusted text.
func (w Watched) Known(ctx context.Context, server string) []string {
	pins := w.pins(ctx, server)
	names := slices.AppendSeq(slices.Clone(pins.Listed), maps.Keys(pins.Later))
	names = slices.AppendSeq(slices.AppendSeq(names, maps.Keys(pins.Tools)), maps.Keys(pins.Held))
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// pins returns the pins of a server. It returns none if they cannot be read: the run's
// own reading reports the error.
func (w Watched) pins(ctx context.Context, server string) Pins {
	if w.Keeper == nil {
		return Pins{}
	}
	pins, err := w.Keeper.Pins(ctx, w.Places[server])
	if err != nil {
		return Pins{}
	}
	return pins
}
