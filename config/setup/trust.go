package setup

import (
	"context"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/artifact"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/host/trust"
)

// source is where a host's descriptors come from: what was approved of the
// reached servers. Where it is live, they are asked as well, and compared.
func (o Options) source(inv Inventory, reached []session.Server, live host.Source, policy host.Policy) host.Source {
	if o.Unpinned || !o.Demo && !o.Pinned {
		return live
	}
	s := trust.Source{Book: o.book(inv), Servers: map[string]trust.Server{}, Allowed: policy.Allowlist.Tools, Accept: policy.Accept}
	for _, server := range reached {
		place, _ := inv.Place(server.Name)
		s.Servers[server.Name] = trust.Server{Place: place, Wrong: server.Validate(), Program: o.program(inv, server.Name)}
	}
	if o.Live {
		s.Live = live
	}
	return s
}

// program compares what a server would start with what was approved. A team's
// own pins take nothing that may change unseen.
func (o Options) program(inv Inventory, name string) func(trust.Pins) *verdict.Denial {
	return func(approved trust.Pins) *verdict.Denial {
		now := inv.Cache.Of(inv.Command(name))
		no := artifact.Differs(approved.Artifact, now)
		if no == nil && o.Pins != nil && now.Floating != "" {
			no = verdict.Deny(verdict.PinChanged, "what server %s starts may change unseen: %s", name, now.Floating)
		}
		if no != nil {
			no.Hint = "`ask servers review " + name + "` shows what is started, and `ask servers fetch " + name + "` gets an exact package"
		}
		return no
	}
}

func (o Options) book(inv Inventory) trust.Book {
	if o.Pins != nil {
		return o.Pins
	}
	return inv.Pins
}

// keeper keeps what was approved, in the store that the settings name. Nothing
// is opened before the first question needs it.
func (o Options) keeper(s config.Settings) *trust.Keeper {
	return trust.NewKeeper(store.At(s.StateFile.V, o.now()), o.now())
}

// Subject is a server for a review: how it is reached, and how to list it.
func (i Inventory) Subject(name string, all bool) trust.Subject {
	place, text := i.Place(name)
	return trust.Subject{
		Name: name, Place: place, Shown: text, Artifact: i.Cache.Inspect(i.Command(name)).Pinned(), Allowed: i.Allowlist.Tools(name), All: all,
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
	return l
}
