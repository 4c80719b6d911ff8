// Package catalog reduces the tools that servers list to those that the operator
// allows.
//
// A [Catalog] vouches that each of its tools is in the allowlist, has a plain and
// unique name, and has an input schema that can be enforced. It vouches neither for
// what a tool does nor for its description.
//
// host admits the catalog once per run; the planner chooses from it and gate approves
// against it.
package catalog

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Listing is the tools that one server listed, or the reason why it listed none. Any
// caller may make one; it vouches for nothing.
type Listing struct {
	Server   string
	Protocol string // the agreed version of MCP; "" if there was no agreement, or if a trace gave the listing
	Info     string // the server's name for itself, such as "everything 2.0.0"; "" as Protocol
	Tools    []pin.Descriptor
	Held     []Held   // listed tools that the source keeps out of the catalog
	Wrote    []string // tools that count as writing, even if the operator calls them reading
	Err      error

	// Version, if not nil, is comparable and names this state of Tools. Listings of a server
	// with equal versions have the same tools. A source that keeps listings sets it.
	Version any
}

// Held is a tool that a source of descriptors keeps out, and the reason. For example,
// it was never approved, or has changed since.
type Held struct {
	Tool   string
	Denial *verdict.Denial
}

// Options of [Admit].
type Options struct {
	StrictFormats bool                    // an unknown schema format takes the tool out
	Seen          *Seen                   // optional: descriptors that were read before
	Identities    map[string]pin.Identity // by server; a missing server has the zero identity

	// Only is the one tool to keep, as "server/tool"; "" keeps all. It never adds one.
	Only string

	// Stop is called before each tool; an error of it makes the server's listing a
	// failed one. A server chooses its schemas, and five thousand hard ones take a
	// while. Optional.
	Stop func() error
}

// Exclusion is a listed or allowed tool that cannot be called, and why.
type Exclusion struct {
	Server, Name string // untrusted text
	Denial       *verdict.Denial
}

// Waits reports whether a person's approval of the tool would let it in.
func (e Exclusion) Waits() bool { return e.Denial.Code.WaitsForReview() }

// Unreachable is an allowlisted server that listed nothing.
type Unreachable struct {
	Server string
	Err    error
}

// Catalog is the tools that a run may consider. Its zero value is empty.
type Catalog struct {
	listings    []Listing
	tools       []Tool // sorted by server and name
	excluded    []Exclusion
	unreachable []Unreachable
	only        bool // one tool was asked for, and the catalog has no other
}

// Admit makes the catalog of one run. It keeps excluded tools with their reasons. The
// order of the listings does not matter.
func Admit(listings []Listing, allow Allowlist, opt Options) Catalog {
	c := Catalog{listings: slices.Clone(listings), tools: make([]Tool, 0, allow.size())}
	seen := map[string]bool{}
	for _, i := range byServer(listings) {
		l := listings[i]
		if seen[l.Server] {
			l.Err = verdict.Fail(verdict.ServerProtocol, nil, "server %s was listed twice", l.Server)
		}
		seen[l.Server] = true
		if l.Err != nil {
			c.unreachable = append(c.unreachable, Unreachable{l.Server, l.Err})
			continue
		}
		known := opt.Seen.of(l)
		known.ahead.Do(func() { known.readAhead(allow, opt) })
		if err := c.admitServer(l, known, allow, opt); err != nil {
			c.listings[i] = Listing{Server: l.Server, Err: err}
			c.unreachable = append(c.unreachable, Unreachable{l.Server, err})
			continue
		}
		c.listings[i].Tools = known.tools
	}
	slices.SortStableFunc(c.excluded, func(a, b Exclusion) int {
		return cmp.Or(cmp.Compare(a.Server, b.Server), cmp.Compare(a.Name, b.Name))
	})
	if c.only = opt.Only != ""; c.only {
		c.tools = slices.DeleteFunc(c.tools, func(t Tool) bool { return t.Server()+"/"+t.Name() != opt.Only })
		c.excluded = slices.DeleteFunc(c.excluded, func(e Exclusion) bool { return e.Server+"/"+e.Name != opt.Only })
	}
	return c
}

// byServer returns the indices of the listings in the order of the servers' names.
func byServer(listings []Listing) []int {
	order := make([]int, len(listings))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(listings[a].Server, listings[b].Server) })
	return order
}

// admitServer adds the tools of one server, by name. It adds all of them, or none and
// returns an error.
func (c *Catalog) admitServer(l Listing, known *remembered, allow Allowlist, opt Options) error {
	if slices.ContainsFunc(l.Tools, func(d pin.Descriptor) bool { return d.Instructions != l.Tools[0].Instructions }) {
		return verdict.Fail(verdict.ServerProtocol, nil, "the tools of server %s come with different instructions", l.Server)
	}
	server, held := l.Server, heldOf(l)
	reached := opt.Identities[server]
	of, only, _ := strings.Cut(opt.Only, "/")
	sorted, times := known.names()
	tools, excluded := len(c.tools), len(c.excluded)
	listed := 0 // of the allowed tools
	for _, r := range sorted {
		if opt.Only != "" && (only != r.fields.Name || of != server) {
			continue
		}
		if opt.Stop != nil {
			if err := opt.Stop(); err != nil {
				c.tools, c.excluded = c.tools[:tools], c.excluded[:excluded]
				return err
			}
		}
		name := r.fields.Name
		t, no := look(r, allow, opt)
		if no = cmp.Or(known.place(server, r, no), held[name]); no != nil {
			c.excluded = append(c.excluded, Exclusion{server, name, no})
		} else {
			t.reached = &reached
			if slices.Contains(l.Wrote, name) {
				t.granted = t.granted.writing()
			}
			c.tools = append(c.tools, t)
		}
		if t.granted != nil && times[name] == 1 {
			listed++
		}
	}
	if allowed := opt.among(server, allow.tools[server]); listed < len(allowed) {
		c.absent(server, allowed, times, held)
	}
	c.odd(server, allow.odd[server], times)
	return nil
}

// among returns the allowed tools of a server without those that are not kept.
func (o Options) among(server string, allowed map[string]*grant) map[string]*grant {
	of, name, _ := strings.Cut(o.Only, "/")
	switch g, is := allowed[name]; {
	case o.Only == "":
		return allowed
	case of == server && is:
		return map[string]*grant{name: g}
	}
	return nil
}

// heldOf returns the tools that a listing keeps out. The first reason counts.
func heldOf(l Listing) map[string]*verdict.Denial {
	held := make(map[string]*verdict.Denial, len(l.Held))
	for _, h := range slices.Backward(l.Held) {
		held[h.Tool] = cmp.Or(h.Denial, verdict.Deny(verdict.PinUnapproved, "the tool is held for review, with no reason given"))
	}
	return held
}

// place returns the fault of a descriptor's place in a server's listing, or else
// alone, the fault of the descriptor itself.
func (m *remembered) place(server string, r *reading, alone *verdict.Denial) *verdict.Denial {
	name := r.fields.Name
	switch {
	case r.descriptor.Server != server:
		return verdict.Deny(verdict.CatalogDescriptor, "a descriptor of server %.128q in the listing of %s", r.descriptor.Server, server)
	case alone != nil:
		return alone
	case m.nameless != nil:
		// The unreadable descriptor may be this very tool once more, because other
		// readers have other limits.
		return verdict.Deny(verdict.CatalogDescriptor, "the server lists a tool whose name cannot be read, so that none is known to be listed once: %v", m.nameless)
	case m.times[name] > 1:
		// The server would choose which of the two is called, so neither is admitted.
		return verdict.Deny(verdict.CatalogDuplicate, "the server lists %s %d times", name, m.times[name])
	}
	return nil
}

// absent excludes the tools that the server does not list, or that its source keeps
// out.
func (c *Catalog) absent(server string, allowed map[string]*grant, times map[string]int, held map[string]*verdict.Denial) {
	for name := range allowed {
		if times[name] == 0 {
			no := verdict.Deny(verdict.CatalogAbsent, "the allowlist names %s, which server %s does not list", name, server)
			c.excluded = append(c.excluded, Exclusion{server, name, cmp.Or(held[name], no)})
		}
	}
}

// odd excludes the tools in the allowlist that no call can name. The server need not
// list them.
func (c *Catalog) odd(server string, names []string, times map[string]int) {
	for _, name := range names {
		if times[name] == 0 {
			c.excluded = append(c.excluded, Exclusion{server, name, verdict.Deny(verdict.CatalogName, "the allowlist names a tool that %s", outside)})
		}
	}
}

// look makes a tool of one descriptor, or returns why it is excluded. It asks the
// allowlist before it reads the schemas: of a tool that is not allowed it reads
// nothing more.
func look(r *reading, allow Allowlist, opt Options) (Tool, *verdict.Denial) {
	f, err := r.read()
	if err != nil {
		return Tool{}, verdict.Deny(verdict.CatalogDescriptor, "%v", err)
	}
	if !escape.Name(f.Name) {
		return Tool{}, misnamed(f.Name)
	}
	g, no := allow.lookup(r.descriptor.Server, f.Name)
	if no != nil {
		return Tool{}, no
	}
	c := r.contract(opt.StrictFormats)
	return Tool{read: r, contract: c, granted: g}, c.no
}

func misnamed(name string) *verdict.Denial {
	return verdict.Deny(verdict.CatalogName, "the name %.128q %s, or is longer than 128", name, outside)
}

// contract is the promise of a descriptor, before the allowlist.
type contract struct {
	input  schema.Schema
	output Output // the tool's own, if it declares one
	digest pin.Digest
	no     *verdict.Denial
}

// Uncallable returns why no call of a tool can be made, allowed or not, or nil if a
// call is possible. A review shows it before a person approves the tool.
func Uncallable(d pin.Descriptor) *verdict.Denial {
	f, err := d.Fields()
	if err != nil {
		return verdict.Deny(verdict.CatalogDescriptor, "%v", err)
	}
	if !escape.Name(f.Name) {
		return misnamed(f.Name)
	}
	return readContract(d, f, false).no
}

// Unshowable returns why a descriptor must not go to a client that may print it, or
// nil. The reason is a text of it, or of the server's instructions, with a control
// character for a terminal or for the order of text.
func Unshowable(d pin.Descriptor) *verdict.Denial {
	if bytes.Equal(escape.Controls(d.Raw), d.Raw) {
		return nil
	}
	return verdict.Deny(verdict.CatalogControl, "its descriptor contains a control character for a terminal or for the order of text")
}

func readContract(d pin.Descriptor, f pin.Fields, strict bool) (c contract) {
	if f.NeedsTask() {
		return contract{no: verdict.Deny(verdict.CatalogTask, "the server takes its calls only as tasks (execution.taskSupport is required), and ask makes one request")}
	}
	input := f.InputSchema
	var err error
	if input == nil {
		input = []byte(`{}`) // arguments are an object, and nothing is known about its members
	}
	if c.input, err = schema.Admit(input, schema.Options{Role: schema.Input, StrictFormats: strict}); err != nil {
		return contract{no: verdict.Deny(verdict.CatalogSchema, "the input schema cannot be enforced: %s", reasonOf(err))}
	}
	if f.OutputSchema != nil {
		c.output = ownOutput(f.OutputSchema, strict)
	}
	if c.digest, err = d.Digest(); err != nil {
		return contract{no: verdict.Deny(verdict.CatalogDescriptor, "%v", err)}
	}
	return c
}

// Listings returns the listings that the catalog was made of, as the servers sent
// them.
func (c Catalog) Listings() []Listing { return slices.Clone(c.listings) }

// Tools returns the tools that can be called, sorted by server and name.
func (c Catalog) Tools() []Tool { return slices.Clone(c.tools) }

// Excluded returns the tools that cannot be called, sorted by server and name.
func (c Catalog) Excluded() []Exclusion { return slices.Clone(c.excluded) }

// Unreachable returns the servers that listed nothing, sorted.
func (c Catalog) Unreachable() []Unreachable { return slices.Clone(c.unreachable) }

// Refusal returns why no plan can succeed, or nil if there is a tool to choose.
func (c Catalog) Refusal() error {
	switch waits := slices.IndexFunc(c.excluded, Exclusion.Waits); {
	case len(c.tools) > 0:
		return nil
	case waits >= 0:
		return c.excluded[waits].Denial
	case len(c.unreachable) > 0:
		return c.unreachable[0].Err
	case len(c.excluded) > 0:
		e := c.excluded[0]
		if c.only {
			return e.Denial
		}
		return verdict.Deny(verdict.CatalogEmpty, "none of the listed tools can be called; %.128q of server %s, for one: %s", e.Name, e.Server, e.Denial.Reason)
	}
	return verdict.Deny(verdict.CatalogEmpty, "no server lists a tool")
}

// Tool returns the tool that a plan names, or the reason why it may not be called.
func (c Catalog) Tool(server, name string) (Tool, error) {
	for _, t := range c.tools {
		if t.Name() == name && t.Server() == server {
			return t, nil
		}
	}
	for _, e := range c.excluded {
		if e.Server == server && e.Name == name {
			return Tool{}, e.Denial
		}
	}
	for _, u := range c.unreachable {
		if u.Server == server {
			return Tool{}, u.Err
		}
	}
	return Tool{}, verdict.Deny(verdict.AllowTool, "no allowed tool %s of server %s", lex.Repeat(name), lex.Repeat(server))
}
