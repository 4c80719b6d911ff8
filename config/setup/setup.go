// Package setup turns checked settings into a ready host and its closer. A program
// that embeds one, such as a service, calls [Host] with the result of [config.Load],
// and gets the same host as `ask`; or it supplies [Parts] as values.
//
// It prints nothing and reads no globals: the environment and the clock come in as
// [Options]. It vouches that a host's servers are the operator's, or the demo's on
// request, and that a model's key goes to the endpoint that it was set for. It starts,
// dials and asks nothing before the host is used, and looks for a key only when the
// model is asked. It decides nothing: the gates do.
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

// Options are what a setup needs besides the settings. Only Mode and Live affect what
// servers are asked, and only Pins affects the approvals.
type Options struct {
	Parts

	Env      config.Environ                         // addresses and keys of models, variables of servers; nil is empty
	Ask      config.Asker                           // optional; asks a person for the inputs of an mcp.json
	Now      func() time.Time                       // optional; time.Now
	Version  string                                 // of the program, for its traces
	Demo     bool                                   // use the demo's servers instead of those of the settings
	Servers  []string                               // the servers that the host may reach; nil means the allowlist's
	Mode     Mode                                   // the purpose of the host
	Live     bool                                   // list the servers' current tools, and compare them
	Approver host.Approver                          // optional; a person who can be asked at once
	Explain  func(lexical.Explanation)              // optional; receives how the embedded planner chose
	Bounds   host.Bounds                            // optional; how many questions run and wait at once
	Waits    Waits                                  // optional; receives the name of each wait
	Stderr   io.Writer                              // optional; where the setting audit may send its lines
	Reports  func(server, text string)              // optional; receives a server's logs and progress (session.Server.Notice)
	Blocked  func(server string, a confine.Attempt) // optional; receives each refused attempt of a confined server

	state *store.Store // of an earlier reading of the same settings; nil opens one
}

// Parts are a program's own parts, which replace what the settings name. With a
// registry, an allowlist, pins, a key and traces, a host reads and writes no file.
type Parts struct {
	Registry   Registry           // replaces the servers file
	Allowlist  *catalog.Allowlist // replaces its file; a zero one allows nothing
	CallRules  []rule.File        // replace the policy files, by their names; nil replaces none, an empty list has no rules
	InputRules []config.Text      // the same for the files of input rules; an empty list has the built-in rules
	Pins       trust.Book         // only these pins approve: nothing stored, no class of differences, nothing floating
	State      *store.Store       // replaces the state file, with locked pins too; the program closes it
	Counts     string             // whose calls the limits of rules count in the state; "" has the counts of all that have no name
	Key        *pin.Key           // replaces this machine's key, for identities and sealed answers
	Traces     host.Traces
	Approvals  host.Approvals
	Quarantine host.Quarantine
	Audit      host.Audit
	Scanners   []host.NamedScanner // added to those of the settings
	Proposer   host.Proposer
	Planner    string // the proposer's name, for the trace
	Writer     host.Writer
}

// Mode is the purpose of a host. Each mode does less than the one before.
type Mode int

// The modes.
const (
	Questions Mode = iota
	Plans          // every question brings its plan: no planner is chosen
	Catalogs       // only the catalog is listed: no planner or writer is chosen, and no key of this machine is made
	Listings       // the same for the servers' current tools, approved or not: nothing is called
)

// environ returns the environment; by default no variable is set.
func (o Options) environ() config.Environ {
	if o.Env == nil {
		return func(string) (string, bool) { return "", false }
	}
	return o.Env
}

// Clock returns the clock of the options, or the system's.
func (o Options) Clock() func() time.Time {
	if o.Now == nil {
		return time.Now
	}
	return o.Now
}

// Ready is a host with its inventory.
type Ready struct {
	*host.Host
	Inventory Inventory
	Planner   string // the planner's name in the trace; "" for no planner

	live     *live
	timeout  time.Duration
	approver host.Approver
}

// New returns the tools that a server lists only since a call, if they are undecided.
func (r *Ready) New(ctx context.Context, server string) []string {
	return r.live.watched().New(ctx, server)
}

// Known returns the names of all tools that a server has listed, or that were decided
// on.
func (r *Ready) Known(ctx context.Context, server string) []string {
	return r.live.watched().Known(ctx, server)
}

// Ask asks the host, within the time that the setting timeout gives a run. The clock
// stops while the run waits for a person.
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

// Close ends the servers and closes the state, unless it is the program's own. The host
// answers no question after it.
func (r *Ready) Close() error {
	err := r.live.close()
	if r.live.options.State != nil {
		return err
	}
	return errors.Join(err, r.Inventory.State.Close())
}

// Latest returns the configuration that decides now: see [host.Config.Latest].
func (r *Ready) Latest(ctx context.Context) (host.Config, error) { return r.live.Latest(ctx) }

// Files returns the paths of the files that decide about calls, by the latest reading.
func (r *Ready) Files() (all []string) {
	r.live.mu.Lock()
	defer r.live.mu.Unlock()
	for _, f := range r.live.now.files {
		all = append(all, f.Path)
	}
	return all
}

// Strays returns lines on the servers' stdout that were not messages, for a person who
// looks for a fault. See Strays of host/session.
func (r *Ready) Strays() (all []string) {
	r.live.mu.Lock()
	defer r.live.mu.Unlock()
	for _, c := range r.live.open {
		all = append(all, c.pool.Strays()...)
	}
	return all
}

// Host makes the host that the settings and the parts describe. It plans only with
// approved tools. A changed file that decides about calls is read again; an unreadable
// file makes the host refuse.
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

// records gives a host the stores for its runs: the program's own parts, or those that
// the settings name. Without a state in the settings, nothing is kept.
func (o Options) records(s config.Settings, inv Inventory, c *host.Config) error {
	dir, kept := runs.Dir(s.TraceDir.V), o.keepsState(s)
	c.Traces, c.Approvals, c.Quarantine = o.Traces, o.Approvals, o.Quarantine
	if c.Traces == nil {
		if dir == "" && o.Mode < Catalogs {
			return verdict.Fail(verdict.ConfigMissing, nil, "no directory for traces is set, and the program gives no other place")
		}
		c.Traces = runs.Remember(dir)
	}
	traced := dir != "" || o.State != nil
	if c.Approvals == nil && kept && traced {
		c.Approvals = inv.State
	}
	if c.Quarantine == nil && kept {
		c.Quarantine = Quarantine(s, inv.State, o.Clock())
	}
	return nil
}

// providers returns the planner and the writer. Even if every question has a plan, a
// chosen model may have to write a summary.
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

// Writer returns the writer of summaries without making a host.
func Writer(s config.Settings, o Options) (host.Writer, error) {
	level, err := summarize.ParseLevel(s.SummaryLevel.V)
	if err != nil {
		return nil, err
	}
	o.Mode = Plans
	_, writer, err := o.providers(s, level)
	return writer, err
}

// absent is the planner of a host with plans in its questions, and the caller of a
// host that only lists servers.
type absent struct{}

// Propose fails.
func (absent) Propose(context.Context, input.Query, catalog.Catalog) (planner.Proposal, error) {
	return planner.Proposal{}, verdict.Fail(verdict.ModelUnconfigured, nil, "no planner was chosen, and the question brought no plan")
}

// Call fails: the servers are only listed.
func (absent) Call(context.Context, gate.Approved, trace.Receipt, gate.Consent) (gate.RawResult, pin.Descriptor, error) {
	return gate.RawResult{}, pin.Descriptor{}, verdict.Deny(verdict.PinUnapproved, "the host lists what servers say, and calls none")
}

// Policy returns the policy of the settings and the inventory.
func (i Inventory) Policy(s config.Settings) (host.Policy, error) {
	p, err := i.with.policy(s)
	if err == nil {
		err = relevant(p.CallRules, i.Allowlist)
	}
	p.Allowlist = i.Allowlist
	if i.locked {
		p.Accept = pin.Accept{} // a difference is for the author of the pins
	}
	return p, err
}

// relevant reads the conditions of the rules for allowlisted tools. Other rules decide
// nothing, and a start does not wait for them.
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

// Policy returns the policy of the settings, without the allowlist.
func Policy(s config.Settings) (host.Policy, error) { return Options{}.policy(s) }

func (o Options) policy(s config.Settings) (host.Policy, error) {
	rules, noRules := o.inputRules(s)
	calls, noCalls := o.callRules(s)
	level, noLevel := summarize.ParseLevel(s.SummaryLevel.V)
	accept, noClass := pin.ParseAccept(s.Accept.V)
	scan, noScan := s.GuardRules()
	switch err := cmp.Or(noRules, noCalls, noLevel); {
	case err != nil:
		return host.Policy{}, err
	case noClass != nil:
		return host.Policy{}, verdict.Fail(verdict.ConfigInvalid, noClass, "accept (%s): %v", s.Accept.Origin, noClass)
	case noScan != nil:
		return host.Policy{}, verdict.Fail(verdict.ConfigInvalid, noScan, "%v", noScan)
	}
	return host.Policy{
		Accept: accept, Rules: rules, CallRules: calls, Guard: scan, SummaryLevel: level, StrictFormats: s.StrictFormats.V, StrictOutputs: s.StrictOutputs.V, MaxResult: s.MaxResult.V, MaxArguments: s.MaxArguments.V, ClientRules: s.ClientRules.V,
		StrictIntent: s.Intent.V == "strict", OthersApprove: s.Approvers.V == "other",
	}, nil
}

func (o Options) inputRules(s config.Settings) (input.Rules, error) {
	if o.InputRules == nil {
		return config.LoadRules(s.Rules)
	}
	return config.ParseRules(o.InputRules)
}

func (o Options) callRules(s config.Settings) (rule.Policy, error) {
	if o.CallRules == nil {
		return config.LoadPolicy(s.Policy)
	}
	names := map[string]bool{}
	for _, f := range o.CallRules {
		if f.Name == "" || names[f.Name] {
			return rule.Policy{}, verdict.Fail(verdict.ConfigInvalid, nil, "two policies have the name %.80q, or one has none", f.Name)
		}
		names[f.Name] = true
	}
	return config.ParsePolicy(o.CallRules)
}
