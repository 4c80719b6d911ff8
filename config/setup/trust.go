package setup

import (
	"bytes"
	"context"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/artifact"
	"github.com/onestep-run/onestep/host/confine"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/host/trust"
)

// ends lists servers and calls them; session.Pool implements it.
type ends interface {
	host.Source
	host.Caller
}

// Connect gives a host its Source, Caller and Servers for its policy, so that it lists
// and calls only approved tools. It starts nothing. The caller closes the pool.
func (i Inventory) Connect(c *host.Config) (*Pool, error) {
	servers, _ := i.Resolve(i.names()) // a server that lacks a variable reports it when it is called
	ids, err := i.identified(servers)
	if err != nil {
		return nil, err
	}
	p, started := i.dialled(servers)
	c.Servers = ids
	c.Source, c.Caller = i.trusted(servers, p, c.Policy, started, started.beforeCall)
	return p, nil
}

// identified returns the identities of servers, or nil if no trace needs them. Then no
// key is made for them.
func (i Inventory) identified(servers []session.Server) (map[string]pin.Identity, error) {
	if i.with.Mode >= Catalogs {
		return nil, nil
	}
	return i.Identify(servers)
}

// dialled returns the pool of servers, with the programs that they start. It starts
// nothing itself.
func (i Inventory) dialled(servers []session.Server) (*Pool, *programs) {
	started := i.programs(servers)
	servers = slices.Clone(servers)
	for n := range servers {
		servers[n].Notice, servers[n].Blocked = i.with.Reports, i.with.Blocked
		if i.with.Mode != Listings {
			servers[n].Permit = started.permit(servers[n].Name)
		}
	}
	named := i.with.Mode == Plans && len(i.with.Servers) == 1
	if named && len(servers) == 1 && !i.locked {
		started.readAhead(servers[0].Name)
	}
	return &Pool{session.New(servers, i.Limits), i.with.Waits}, started
}

// Trusted returns the two ends of a host: the source of its descriptors and the caller
// of its servers. The source has the approved descriptors of the reached servers. If
// the host is live, it also asks the servers and compares. The program of a server is
// checked before each call, so the pool need not check it at the start.
func (i Inventory) Trusted(reached []session.Server, pool ends, policy host.Policy) (host.Source, host.Caller) {
	p := i.programs(reached)
	return i.trusted(reached, pool, policy, p, p.check)
}

func (i Inventory) trusted(
	reached []session.Server, pool ends, policy host.Policy, p *programs, beforeCall func(context.Context, string) error,
) (host.Source, host.Caller) {
	if i.with.Mode == Listings {
		return pool, absent{}
	}
	s := trust.Source{
		Book: i.Pins, Servers: map[string]trust.Server{}, Allowed: policy.Allowlist.Tools, Accept: policy.Accept, Shared: i.locked,
		Memory: &trust.Memory{},
	}
	for _, server := range reached {
		s.Servers[server.Name] = trust.Server{Place: p.places[server.Name], Wrong: server.Validate()}
	}
	s.Program = p.check
	if i.with.Live {
		s.Live = pool
	}
	return s, trust.Watched{Caller: pool, Keeper: i.Keeper, Places: p.places, Program: beforeCall}
}

// PinsFile is the path of a file of pins, for [Parts.Pins]. [Open] reads it.
type PinsFile string

// Pins approves nothing: the pins in the file replace it.
func (PinsFile) Pins(context.Context, pin.Place) (p trust.Pins, _ error) { return p, nil }

// lock makes the pins of the program or the operator the only approvals of the
// inventory. Then no approvals are stored. A state of the program keeps the rest, such as
// the health of servers.
func (o Options) lock(inv Inventory) (_ Inventory, err error) {
	if o.Pins == nil {
		return inv, nil
	}
	inv.Pins, inv.locked = o.Pins, true
	if o.State == nil {
		inv.Keeper = nil
	}
	if path, is := o.Pins.(PinsFile); is {
		var b []byte
		if b, err = config.ReadFile(string(path)); err == nil {
			inv.Pins, err = trust.ParseFile(b)
		}
	}
	return inv, err
}

// programs compares what servers start with what was approved. A program is read
// before its start, and again if another approval applies since then. A running
// process is not read again.
type programs struct {
	Inventory

	places    map[string]pin.Place
	sandboxes map[string]*confine.Sandbox // as read for the start

	mu      sync.Mutex
	checked map[string]jsontext.Value // by server: the approval that its program was last checked against
	ahead   map[string]*artifact.Ahead
}

// readAhead begins to read the program of the server that a call names, while the state is
// opened and the gates decide.
func (p *programs) readAhead(server string) {
	p.ahead = map[string]*artifact.Ahead{server: artifact.ReadAhead(p.Command(server))}
}

func (i Inventory) programs(reached []session.Server) *programs {
	p := &programs{Inventory: i, places: map[string]pin.Place{}, sandboxes: map[string]*confine.Sandbox{}, checked: map[string]jsontext.Value{}}
	for _, server := range reached {
		p.places[server.Name], _ = i.Place(server.Name)
		p.sandboxes[server.Name] = server.Sandbox
	}
	return p
}

// permit returns a server's [session.Server.Permit].
func (p *programs) permit(server string) func(context.Context) error {
	return func(ctx context.Context) error { return p.check(ctx, server) }
}

// beforeCall checks the program of a server that is also checked at its start, if the
// approval has changed since. A server that never started is checked at its start.
func (p *programs) beforeCall(ctx context.Context, server string) error {
	now, err := trust.Program(ctx, p.Pins, p.places[server])
	if err != nil {
		return err
	}
	p.mu.Lock()
	approved, started := p.checked[server]
	p.mu.Unlock()
	if !started || bytes.Equal(approved, now) {
		return nil
	}
	return p.check(ctx, server)
}

// check reads the program to start, and refuses a program that was not approved.
func (p *programs) check(ctx context.Context, server string) error {
	pins, err := p.Pins.Pins(ctx, p.places[server])
	if err != nil {
		return err
	}
	command := p.Command(server)
	command.Sandbox = p.sandboxes[server] // the manifest's file may have changed since
	command.Ahead = p.ahead[server]
	no := artifact.Refuse(pins.Artifact, p.Cache.Of(command), p.locked)
	if no == nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.checked[server] = pins.Artifact
		return nil
	}
	no.Hint = "`ask servers review " + server + "` shows what is started, and `ask servers fetch " + server + "` gets an exact package"
	return trust.NotStarted{Why: no}
}

// Also returns the other names of this very server in the servers file. It is reached
// in the same way there, and started from the same program. An approval of one is an
// approval of all, so a review covers the tools that are allowed under any of these
// names.
func (i Inventory) Also(name string) (others []string) {
	place, _ := i.Place(name)
	for _, other := range i.Names() {
		if at, _ := i.Place(other); other != name && at.Matches(place) && bytes.Equal(i.artifact(other), i.artifact(name)) {
			others = append(others, other)
		}
	}
	return others
}

func (i Inventory) artifact(name string) jsontext.Value {
	return i.Cache.Inspect(i.Command(name)).Pinned()
}

// Target returns a server for a review: how it is reached, and how to list it.
func (i Inventory) Target(name string, all bool) trust.Target {
	place, text := i.Place(name)
	allowed := i.Allowlist.Tools(name)
	for _, other := range i.Also(name) {
		allowed = append(allowed, i.Allowlist.Tools(other)...)
	}
	others := map[pin.Place]string{}
	for _, other := range i.Names() {
		if at, _ := i.Place(other); other != name {
			others[at] = other
		}
	}
	return trust.Target{
		Name: name, Place: place, Shown: text, Artifact: i.artifact(name), Allowed: allowed, All: all, Others: others, Rules: i.guard, Own: i.topic(name),
		List: func(ctx context.Context, client string) catalog.Listing { return i.list(ctx, name, client) },
	}
}

// topic returns what a server's entry says about its owner. That is its address, its
// name, its package, and what its manifest or scopes let it reach.
func (i Inventory) topic(name string) pin.Own {
	var spec config.Spec
	if of, is := i.Registry.(interface {
		Spec(name string) (config.Spec, int, bool)
	}); is {
		spec, _, _ = of.Spec(name)
	}
	own := pin.Own{Names: []string{name}}
	if u, err := url.Parse(spec.URL); err == nil && u.Host != "" {
		own.Hosts = append(own.Hosts, u.Hostname())
	}
	if c := i.Command(name); c.Sandbox.Confines() {
		for _, granted := range c.Sandbox.Scopes.AllowedHosts {
			host, _, _ := strings.Cut(strings.TrimPrefix(granted, "*."), ":")
			own.Hosts = append(own.Hosts, host)
		}
	}
	if of := artifact.PackageOf(spec.Command, spec.Args).Name; of != "" {
		own.Names = append(own.Names, of)
	}
	return own
}

// list lists one server in a separate connection.
func (i Inventory) list(ctx context.Context, name, client string) catalog.Listing {
	servers, err := i.Resolve([]string{name})
	if err != nil {
		return catalog.Listing{Server: name, Err: err}
	}
	for n := range servers {
		servers[n].Client, servers[n].Blocked = client, i.with.Blocked
	}
	pool := &Pool{session.New(servers, i.Limits), i.with.Waits}
	l := pool.Discover(ctx, "", []string{name})[0]
	if err := pool.Close(); err != nil && l.Err == nil {
		l.Err = err
	}
	l.Err = host.Clean(i.guard, name, l.Err) // a review shows it, and no run has cleaned it
	return l
}
