package trust

import (
	"bytes"
	"slices"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
)

// faces are three listings of one server.
type faces struct {
	ours, again, others listed
	unasked             error // why the listing under another name failed
}

// listed is a listing by tool name.
type listed struct {
	by       map[string]entry
	nameless []pin.Descriptor // tools without a readable name
}

// entry is the entry of a listing under one name: a descriptor, nothing, or the reason
// why the descriptor is unknown.
type entry struct {
	pin.Descriptor
	no *verdict.Denial
}

// byName reads a listing.
func byName(l catalog.Listing) listed {
	all := listed{by: map[string]entry{}}
	for _, d := range l.Tools {
		f, err := d.Fields()
		_, twice := all.by[f.Name]
		switch {
		case err != nil && f.Name == "":
			all.nameless = append(all.nameless, d)
		case !escape.Name(f.Name):
		case twice:
			all.by[f.Name] = entry{no: verdict.Deny(verdict.CatalogDuplicate, "the server lists it more than once, and which is meant is not known")}
		case err != nil:
			all.by[f.Name] = entry{no: verdict.Deny(verdict.CatalogDescriptor, "%v", err)}
		default:
			all.by[f.Name] = entry{Descriptor: d}
		}
	}
	return all
}

// of returns the entry for a name. If another tool may have the name as well, it is an
// error.
func (l listed) of(name string) entry {
	for _, d := range l.nameless {
		if d.MayName(name) {
			_, err := d.Fields()
			return entry{no: verdict.Deny(verdict.CatalogDescriptor, "the server lists a tool whose name cannot be read, and that may be it: %v", err)}
		}
	}
	return l.by[name]
}

// same reports whether both have the same meaning. The order of unordered parts does not
// count.
func (e entry) same(other entry) bool {
	return e.no == nil && other.no == nil && same(e.Descriptor, other.Descriptor)
}

func same(a, b pin.Descriptor) bool {
	if identical(a, b) {
		return true
	}
	x, err := a.Meaning()
	y, too := b.Meaning()
	return err == nil && too == nil && x == y
}

func identical(a, b pin.Descriptor) bool {
	return bytes.Equal(a.Raw, b.Raw) && a.Instructions == b.Instructions
}

// alike reports whether both are the same except for the order of the names in their
// descriptions, titles and defaults.
func (e entry) alike(other entry) bool {
	if e.no != nil || other.no != nil {
		return e.same(other)
	}
	return e.same(other) || pin.InAnotherOrder(e.Descriptor, other.Descriptor)
}

// shuffled returns the listings of a tool if one has our words in another order, and none
// differs in anything else.
func (f faces) shuffled(name string) (all []pin.Descriptor) {
	ours, listings := f.ours.of(name), []entry{f.again.of(name)}
	if f.unasked == nil {
		listings = append(listings, f.others.of(name))
	}
	if slices.ContainsFunc(listings, func(e entry) bool { return !ours.alike(e) }) {
		return nil
	}
	if !slices.ContainsFunc(listings, func(e entry) bool { return !ours.same(e) }) {
		return nil
	}
	for _, e := range append(listings, ours) {
		all = append(all, e.Descriptor)
	}
	return all
}

// second is a digest of the description for another client. It is "" if that is ours or
// unknown.
func (f faces) second(name string) string {
	ours, others := f.ours.of(name), f.others.of(name)
	if f.unasked != nil || ours.same(others) {
		return ""
	}
	if others.no != nil {
		return digestOf("face", string(others.no.Code))
	}
	meaning, err := others.Meaning()
	if err != nil {
		return digestOf("face", string(others.Raw), others.Instructions)
	}
	return meaning.String()
}

// toOthers returns the differences in the description for another client.
func toOthers(ours pin.Descriptor, others entry) []pin.Difference {
	all, err := pin.Compare(ours, others.Descriptor)
	why := "the description for another client cannot be read"
	switch {
	case others.no != nil:
		why += ": " + others.no.Reason
	case others.Raw == nil:
		why = "it is not listed for another client"
	case err == nil:
		why = ""
	}
	if why != "" {
		return []pin.Difference{{Class: pin.Lowering, Why: why}}
	}
	for i := range all {
		all[i].Why = "to another client: " + all[i].Why
	}
	return all
}
