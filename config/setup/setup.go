// Package setup turns checked settings into a ready host and its closer. A
// program that embeds one, as a service does, calls [Host] with what [config.Load]
// gave it, and has the same host that `ask` has; or it gives [Parts] as values.
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
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/confine"
	"github.com/onestep-run/onestep/host/runs"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/host/trust"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/planner/lexical"
	"github.com/onestep-run/onestep/summarize"
	"github.com/onestep-run/onestep/trace"
)

// Options are what a setup needs next to the settings. Only Mode and Live say
// what is asked of servers, and only Pins what is approved of them.
type Options struct {
	Parts

	Env      config.Environ                         // addresses and keys of models, and what a servers file names: a program gives secrets by it; nil has no variables
	Ask      config.Asker                           // optional; a person who gives what an mcp.json asks for
	Now      func() time.Time                       // optional; time.Now
	Version  string                                 // of the program, for its traces
	Demo     bool                                   // the demo's servers, in place of those of the settings
	Servers  []string                               // those that the host may reach; nil means the allowlist's
	Mode     Mode                                   // what the host is for
	Live     bool                                   // list what the servers say now, and compare it with what was approved
	Approver host.Approver                          // optional; a person who can be asked at once
	Explain  func(lexical.Explanation)              // optional; told how the embedded planner chose
	Bounds   host.Bounds                            // optional; how many questions run and wait at once
	Waits    Waits                                  // optional; told which server or model is waited for
	Stderr   io.Writer                              // optional; where the setting audit may send its lines
	Reports  func(server, text string)              // optional; gets what a server reports of its progress, or logs (see session.Server.Notice)
	Blocked  func(server string, a confine.Attempt) // optional; gets each attempt of a confined server that was refused

	state *store.Store // of an earlier reading of the same settings; nil opens one
}

// Parts are a program's own, each in place of what the settings name. With a
// registry, an allowlist, pins, a key and traces a host reads and writes no file.
type Parts struct {
	Registry   Registry           // in place of the servers file
	Allowlist  *catalog.Allowlist // in place of its file; a zero one allows nothing
	Pins       trust.Book         // these pins approve, and nothing else does: not what is kept, no class of difference, and nothing that floats
	Key        *pin.Key           // in place of this machine's, for identities and sealed answers
	Traces     host.Traces
	Approvals  host.Approvals
	Quarantine host.Quarantine
	Audit      host.Audit
	Scanners   []host.NamedScanner // besides those of the settings
	Proposer   host.Proposer
	Planner    string // the proposer's name, for the trace
	Writer     host.Writer
}

// Mode is what a host is for. Each one asks less than the one before.
type Mode int

// The modes.
const (
	Questions Mode = iota
	Plans          // every question brings its plan: no planner is chosen
	Catalogs       // only the catalog is listed: no planner or writer is chosen, and no key of this machine is made
	Listings       // the same, of what servers say now, approved or not: nothing is called
)

// environ is the environment; without one nothing is set.
func (o Options) environ() config.Environ {
	if o.Env == nil {
		return func(string) (string, bool) { return "", false }
	}
	return o.Env
}

// Clock is the clock of the options, or the system's.
func (o Options) Clock() func() time.Time {
	if o.Now == nil {
		return time.Now
	}
	return o.Now
}

// Ready is a host, and what is behind it.
type Ready struct {
	*host.Host
	Inventory Inventory
	Planner   string // who plans, as the trace names it; "" for no planner

	live     *live
	timeout  time.Duration
	approver host.Approver
}

// New are the tools of a server that it lists only since a call and that no one has
// decided on.
func (r *Ready) New(ctx context.Context, server string) []string {
	w, _ := r.live.caller().(trust.Watched)
	return w.New(ctx, server)
}

// Known are the names of all tools that a server has listed, or that were decided
// on.
func (r *Ready) Known(ctx context.Context, server string) []string {
	w, _ := r.live.caller().(trust.Watched)
	return w.Known(ctx, server)
}

// Ask asks the host, within the time that the setting timeout gives a run. The
// clock is stopped while a person is asked, or waited for.
func (r *Ready) Ask(ctx context.Context, q host.Question) host.Outcome {
	if r.timeout <= 0 {
		return r.Host.Ask(ctx, q)
	}
	ctx, limit := WithLimit(ctx, r.timeout)
	defer limit.End()
	if who := cmp.Or(q.Approver, r.approver); who != nil {
		q.Approver = patient{who, limit}
	}
	if q.Hold != nil {
		hold := *q.Hold
		hold.Clock, q.Hold = limit, &hold
	}
	return r.Host.Ask(ctx, q)
}

// Close ends the servers and closes the state. The host answers no question
// after it.
func (r *Ready) Close() error { return errors.Join(r.live.close(), r.Inventory.State.Close()) }

// Latest is what decides now: see [host.Config.Latest].
func (r *Ready) Latest(ctx context.Context) (host.Config, error) { return r.live.Latest(ctx) }

// Files are the paths of the files that decide about calls, by the latest reading.
func (r *Ready) Files() []string { return r.live.paths() }

// Strays say what servers printed to stdout that was no message, in lines for a
// person who looks for a fault: see Strays of host/session.
func (r *Ready) Strays() []string { return r.live.strays() }

// Host makes the host that the settings and the parts describe. It plans with
// what was approved, and with nothing else. A file that decides about calls is read
// again when it has changed; what cannot be read refuses.
func Host(s config.Settings, o Options) (*Ready, error) {
	o.Ask, o.Env = remembered(o.Ask), o.environ().Fixed()
	l := &live{options: o}
	first, err := l.read(s)
	if err != nil {
		return nil, err
	}
	p, writer, err := o.providers(s, first.config.Policy.SummaryLevel)
	if err != nil {
		return nil, err
	}
	if err := o.records(s, first.Inventory, &l.records); err != nil {
		return nil, err
	}
	if err := l.complete(first); err != nil {
		return nil, err
	}
	l.connect(first)
	l.now = first
	c := first.config
	c.Proposer, c.Planner, c.Writer, c.Now, c.Approver, c.Bounds = p, p.Name, writer, o.Clock(), o.Approver, o.Bounds
	h, err := host.New(c)
	if err != nil {
		return nil, err
	}
	return &Ready{Host: h, Inventory: first.Inventory, Planner: p.Name, live: l, timeout: s.Timeout.V, approver: o.Approver}, nil
}

// records gives a host what keeps its runs: the program's own parts, or what the
// settings name. A state that they do not name keeps nothing.
func (o Options) records(s config.Settings, inv Inventory, c *host.Config) error {
	dir, kept := runs.Dir(s.TraceDir.V), s.StateFile.V != ""
	c.Traces, c.Approvals, c.Quarantine = o.Traces, o.Approvals, o.Quarantine
	if c.Traces == nil {
		if dir == "" && o.Mode < Catalogs {
			return verdict.Fail(verdict.ConfigMissing, nil, "no directory for traces is set, and the program gives no other place")
		}
		c.Traces = runs.Remember(dir)
	}
	if c.Approvals == nil && kept && dir != "" {
		c.Approvals = inv.State
	}
	if c.Quarantine == nil && kept {
		c.Quarantine = Quarantine(s, inv.State, o.Clock())
	}
	return nil
}

// providers are who plans and who writes. Where every question has a plan, a
// model that is chosen may still have to write a summary.
func (o Options) providers(s config.Settings, level summarize.Level) (Planner, host.Writer, error) {
	p, w := Planner{Proposer: absent{}}, o.Writer
	plans, writes := o.Mode == Questions, o.Mode < Catalogs && w == nil && s.Writer.V == "model"
	if w == nil {
		w = summarize.Extractive{}
	}
	if plans && o.Proposer == nil || writes {
		var err error
		if p, err = Choose(s, o); err == nil && writes {
			w, err = p.Writer(s, level)
		}
		if err != nil {
			return Planner{}, nil, err
		}
	}
	if plans && o.Proposer != nil {
		p.Proposer, p.Name = o.Proposer, o.Planner
	}
	return p, w, nil
}

// Writer is who writes summaries where no host is made.
func Writer(s config.Settings, o Options) (host.Writer, error) {
	level, err := summarize.ParseLevel(s.SummaryLevel.V)
	if err != nil {
		return nil, err
	}
	o.Mode = Plans
	_, writer, err := o.providers(s, level)
	return writer, err
}

// absent is the planner of a host whose questions bring their plans, and the caller
// of one that only lists servers.
type absent struct{}

// Propose fails.
func (absent) Propose(context.Context, input.Query, catalog.Catalog) (planner.Proposal, error) {
	return planner.Proposal{}, verdict.Fail(verdict.ModelUnconfigured, nil, "no planner was chosen, and the question brought no plan")
}

// Call fails: the servers are only listed.
func (absent) Call(context.Context, gate.Approved, trace.Receipt, gate.Consent) (gate.RawResult, pin.Descriptor, error) {
	return gate.RawResult{}, pin.Descriptor{}, verdict.Deny(verdict.PinUnapproved, "the host lists what servers say, and calls none")
}

// Policy is the policy that the settings and the inventory make.
func (i Inventory) Policy(s config.Settings) (host.Policy, error) {
	p, err := Policy(s)
	if err == nil {
		err = relevant(p.CallRules, i.Allowlist)
	}
	p.Allowlist = i.Allowlist
	if i.locked {
		p.Accept = pin.Accept{} // a difference is for the author of the pins
	}
	return p, err
}

// relevant has the conditions of the rules read that are of an allowlisted tool.
// Rules of other tools decide nothing, and a start does not wait for them.
func relevant(p rule.Policy, allow catalog.Allowlist) error {
	err := p.Check(func(r *rule.Rule) bool {
		return slices.ContainsFunc(allow.Servers(), func(server string) bool {
			return r.Of(server) && slices.ContainsFunc(allow.Tools(server), func(tool string) bool { return r.Speaks(server, tool) })
		})
	})
	if err != nil {
		return config.BadPolicy(err)
	}
	return nil
}

// Policy is the policy that the settings make, but for the allowlist.
func Policy(s config.Settings) (host.Policy, error) {
	rules, err := config.LoadRules(s.Rules)
	if err != nil {
		return host.Policy{}, err
	}
	calls, err := config.LoadPolicy(s.Policy)
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
		Accept: accept, Rules: rules, CallRules: calls, Guard: scan, SummaryLevel: level, StrictFormats: s.StrictFormats.V, StrictOutputs: s.StrictOutputs.V, MaxResult: s.MaxResult.V, MaxArguments: s.MaxArguments.V, ClientRules: s.ClientRules.V,
		StrictIntent: s.Intent.V == "strict", OthersApprove: s.Approvers.V == "other",
	}, nil
}
