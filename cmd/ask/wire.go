package main

import (
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/summarize"
)

// wired is a host and what must be ended after it.
type wired struct {
	host     *host.Host
	settings config.Settings
	close    func() error
}

// proposer is who plans, and by which name the trace knows it.
type proposer struct {
	host.Proposer
	name string
}

// wire makes the host of one question.
func (a *app) wire(choose func(config.Settings) (proposer, error)) (*wired, error) {
	s, paths, err := a.settings()
	if err != nil {
		return nil, err
	}
	policy, err := policyOf(s)
	if err != nil {
		return nil, err
	}
	inv, err := a.inventory(s, paths)
	if err != nil {
		return nil, err
	}
	policy.Allowlist = inv.allowlist
	p, err := choose(s)
	if err != nil {
		return nil, err
	}
	pool, err := inv.pool(s, inv.allowlist.Servers())
	if err != nil {
		return nil, err
	}
	h, err := host.New(host.Config{
		Policy: policy, Types: inv.types,
		Source: pool, Caller: pool, Servers: inv.described(),
		Proposer: p, Planner: p.name, Writer: summarize.Extractive{},
		Traces: host.TraceDir(s.TraceDir.V),
	})
	if err != nil {
		return nil, err
	}
	return &wired{host: h, settings: s, close: pool.Close}, nil
}

// policyOf is the policy that the settings make, but for the allowlist.
func policyOf(s config.Settings) (host.Policy, error) {
	rules, err := config.LoadRules(s.Rules)
	if err != nil {
		return host.Policy{}, err
	}
	level, err := summarize.ParseLevel(s.SummaryLevel.V)
	if err != nil {
		return host.Policy{}, err
	}
	return host.Policy{Rules: rules, SummaryLevel: level, StrictFormats: s.StrictFormats.V, MaxResult: s.MaxResult.V}, nil
}
