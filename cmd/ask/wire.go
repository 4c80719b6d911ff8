package main

import (
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/planner"
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
	chat planner.Chat // the model, where one plans
}

// writer is who writes summaries: the embedded writer, unless the
// configuration gives that to the model too.
func (p proposer) writer(s config.Settings, level summarize.Level) (host.Writer, error) {
	switch {
	case s.Writer.V != "model":
		return summarize.Extractive{}, nil
	case p.chat == nil:
		return nil, verdict.Fail(verdict.ModelUnconfigured, nil, "writer is %q (%s), and no model is chosen", s.Writer.V, s.Writer.Origin)
	}
	return summarize.Model{Chat: p.chat, Level: level}, nil
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
	writer, err := p.writer(s, policy.SummaryLevel)
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
		Proposer: p, Planner: p.name, Writer: writer,
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
