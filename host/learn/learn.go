// Package learn finds out what a server needs, by running it confined and
// watching what it is refused.
//
// It vouches that the server never runs unconfined; that while it is watched it
// writes nowhere but in a private HOME and TMPDIR, which are removed, and has no
// network, unless the operator granted such scopes at the outset ([Options].From)
// or has them take effect ([Options].Effective); that of the calls only those that
// the operator calls reading are repeated; and that each call goes through the
// gates, with a trace, the others after an approval each.
//
// It does not vouch that a manifest is complete: what no call made the server
// attempt is not in it, and what a refused attempt would have led to shows in the
// next run only. A variable that is read shows nowhere: all that the operator hands
// over count as needed. Where secrets usually are is never granted from an attempt
// (see [Result].Withheld).
//
// cmd/ask and eval/manifest call it.
package learn

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/confine"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/summarize"
)

// Call is one call that the server is asked for. The operator says which are
// reading: those are repeated.
type Call struct {
	Tool      string
	Arguments jsontext.Value // an object; nil is an empty one
	Reading   bool
}

// Options say what is watched, and how. Program, Policy and Traces are needed.
type Options struct {
	Name      string            // of the server, for traces and approvals; "" is "server"
	Program   confine.Program   // its directory is not used: it works in its private HOME
	Env       map[string]string // all that it is given; each name becomes an envVar
	Calls     []Call
	From      confine.Manifest     // what is granted at the outset; without a description it gets Manifest's
	Effective []confine.Permission // which attempts take effect in the next round; nil is reading files alone
	Policy    host.Policy          // of the calls; its allowlist is made of Calls
	Traces    host.Traces
	Approver  host.Approver // of calls that are not reading; nil approves none
	Limits    session.Limits
	Now       func() time.Time // nil is the system's
}

// Result is what was learned.
type Result struct {
	Manifest confine.Manifest  // with scopes
	Attempts []confine.Attempt // all of them, each once, in the order in which they came
	Withheld []confine.Attempt // those that are in no scope: where secrets are, or what nothing allows
	Answers  []Answer          // of the last time that each call was made
	Rounds   int
}

// Answer is what came of a call.
type Answer struct {
	Tool   string       `json:"tool"`
	Type   string       `json:"type"`
	Code   verdict.Code `json:"code,omitempty"`
	Result string       `json:"-"` // strangers' text
}

// maxRounds bounds how often the server is started: one that attempts something
// else each time would never end.
const maxRounds = 16

// Learn watches a server. The result is of use next to an error, too: it holds
// what was learned until then.
func Learn(ctx context.Context, o Options) (Result, error) {
	if o.Name == "" {
		o.Name = "server"
	}
	if o.Effective == nil {
		o.Effective = []confine.Permission{confine.FilesRead}
	}
	l := &learner{Options: o, seen: map[string]bool{}, permissions: slices.Clone(o.From.Permissions)}
	l.program = confine.Program{Path: o.Program.Path, Args: o.Program.Args, Tree: o.Program.Tree}
	if o.From.Scopes != nil {
		l.scopes, l.effective = *o.From.Scopes, *o.From.Scopes
	}
	for _, name := range slices.Sorted(maps.Keys(o.Env)) {
		l.grant(confine.EnvRead, name, true)
	}
	err := l.learn(ctx)
	for _, paths := range []*[]string{&l.scopes.ReadPaths, &l.scopes.WritePaths, &l.scopes.DeletePaths} {
		*paths = uncovered(*paths)
	}
	l.Manifest = l.manifest(l.scopes)
	return l.Result, err
}

// learner is one run of Learn.
type learner struct {
	Options
	Result
	program confine.Program

	permissions []confine.Permission
	scopes      confine.Scopes // what the manifest will have
	effective   confine.Scopes // what the server runs under
	seen        map[string]bool
	mu          sync.Mutex
}

// learn has the reading calls made until nothing new is attempted, and then the
// others, once. A server that does not start may do so in the next round.
func (l *learner) learn(ctx context.Context) error {
	reading, others := l.parted()
	for l.Rounds < maxRounds {
		more, err := l.round(ctx, reading, nil)
		if err != nil && !more {
			return err
		}
		if !more {
			break
		}
	}
	if len(others) == 0 {
		return nil
	}
	_, err := l.round(ctx, others, l.Approver)
	return err
}

// parted are the calls that are repeated and those that are not. A tool is reading
// where every call of it is.
func (l *learner) parted() (reading, others []Call) {
	changes := l.changes()
	for _, c := range l.Calls {
		if changes[c.Tool] {
			others = append(others, c)
		} else {
			reading = append(reading, c)
		}
	}
	return reading, others
}

// changes are the tools that are called, and whether each may change something.
func (l *learner) changes() map[string]bool {
	changes := map[string]bool{}
	for _, c := range l.Calls {
		changes[c.Tool] = changes[c.Tool] || !c.Reading
	}
	return changes
}

// manifest asks for what was attempted or is granted.
func (l *learner) manifest(s confine.Scopes) confine.Manifest {
	m := confine.Manifest{Description: l.From.Description, Permissions: l.permissions, Scopes: &s}
	if m.Description == "" {
		m.Description = "learned from calls of " + l.Name
	}
	return m
}

// round starts the server, makes the calls, and ends it. It reports whether the
// next round would run under more.
func (l *learner) round(ctx context.Context, calls []Call, who host.Approver) (more bool, err error) {
	l.Rounds++
	policy, err := confine.Resolve(l.manifest(l.effective), l.effective, l.program)
	if err != nil {
		return false, err
	}
	var attempts []confine.Attempt
	pool := session.New([]session.Server{{
		Name: l.Name, Command: l.program.Path, Args: l.program.Args, Env: l.Env, Confine: policy.Learning(),
		Refused: func(a confine.Attempt) {
			l.mu.Lock()
			defer l.mu.Unlock()
			attempts = append(attempts, a)
		},
	}}, l.Limits)
	err = l.ask(ctx, pool, calls, who)
	err = errors.Join(err, pool.Close())
	for _, a := range attempts {
		if l.take(a) {
			more = true
		}
	}
	return more, err
}

// ask makes the calls, each as a question of its own. That one fails is to be
// expected of a server that is refused something. That one does not leave is an
// error.
func (l *learner) ask(ctx context.Context, pool *session.Pool, calls []Call, who host.Approver) error {
	if len(calls) == 0 {
		return pool.Discover(ctx, "", []string{l.Name})[0].Err
	}
	policy := l.Policy
	var err error
	if policy.Allowlist, err = l.allowlist(); err != nil {
		return err
	}
	h, err := host.New(host.Config{
		Policy: policy, Source: pool, Caller: pool, Proposer: silent{}, Planner: "none", Writer: summarize.Extractive{},
		Traces: l.Traces, Approver: who, Now: l.Now,
	})
	if err != nil {
		return err
	}
	var left error
	for _, c := range calls {
		arguments := c.Arguments
		if arguments == nil {
			arguments = jsontext.Value("{}")
		}
		out := h.Ask(ctx, host.Question{Plan: plan.Call(l.Name, c.Tool, arguments), Summarize: new(bool)})
		a := Answer{Tool: c.Tool, Type: out.Type.String(), Result: string(out.Result)}
		if out.Error != nil {
			a.Code = out.Error.Code
		}
		l.answered(a)
		if out.Error != nil && out.Call == host.None && left == nil {
			left = verdict.Fail(out.Error.Code, nil, "%s: %s", c.Tool, out.Error.Message)
		}
	}
	return errors.Join(left, ctx.Err())
}

// answered keeps the newest answer of each call: reading calls are made in each
// round, in the same order, and before the others.
func (l *learner) answered(a Answer) {
	if len(l.Answers) == len(l.Calls) {
		l.Answers = nil
	}
	l.Answers = append(l.Answers, a)
}

// allowlist allows the tools that are called, as the operator calls them.
func (l *learner) allowlist() (catalog.Allowlist, error) {
	changes := l.changes()
	list := map[string][]string{"read": {}, "write": {}}
	for _, tool := range slices.Sorted(maps.Keys(changes)) {
		kind := "read"
		if changes[tool] {
			kind = "write"
		}
		list[kind] = append(list[kind], tool)
	}
	b, err := json.Marshal(map[string]any{l.Name: list}, json.Deterministic(true))
	if err != nil {
		return catalog.Allowlist{}, err
	}
	return catalog.ParseAllowlist(b)
}

// silent proposes nothing: every question has its plan.
type silent struct{}

func (silent) Propose(context.Context, input.Query, catalog.Catalog) (planner.Proposal, error) {
	return planner.Proposal{Said: plan.Decline("nothing is planned here")}, nil
}
