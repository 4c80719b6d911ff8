package trust

import (
	"context"
	"maps"
	"slices"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Source lists what was approved, and starts nothing. It is the source of a
// host.
type Source struct {
	Book    Book
	Servers map[string]Server // by the operator's names
	Allowed func(server string) []string

	// Live, where it is there, is asked as well: what it lists is compared, and
	// what differs is held back. The catalog is still what was approved.
	Live   Lister
	Accept pin.Accept
}

// Server is how the source knows a configured server.
type Server struct {
	Place pin.Place
	Wrong error // why it cannot be used at all
	// Program reports whether the program that would be started is not the one
	// that was approved. Optional.
	Program func(approved Pins) *verdict.Denial
}

// Lister lists what servers say now; session.Pool does.
type Lister interface {
	Discover(ctx context.Context, servers []string) []catalog.Listing
}

// Discover gives one listing for each server.
func (s Source) Discover(ctx context.Context, servers []string) []catalog.Listing {
	listings := make([]catalog.Listing, 0, len(servers))
	said := s.live(ctx, servers)
	for _, name := range slices.Compact(slices.Sorted(slices.Values(servers))) {
		l, pins := s.pinned(ctx, name)
		if now, asked := said[name]; asked && l.Err == nil {
			l = s.compared(l, now, pins)
		}
		listings = append(listings, l)
	}
	return listings
}

func (s Source) live(ctx context.Context, servers []string) map[string]catalog.Listing {
	said := map[string]catalog.Listing{}
	if s.Live == nil {
		return said
	}
	for _, l := range s.Live.Discover(ctx, servers) {
		said[l.Server] = l
	}
	return said
}

// pinned is the listing of what was approved. What the allowlist names and
// nobody approved is held back.
func (s Source) pinned(ctx context.Context, name string) (catalog.Listing, Pins) {
	server, known := s.Servers[name]
	switch {
	case !known:
		return failed(name, verdict.Fail(verdict.ServerUnknown, nil, "no server %.128q is configured", name))
	case server.Wrong != nil:
		return failed(name, server.Wrong)
	case s.Book == nil || server.Place == (pin.Place{}):
		return failed(name, unapproved(name, "server "+name))
	}
	pins, err := s.Book.Pins(ctx, server.Place)
	if err != nil {
		return failed(name, err)
	}
	if server.Program != nil && len(pins.Tools) > 0 {
		if no := server.Program(pins); no != nil {
			return s.heldBack(name, pins, no), pins
		}
	}
	return s.listing(name, pins)
}

// listing is what a run may plan with, and why it may not with the rest.
func (s Source) listing(name string, pins Pins) (catalog.Listing, Pins) {
	l := catalog.Listing{Server: name, Held: held(pins)}
	for _, tool := range slices.Sorted(maps.Keys(pins.Tools)) {
		l.Tools = append(l.Tools, pins.Tools[tool].descriptor(name))
	}
	for _, tool := range s.Allowed(name) {
		_, approved := pins.Tools[tool]
		if _, told := pins.Held[tool]; !approved && !told {
			l.Held = append(l.Held, catalog.Held{Tool: tool, Denial: unapproved(name, tool)})
		}
	}
	return l, pins
}

// heldBack is a listing of which nothing can be called.
func (s Source) heldBack(name string, pins Pins, no *verdict.Denial) catalog.Listing {
	l := catalog.Listing{Server: name}
	for _, tool := range s.Allowed(name) {
		l.Held = append(l.Held, catalog.Held{Tool: tool, Denial: no})
	}
	return l
}

func failed(name string, err error) (catalog.Listing, Pins) {
	return catalog.Listing{Server: name, Err: err}, Pins{}
}

func unapproved(server, what string) *verdict.Denial {
	no := verdict.Deny(verdict.PinUnapproved, "nobody approved %s as the server describes it", what)
	no.Hint = "`ask servers review " + server + "` shows it and approves it"
	return no
}

func held(pins Pins) (all []catalog.Held) {
	for _, tool := range slices.Sorted(maps.Keys(pins.Held)) {
		all = append(all, catalog.Held{Tool: tool, Denial: pins.Held[tool]})
	}
	return all
}

// compared is the pinned listing without what the server says otherwise now.
func (s Source) compared(pinned, now catalog.Listing, pins Pins) catalog.Listing {
	if now.Err != nil {
		return catalog.Listing{Server: pinned.Server, Err: now.Err}
	}
	is := map[string]pin.Descriptor{}
	for _, d := range now.Tools {
		if f, err := d.Fields(); err == nil {
			is[f.Name] = d
		}
	}
	kept := pinned.Tools[:0:0]
	for _, tool := range slices.Sorted(maps.Keys(pins.Tools)) {
		was := pins.Tools[tool].descriptor(pinned.Server)
		if no := s.differs(tool, was, is[tool]); no != nil {
			pinned.Held = append(pinned.Held, catalog.Held{Tool: tool, Denial: no})
			continue
		}
		kept = append(kept, was)
	}
	for _, tool := range slices.Sorted(maps.Keys(is)) {
		if !slices.ContainsFunc(pinned.Held, func(h catalog.Held) bool { return h.Tool == tool }) && pins.Tools[tool].Raw == nil {
			pinned.Held = append(pinned.Held, catalog.Held{Tool: tool, Denial: unapproved(pinned.Server, tool)})
		}
	}
	pinned.Tools, pinned.Protocol, pinned.Info = kept, now.Protocol, now.Info
	return pinned
}

func (s Source) differs(tool string, was, is pin.Descriptor) *verdict.Denial {
	if is.Raw == nil {
		return verdict.Deny(verdict.PinAbsent, "server %s does not list %s any more", was.Server, tool)
	}
	err := s.Accept.Same(was, is)
	if err == nil {
		return nil
	}
	if no, _ := verdict.First(err); no != nil {
		return no
	}
	return verdict.Deny(verdict.PinChanged, "%v", err)
}
