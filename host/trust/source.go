package trust

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// Source lists the approved tools, and starts nothing. It is the source of a host.
type Source struct {
	Book    Book
	Servers map[string]Server // by the operator's name for each
	Allowed func(server string) []string

	// Live, if not nil, is asked as well. Tools that differ in its listing are held back.
	// The catalog still contains only approved tools.
	Live   host.Source
	Accept pin.Accept
	Shared bool // the book is a file, which an export updates with approvals
	// Memory, if not nil, has the listings of this source. A [Keeper]'s pins that did not
	// change are not listed again.
	Memory *Memory
	// Program returns the refusal of the program that would be started for a server, or
	// nil for the approved one. It is checked when the server is asked, and by [Watched]
	// right before a call: checking all servers costs too much.
	Program func(ctx context.Context, server string) error
}

// Server is a configured server of a source.
type Server struct {
	Place pin.Place
	Wrong error // why it cannot be used at all
}

// Discover returns one listing for each server. Listing a live server starts it. A server
// that would start another program than the approved one is not asked, and all its
// approved tools are held back.
func (s Source) Discover(ctx context.Context, subject string, servers []string) []catalog.Listing {
	servers = slices.Compact(slices.Sorted(slices.Values(servers)))
	listings := make([]catalog.Listing, 0, len(servers))
	said, refused := s.live(ctx, subject, servers)
	for _, name := range servers {
		l, pins := s.planned(ctx, name)
		now, asked := said[name]
		switch no := refused[name]; {
		case l.Err != nil:
		case no != nil:
			l.Held = append(heldFor(no, pins), l.Held...)
		case asked:
			l = s.compared(l, now, pins)
		}
		for _, h := range l.Held {
			advise(name, h.Denial, s.Shared)
		}
		listings = append(listings, l)
	}
	return listings
}

// advise adds the advice to review the server, if that helps.
func advise(server string, no *verdict.Denial, shared bool) {
	switch {
	case no.Hint != "":
		return
	case no.Code == verdict.PinRejected:
		no.Hint = "`ask servers review " + server + "` shows it, and its own digest approves it after all"
	case no.Code == verdict.PinUnstable:
		no.Hint = "`ask servers review " + server + "` shows what differs: " + Steady
	case no.Code.WaitsForReview():
		no.Hint = "`ask servers review " + server + "` shows its current description, and how to approve it"
	}
	if shared && no.Hint != "" {
		no.Hint += "; then `ask servers export` writes the file of pins again"
	}
}

// live asks the servers that start the approved program, and returns why the others are
// not asked.
func (s Source) live(ctx context.Context, subject string, servers []string) (said map[string]catalog.Listing, refused map[string]error) {
	said, refused = map[string]catalog.Listing{}, map[string]error{}
	if s.Live == nil {
		return said, refused
	}
	var asked []string
	for _, name := range servers {
		if s.Program != nil {
			if refused[name] = s.Program(ctx, name); refused[name] != nil {
				continue
			}
		}
		asked = append(asked, name)
	}
	for _, l := range s.Live.Discover(ctx, subject, asked) {
		said[l.Server] = l
	}
	return said, refused
}

// Memory is the last listing of each server of one source. Its zero value is ready.
type Memory struct {
	mu   sync.Mutex
	last map[string]planned
}

// planned is the listing of pins, as they are shared by their keeper.
type planned struct {
	pins    *Pins
	listing catalog.Listing
}

// planned is pinned, from memory where the pins did not change. Where live servers are
// asked, it is not.
func (s Source) planned(ctx context.Context, name string) (catalog.Listing, Pins) {
	k, is := s.Book.(*Keeper)
	server := s.Servers[name]
	switch {
	case !is || s.Memory == nil || s.Live != nil:
		return s.pinned(ctx, name)
	case server.Wrong != nil, server.Place == (pin.Place{}):
		return s.pinned(ctx, name)
	}
	pins, err := k.shared(ctx, server.Place)
	if err != nil {
		return failed(name, err)
	}
	return s.Memory.listing(s, name, pins), *pins
}

// listing lists pins, unless they are those of the last listing. The refusals are copies,
// to which the caller adds advice.
func (m *Memory) listing(s Source, name string, pins *Pins) catalog.Listing {
	m.mu.Lock()
	defer m.mu.Unlock()
	is := m.last[name]
	if is.pins != pins {
		is.pins = pins
		is.listing, _ = s.listing(name, *pins)
		is.listing.Version = pins
		if m.last == nil {
			m.last = map[string]planned{}
		}
		m.last[name] = is
	}
	l := is.listing
	l.Held = slices.Clone(l.Held)
	for i, h := range l.Held {
		l.Held[i].Denial = new(*h.Denial)
	}
	return l
}

// pinned returns the listing of the approved tools. Allowlisted tools without approval
// are held back.
func (s Source) pinned(ctx context.Context, name string) (catalog.Listing, Pins) {
	server, known := s.Servers[name]
	switch {
	case !known:
		return failed(name, verdict.Fail(verdict.ServerUnknown, nil, "no server %.128q is configured", name))
	case server.Wrong != nil:
		return failed(name, server.Wrong)
	case s.Book == nil || server.Place == (pin.Place{}):
		return failed(name, unapproved("server "+name))
	}
	pins, err := s.Book.Pins(ctx, server.Place)
	if err != nil {
		return failed(name, err)
	}
	return s.listing(name, pins)
}

// listing returns the tools that a run may plan with, and why it may not use the others.
func (s Source) listing(name string, pins Pins) (catalog.Listing, Pins) {
	l := catalog.Listing{Server: name, Held: held(pins), Wrote: pins.Wrote}
	for _, tool := range slices.Sorted(maps.Keys(pins.Tools)) {
		l.Tools = append(l.Tools, pins.Tools[tool].descriptor(name))
	}
	for _, tool := range s.Allowed(name) {
		_, approved := pins.Tools[tool]
		if _, told := pins.Held[tool]; !approved && !told {
			l.Held = append(l.Held, catalog.Held{Tool: tool, Denial: unapproved(tool)})
		}
	}
	return l, pins
}

func failed(name string, err error) (catalog.Listing, Pins) {
	return catalog.Listing{Server: name, Err: err}, Pins{}
}

func unapproved(what string) *verdict.Denial {
	return verdict.Deny(verdict.PinUnapproved, "%s is not approved as the server describes it", what)
}

func held(pins Pins) (all []catalog.Held) {
	for _, tool := range slices.Sorted(maps.Keys(pins.Held)) {
		all = append(all, catalog.Held{Tool: tool, Denial: pins.Held[tool]})
	}
	return all
}

// compared returns the pinned listing without the tools that differ now. Tools that the
// server lists besides are held back for review.
func (s Source) compared(pinned, now catalog.Listing, pins Pins) catalog.Listing {
	if now.Err != nil {
		return catalog.Listing{Server: pinned.Server, Err: now.Err}
	}
	said, told := byName(now), map[string]bool{}
	is := maps.Clone(said.by)
	l := catalog.Listing{Server: pinned.Server, Protocol: now.Protocol, Info: now.Info, Wrote: pinned.Wrote}
	hold := func(tool string, no *verdict.Denial) {
		told[tool] = true
		l.Held = append(l.Held, catalog.Held{Tool: tool, Denial: no})
	}
	for _, h := range pinned.Held {
		if h.Denial.Code != verdict.PinUnapproved || is[h.Tool].Raw != nil {
			hold(h.Tool, h.Denial)
		}
	}
	for _, tool := range slices.Sorted(maps.Keys(pins.Tools)) {
		was := pins.Tools[tool].descriptor(pinned.Server)
		now, no := said.of(tool), (*verdict.Denial)(nil)
		if !pins.Tools[tool].AfterCall || now.Raw != nil || now.no != nil {
			no = s.differs(tool, was, now)
		}
		if no != nil {
			hold(tool, no)
			continue
		}
		delete(is, tool)
		l.Tools = append(l.Tools, was)
	}
	for _, tool := range slices.Sorted(maps.Keys(is)) {
		now := is[tool].Descriptor
		if now.Raw == nil {
			continue
		}
		if !told[tool] {
			hold(tool, unapproved(tool))
		}
		if len(l.Tools) == 0 || now.Instructions == l.Tools[0].Instructions {
			l.Tools = append(l.Tools, now)
		}
	}
	for _, d := range now.Tools { // without a readable name or text: the catalog reports it
		f, _ := d.Fields()
		sameText := len(l.Tools) == 0 || d.Instructions == l.Tools[0].Instructions
		if f.Name != "" && sameText && said.by[f.Name].Raw == nil {
			l.Tools = append(l.Tools, d)
		}
	}
	return l
}

// heldFor returns a refusal for every approved tool of a server.
func heldFor(err error, pins Pins) (held []catalog.Held) {
	for _, tool := range slices.Sorted(maps.Keys(pins.Tools)) {
		held = append(held, catalog.Held{Tool: tool, Denial: denialOf(err)})
	}
	return held
}

func denialOf(err error) *verdict.Denial {
	no, _ := verdict.First(err)
	if no == nil {
		no = verdict.Deny(verdict.PinChanged, "%v", err)
	}
	return no
}

func (s Source) differs(tool string, was pin.Descriptor, is entry) *verdict.Denial {
	if is.no != nil {
		return is.no
	}
	if is.Raw == nil {
		return verdict.Deny(verdict.PinAbsent, "server %s does not list %s any more", was.Server, tool)
	}
	if err := s.Accept.Same(was, is.Descriptor); err != nil {
		return denialOf(err)
	}
	return nil
}
