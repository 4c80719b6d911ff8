package org

import (
	"context"
	"fmt"
	"maps"
	"net/netip"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/org"
	"github.com/onestep-run/onestep/host/reach"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/host/trust"
)

// rows are what the host of an agent is made of.
type rows struct {
	agent    org.Agent
	registry registry
	left     map[string]error
}

func (r rows) names() []string { return r.registry.Names() }

// maxServers bounds the servers of one agent.
const maxServers = 1000

// rowsOf reads an agent with its servers.
func (h *Hosts) rowsOf(ctx context.Context, agent string) (r rows, err error) {
	r.left = map[string]error{}
	if r.agent, err = h.Org.Agent(ctx, agent); err != nil {
		return rows{}, err
	}
	all, err := h.Org.Uses(ctx, agent, "", maxServers)
	if err != nil {
		return rows{}, err
	}
	specs, secrets := map[string]config.Spec{}, map[string]map[string]string{}
	for _, u := range all {
		if !u.Enabled {
			continue
		}
		if specs[u.Server], secrets[u.Server], err = h.spec(ctx, u); err != nil {
			delete(specs, u.Server)
			r.left[u.Server] = err
		}
	}
	r.registry, err = h.registry(specs, secrets)
	return r, err
}

// spec is a server as an agent reaches it, with the values of its secrets.
func (h *Hosts) spec(ctx context.Context, u org.Use) (config.Spec, map[string]string, error) {
	s, err := h.Org.Server(ctx, u.Server)
	if err != nil {
		return config.Spec{}, nil, err
	}
	if !u.Starts(s) {
		return config.Spec{}, nil, verdict.Deny(verdict.OrgStart, "no admin approved the command that starts %s", s.Name)
	}
	values, err := h.Org.Secrets(s, u)
	if err != nil {
		return config.Spec{}, nil, err
	}
	spec := s.Spec
	if s.Unconfined != "" {
		spec.Sandbox = "off"
	}
	return u.Auth.On(spec), values, nil
}

func (h *Hosts) registry(specs map[string]config.Spec, secrets map[string]map[string]string) (registry, error) {
	servers, err := config.NewServers("/", specs)
	return registry{Servers: servers, secrets: secrets, networks: h.Networks}, err
}

// registry is the servers of one agent. Each server sees its own secrets alone.
type registry struct {
	config.Servers
	secrets  map[string]map[string]string // by server
	networks []netip.Prefix
}

// Resolve implements setup.Registry.
func (r registry) Resolve(_ config.Environ, ask config.Asker, names []string) (all []session.Server, first error) {
	for _, name := range names {
		values := r.secrets[name]
		one, err := r.Servers.Resolve(func(v string) (string, bool) { text, is := values[v]; return text, is }, ask, []string{name})
		for _, s := range one {
			s.Dials = r.dials
			all = append(all, s)
		}
		if err != nil && first == nil {
			first = err
		}
	}
	return all, first
}

// dials refuses addresses that are not on the internet, unless a network of the settings has them.
// An address that gives a machine its credentials is in no network.
func (r registry) dials(ip netip.Addr) error {
	kind := reach.Of(ip)
	inside := slices.ContainsFunc(r.networks, func(p netip.Prefix) bool { return p.Contains(ip.Unmap().WithZone("")) })
	if kind == reach.Public || kind == reach.Private && inside {
		return nil
	}
	return fmt.Errorf("%s is a %v address, and no network of the service has it", ip, kind)
}

// allowlist has the tools that a person approved and that the mode of the agent allows. The effect
// of each is its approver's word, else it writes.
func (h *Hosts) allowlist(ctx context.Context, r rows) (catalog.Allowlist, error) {
	keeper := trust.NewKeeper(h.Org.State, h.Org.Now)
	lists := map[string]map[string][]string{}
	for _, server := range r.names() {
		place, _ := r.registry.Place(server)
		pins, err := keeper.Pins(ctx, place)
		if err != nil {
			return catalog.Allowlist{}, err
		}
		of := map[string][]string{}
		for _, tool := range slices.Sorted(maps.Keys(pins.Tools)) {
			if !r.agent.Allows(server, tool) {
				continue
			}
			effect := "write"
			if pins.Tools[tool].Effect == "read" && !slices.Contains(pins.Wrote, tool) {
				effect = "read"
			}
			of[effect] = append(of[effect], tool)
		}
		if len(of) > 0 {
			lists[server] = of
		}
	}
	if len(lists) == 0 {
		return catalog.Nothing(verdict.Deny(verdict.AllowEmpty, "the agent %s may call no approved tool", r.agent.Name)), nil
	}
	b, err := json.Marshal(lists)
	if err != nil {
		return catalog.Allowlist{}, err
	}
	return catalog.ParseAllowlist(b)
}

// callRules are the rules of an agent, and its budget as a rule.
func callRules(a org.Agent) (all []rule.File) {
	all = []rule.File{}
	if len(a.Rules) > 0 && a.Rules.Kind() == '{' {
		all = append(all, rule.File{Name: "the rules of the agent " + a.Name, Text: a.Rules})
	}
	if a.Budget.Calls > 0 {
		text := `{"rules": [` + budgetRule(a) + `]}`
		all = append(all, rule.File{Name: "the budget of the agent " + a.Name, Text: []byte(text)})
	}
	return all
}

// budgetRule bounds the calls of an agent on a day.
func budgetRule(a org.Agent) string {
	return fmt.Sprintf(`{"limit": {"calls": %d, "per": "day"}, "tools": ["*/*"], "why": "the agent's budget"}`, a.Budget.Calls)
}

// approvals are the state's, which also compares the agent's revision in the transaction of each
// call.
type approvals struct {
	*store.Store
	org             *org.Org
	agent, revision string
}

// Redeem implements [host.Approvals].
func (a approvals) Redeem(ctx context.Context, r grant.Redemption) error {
	by, _ := ctx.Value(callerKey{}).(org.Caller) // the zero one holds nothing
	return a.RedeemIf(ctx, r, func(t *store.Tx) error {
		if err := a.org.Holds(t, by); err != nil {
			return err
		}
		return org.Unchanged(a.agent, a.revision)(t)
	})
}

// EveryCall has the host redeem also the calls that spend nothing.
func (approvals) EveryCall() {}
