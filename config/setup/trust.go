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

// Pool lists servers and calls them; session.Pool does.
type Pool interface {
	host.Source
	host.Caller
}

// Trusted are the two ends of a host: where its descriptors come from, which is
// what was approved of the reached servers, and who calls them. Where it is
// live, the servers are asked as well, and compared.
func (o Options) Trusted(inv Inventory, reached []session.Server, pool Pool, policy host.Policy) (host.Source, host.Caller) {
	if o.Unpinned {
		return pool, pool
	}
	s := trust.Source{Book: inv.Pins, Servers: map[string]trust.Server{}, Allowed: policy.Allowlist.Tools, Accept: policy.Accept, Shared: inv.locked}
	places := map[string]pin.Place{}
	for _, server := range reached {
		places[server.Name], _ = inv.Place(server.Name)
		s.Servers[server.Name] = trust.Server{Place: places[server.Name], Wrong: server.Validate()}
	}
	s.Program = inv.program(places)
	if o.Live {
		s.Live = pool
	}
	return s, trust.Watched{Caller: pool, Keeper: inv.Keeper, Places: places, Program: s.Program}
}

// lock has the pins that the program or the operator names be all that is
// approved, wherever the inventory is asked for that. Nothing is kept then.
func (o Options) lock(inv Inventory) (Inventory, error) {
	book := o.Pins
	if o.Locked != "" {
		b, err := config.ReadFile(o.Locked)
		if err != nil {
			return Inventory{}, err
		}
		if book, err = trust.ParseFile(b); err != nil {
			return Inventory{}, err
		}
	}
	if book != nil {
		inv.Pins, inv.Keeper, inv.Place, inv.locked = book, nil, inv.Shared, true
	}
	return inv, nil
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
	for _, other := range i.Names {
		if at, _ := i.Place(other); other != name && at.Matches(place) && bytes.Equal(i.artifact(other), i.artifact(name)) {
			others = append(others, other)
		}
	}
	return others
}

func (i Inventory) artifact(name string) jsontext.Value {
	return i.Cache.Inspect(i.Command(name)).Pinned()
}

// Subject is a server for a review: how it is reached, and how to list it.
func (i Inventory) Subject(name string, all bool) trust.Subject {
	place, text := i.Place(name)
	allowed := i.Allowlist.Tools(name)
	for _, other := range i.Also(name) {
		allowed = append(allowed, i.Allowlist.Tools(other)...)
	}
	others := map[pin.Place]string{}
	for _, other := range i.Names {
		if at, _ := i.Place(other); other != name {
			others[at] = other
		}
	}
	return trust.Subject{
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
	l := pool.Discover(ctx, []string{name})[0]
	if err := pool.Close(); err != nil && l.Err == nil {
		l.Err = err
	}
	l.Err = host.Heard(i.guard, name, l.Err) // a review shows it, and no run has
	return l
}
