package setup

import (
	"bytes"
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/artifact"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/host/trust"
)

// ends lists servers and calls them; session.Pool does.
type ends interface {
	host.Source
	host.Caller
}

// Connect gives a host its Source, Caller and Servers, for the policy that it has:
// what is listed and called is what was approved. Nothing is started. The caller
// closes the pool.
func (i Inventory) Connect(c *host.Config) (*Pool, error) {
	names := i.with.Servers
	if names == nil {
		names = i.Allowlist.Servers()
	}
	servers, _ := i.Resolve(names) // a server that lacks a variable reports it when it is called
	if i.with.Mode < Catalogs {    // else no trace needs it, and no key is made for it
		ids, err := i.Identify(servers)
		if err != nil {
			return nil, err
		}
		c.Servers = ids
	}
	for n := range servers {
		servers[n].Notice = i.with.Reports
	}
	p := &Pool{session.New(servers, i.Limits), i.with.Waits}
	c.Source, c.Caller = i.Trusted(servers, p, c.Policy)
	return p, nil
}

// Trusted are the two ends of a host: where its descriptors come from, which is
// what was approved of the reached servers, and who calls them. Where it is
// live, the servers are asked as well, and compared.
func (i Inventory) Trusted(reached []session.Server, pool ends, policy host.Policy) (host.Source, host.Caller) {
	if i.with.Mode == Listings {
		return pool, absent{}
	}
	s := trust.Source{Book: i.Pins, Servers: map[string]trust.Server{}, Allowed: policy.Allowlist.Tools, Accept: policy.Accept, Shared: i.locked}
	places := map[string]pin.Place{}
	for _, server := range reached {
		places[server.Name], _ = i.Place(server.Name)
		s.Servers[server.Name] = trust.Server{Place: places[server.Name], Wrong: server.Validate()}
	}
	s.Program = i.program(places)
	if i.with.Live {
		s.Live = pool
	}
	return s, trust.Watched{Caller: pool, Keeper: i.Keeper, Places: places, Program: s.Program}
}

// PinsFile is the path of a file of pins, for [Parts.Pins]. [Open] reads it.
type PinsFile string

// Pins approves nothing: what the file approves takes its place.
func (PinsFile) Pins(context.Context, pin.Place) (p trust.Pins, _ error) { return p, nil }

// lock makes the pins of the program or the operator all that is approved, wherever
// the inventory is asked for that. Nothing is kept then.
func (o Options) lock(inv Inventory) (_ Inventory, err error) {
	if o.Pins == nil {
		return inv, nil
	}
	inv.Pins, inv.Keeper, inv.locked = o.Pins, nil, true
	if path, is := o.Pins.(PinsFile); is {
		var b []byte
		if b, err = config.ReadFile(string(path)); err == nil {
			inv.Pins, err = trust.ParseFile(b)
		}
	}
	return inv, err
}

// program holds what would be started against what was approved.
func (i Inventory) program(places map[string]pin.Place) func(context.Context, string) error {
	return func(ctx context.Context, server string) error {
		pins, err := i.Pins.Pins(ctx, places[server])
		if err != nil {
			return err
		}
		no := artifact.Refuse(pins.Artifact, i.Cache.Of(i.Command(server)), i.locked)
		if no == nil {
			return nil
		}
		no.Hint = "`ask servers review " + server + "` shows what is started, and `ask servers fetch " + server + "` gets an exact package"
		return no
	}
}

// Also are the other names under which the servers file has this very server:
// reached in the same way, and started from the same program. What is approved
// of one is approved of all, so a review is of what is allowed under any.
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

// Target is a server for a review: how it is reached, and how to list it.
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
		Name: name, Place: place, Shown: text, Artifact: i.artifact(name), Allowed: allowed, All: all, Others: others, Rules: i.guard,
		List: func(ctx context.Context, client string) catalog.Listing { return i.list(ctx, name, client) },
	}
}

// list asks one server in a connection of its own.
func (i Inventory) list(ctx context.Context, name, client string) catalog.Listing {
	servers, err := i.Resolve([]string{name})
	if err != nil {
		return catalog.Listing{Server: name, Err: err}
	}
	for n := range servers {
		servers[n].Client = client
	}
	pool := session.New(servers, i.Limits)
	l := pool.Discover(ctx, "", []string{name})[0]
	if err := pool.Close(); err != nil && l.Err == nil {
		l.Err = err
	}
	l.Err = host.Clean(i.guard, name, l.Err) // a review shows it, and no run has
	return l
}
