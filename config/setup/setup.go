// Package setup turns checked settings into a ready host and its closer. A
// program that wants a host of its own, as a service does, calls [Host] with
// what [config.Load] gave it, and has the same host that `ask` has.
//
// It prints nothing and reads no globals: the environment and the clock come
// in as [Options]. It vouches that a host's servers are the operator's, or the
// demo's where that was asked for, and that a model's key goes to the endpoint
// that it was set for. Nothing is started, dialled or asked before the host is
// used, and a key is looked up only when the model is asked. It decides
// nothing: the gates do.
//
// cmd/ask and cmd/ask-eval call it, and parse and print around it.
package setup

import (
	"context"
	"errors"
	"time"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/host/trust"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/planner/lexical"
	"github.com/onestep-run/onestep/summarize"
)

// Options are what a setup needs next to the settings.
type Options struct {
	Env      config.Environ            // addresses and keys of models, and what an mcp.json names; nil has no variables
	Ask      config.Asker              // optional; a person who gives what an mcp.json asks for
	Now      func() time.Time          // optional; time.Now
	Version  string                    // of the program, for its traces
	Demo     bool                      // the demo's servers, in place of those of the settings
	Servers  []string                  // those that the host may reach; nil means the allowlist's
	NoPlans  bool                      // every question brings its plan: no planner is chosen
	Live     bool                      // list what the servers say now, and compare it with what was approved
	Pins     trust.Book                // optional; these pins approve, and nothing else does: not what is kept, no class of difference, and nothing that floats
	Locked   string                    // optional; a file of such pins
	Unpinned bool                      // only for looking at servers: their listings as they say them
	NoAsks   bool                      // only the catalog is listed: no planner or writer is chosen, and what a server lacks is that server's own
	Approver host.Approver             // optional; a person who can be asked at once
	Explain  func(lexical.Explanation) // optional; told how the embedded planner chose
	Waits    Waits                     // optional; told which server or model is waited for
}

// environ is the environment; without one nothing is set.
func (o Options) environ() config.Environ {
	if o.Env == nil {
		return func(string) (string, bool) { return "", false }
	}
	return o.Env
}

// env is a variable's value, "" where it is not set.
func (o Options) env(name string) string {
	v, _ := o.environ()(name)
	return v
}

func (o Options) now() func() time.Time {
	if o.Now == nil {
		return time.Now
	}
	return o.Now
}

// Ready is a host, and what is behind it.
type Ready struct {
	*host.Host
	Inventory Inventory
	Planner   string // who plans, as the trace names it; "" is nobody

	pool waitedPool
}

// Close ends the servers and closes the state. The host answers no question
// after it.
func (r *Ready) Close() error { return errors.Join(r.pool.Close(), r.Inventory.State.Close()) }

// Strays say what servers printed to stdout that was no message, in lines for a
// person who looks for a fault: see Strays of host/session.
func (r *Ready) Strays() []string { return r.pool.Strays() }

// Host makes the host that the settings describe.
func Host(s config.Settings, o Options) (*Ready, error) {
	inv, err := Open(s, o)
	if err != nil {
		return nil, err
	}
	policy, err := inv.Policy(s)
	if err != nil {
		return nil, err
	}
	p, writer, err := o.speakers(s, policy.SummaryLevel)
	if err != nil {
		return nil, err
	}
	names := o.Servers
	if names == nil {
		names = inv.Allowlist.Servers()
	}
	servers, ids, err := o.reach(inv, names)
	if err != nil {
		return nil, err
	}
	pool := waitedPool{session.New(servers, inv.Limits), o.Waits}
	source, caller := o.Trusted(inv, servers, pool, policy)
	c := host.Config{
		Policy: policy, Types: inv.Types, Version: o.Version,
		Source: source, Caller: caller, Servers: ids,
		Proposer: p, Planner: p.Name, Writer: writer,
		Traces: host.TraceDir(s.TraceDir.V), Now: o.now(), Quarantine: Quarantine(s, inv.State, o.now()),
		Approver: o.Approver, Approvals: host.TraceDir(s.TraceDir.V), ApprovalTTL: s.ApprovalTTL.V,
	}
	if err := o.guarding(s, &c); err != nil {
		return nil, err
	}
	h, err := host.New(c)
	if err != nil {
		return nil, err
	}
	return &Ready{Host: h, Inventory: inv, Planner: p.Name, pool: pool}, nil
}

// speakers are who plans and who writes. Where nobody has to plan, a model that
// is chosen may still have to write a summary.
func (o Options) speakers(s config.Settings, level summarize.Level) (Planner, host.Writer, error) {
	if o.NoAsks || o.NoPlans && s.Writer.V != "model" {
		return Planner{Proposer: nobody{}}, summarize.Extractive{}, nil
	}
	p, err := Choose(s, o)
	if err != nil {
		return Planner{}, nil, err
	}
	writer, err := p.Writer(s, level)
	return p, writer, err
}

// Writer is who writes summaries where no host is made.
func Writer(s config.Settings, o Options) (host.Writer, error) {
	level, err := summarize.ParseLevel(s.SummaryLevel.V)
	if err != nil {
		return nil, err
	}
	o.NoPlans = true
	_, writer, err := o.speakers(s, level)
	return writer, err
}

// nobody plans where every question brings its plan.
type nobody struct{}

// Propose fails: there is nobody to ask.
func (nobody) Propose(context.Context, input.Query, catalog.Catalog) (planner.Proposal, error) {
	return planner.Proposal{}, verdict.Fail(verdict.ModelUnconfigured, nil, "no planner was chosen, and the question brought no plan")
}

// Policy is the policy that the settings and the inventory make.
func (i Inventory) Policy(s config.Settings) (host.Policy, error) {
	p, err := Policy(s)
	p.Allowlist = i.Allowlist
	if i.locked {
		p.Accept = pin.Accept{} // a difference is for whoever writes the pins
	}
	return p, err
}

// Policy is the policy that the settings make, but for the allowlist.
func Policy(s config.Settings) (host.Policy, error) {
	rules, err := config.LoadRules(s.Rules)
	if err != nil {
		return host.Policy{}, err
	}
	level, err := summarize.ParseLevel(s.SummaryLevel.V)
	if err != nil {
		return host.Policy{}, err
	}
	accept, err := pin.ParseAccept(s.Accept.V)
	if err != nil {
		return host.Policy{}, verdict.Fail(verdict.ConfigInvalid, err, "accept (%s): %v", s.Accept.Origin, err)
	}
	scan, err := s.GuardRules()
	if err != nil {
		return host.Policy{}, verdict.Fail(verdict.ConfigInvalid, err, "%v", err)
	}
	return host.Policy{
		Accept: accept, Rules: rules, Guard: scan, SummaryLevel: level, StrictFormats: s.StrictFormats.V, MaxResult: s.MaxResult.V,
		StrictIntent: s.Intent.V == "strict", OthersApprove: s.Approvers.V == "other",
	}, nil
}
