package org

import (
	"context"
	"maps"
	"slices"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/org"
	"github.com/onestep-run/onestep/host/trust"
)

// Look connects to a server as an agent reaches it, and reviews its tools. It approves nothing.
// It starts a program only if an admin approved its command.
func (h *Hosts) Look(ctx context.Context, agent, server string) (trust.Review, error) {
	inv, err := h.inventory(ctx, agent, server)
	if err != nil {
		return trust.Review{}, err
	}
	target := inv.Target(server, true)
	target.Again = true
	r, err := inv.Keeper.Look(ctx, target)
	if err != nil {
		return trust.Review{}, err
	}
	r.Name = server
	return r, h.Org.Reached(ctx, server)
}

// inventory has one server of an agent, whether the agent may call its tools or not.
func (h *Hosts) inventory(ctx context.Context, agent, server string) (setup.Inventory, error) {
	u, err := h.Org.Use(ctx, agent, server)
	if err != nil {
		return setup.Inventory{}, err
	}
	spec, values, err := h.spec(ctx, u)
	if err != nil {
		return setup.Inventory{}, err
	}
	registry, err := h.registry(map[string]config.Spec{server: spec}, map[string]map[string]string{server: values})
	if err != nil {
		return setup.Inventory{}, err
	}
	nothing := catalog.Nothing(verdict.Deny(verdict.AllowEmpty, "a review calls no tool"))
	return setup.Open(h.settings, setup.Options{
		Env: h.env, Now: h.Org.Now, Version: h.Version, Mode: setup.Listings, Servers: []string{server},
		Parts: setup.Parts{Registry: registry, Allowlist: &nothing, State: h.Org.State, Key: h.Key},
	})
}

// Decision is a member's decision on a review. It approves by digests, states effects of tools,
// and rejects tools.
type Decision struct {
	Digests  []string
	Effects  map[string]string // read or write
	Rejected []string
}

// Decide reviews a server again, and stores a decision on exactly what was reviewed.
func (h *Hosts) Decide(ctx context.Context, by org.By, agent, server string, d Decision) (trust.Decided, error) {
	for _, tool := range slices.Sorted(maps.Keys(d.Effects)) {
		if effect := d.Effects[tool]; effect != "read" && effect != "write" {
			return trust.Decided{}, verdict.Deny(verdict.OrgInvalid, "the effect of %.80q is %.40q, and neither read nor write", tool, effect)
		}
	}
	inv, err := h.inventory(ctx, agent, server)
	if err != nil {
		return trust.Decided{}, err
	}
	target := inv.Target(server, true)
	target.Again = true
	r, err := inv.Keeper.Look(ctx, target)
	if err != nil {
		return trust.Decided{}, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), makeTime) // a decision and its event belong together
	defer cancel()
	if err := h.Org.Decided(ctx, by, "tools_to_decide", server, d); err != nil { // also if the process ends in between
		return trust.Decided{}, err
	}
	choice := trust.Choice{By: by.Member, How: gate.ByDigest, Digests: d.Digests, Rejected: d.Rejected, Effects: d.Effects}
	done, err := inv.Keeper.Decide(ctx, r, choice)
	if err != nil {
		return trust.Decided{}, err
	}
	return done, h.Org.Decided(ctx, by, "tools_decided", server, done)
}

// Tool is a tool of a server for an agent.
type Tool struct {
	Name, Effect string
	Approved     bool
	Callable     bool // it is approved, and the mode of the agent allows it
	Held         string
}

// Tools are the known tools of an agent's server: the approved ones, and those held for a review.
func (h *Hosts) Tools(ctx context.Context, agent, server string) ([]Tool, error) {
	inv, err := h.inventory(ctx, agent, server)
	if err != nil {
		return nil, err
	}
	a, err := h.Org.Agent(ctx, agent)
	if err != nil {
		return nil, err
	}
	place, _ := inv.Place(server)
	pins, err := inv.Keeper.Pins(ctx, place)
	if err != nil {
		return nil, err
	}
	var all []Tool
	for _, name := range slices.Sorted(maps.Keys(pins.Tools)) {
		effect := "write"
		if pins.Tools[name].Effect == "read" && !slices.Contains(pins.Wrote, name) {
			effect = "read"
		}
		all = append(all, Tool{Name: name, Effect: effect, Approved: true, Callable: a.Allows(server, name)})
	}
	for _, name := range slices.Sorted(maps.Keys(pins.Held)) {
		all = append(all, Tool{Name: name, Held: pins.Held[name].Reason})
	}
	return all, nil
}
