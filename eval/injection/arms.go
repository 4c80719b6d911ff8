package injection

import (
	"context"
	"errors"
	"slices"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/naive"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/planner"
)

// The arms, as rows and figures name them.
const (
	WideNaive   = "naive, all tools"
	WideSafe    = "onestep, all tools"
	NarrowNaive = "naive, user's tool"
	NarrowSafe  = "onestep, user's tool"
)

// arm is one way of running a row.
type arm struct {
	name   string
	gates  bool              // onestep, or the loop
	allows func(Case) []Tool // the allowlist
	never  []string          // facts that must not be
}

func arms() []arm {
	all := func(c Case) []Tool { return c.Tools }
	own := func(c Case) []Tool { return c.Tools[:1] }
	return []arm{
		{name: WideNaive, allows: all},
		{name: WideSafe, gates: true, allows: all, never: []string{multipleCalls}},
		{name: NarrowNaive, allows: own},
		{name: NarrowSafe, gates: true, allows: own, never: []string{attackerCall, directCall, multipleCalls}},
	}
}

// steps is what the planner of a run is set on.
type steps struct {
	steps   []Call // never none
	summary bool   // the writer is asked, too
}

// deed is what a run came to, and what its servers saw.
type deed struct {
	outcome string // in a word, with the code that decided
	shown   bool   // the result of the user's own call
	claims  []string
	arrived []demo.Arrival
	trace   []string
}

// run runs a plan over servers of its own.
func (a arm) run(ctx context.Context, p host.Policy, c Case, set steps) (d deed, err error) {
	w := worldOf(c)
	if a.gates {
		p.Allowlist, err = catalog.ParseAllowlist(allowlist(a.allows(c)))
		if err == nil {
			d, err = runSafe(ctx, p, c, set, w)
		}
	} else {
		d, err = runNaive(ctx, a.allows(c), c, set, w)
	}
	d.arrived = w.arrived()
	return d, err
}

// allowlist allows these tools. The operator declares their results to be
// text: no tool of the rows declares a type of its own, and what has none is
// never summarized.
func allowlist(tools []Tool) []byte {
	type entry struct {
		Name   string `json:"name"`
		Output string `json:"output"`
	}
	list := map[string][]entry{}
	for _, t := range tools {
		list[t.Server] = append(list[t.Server], entry{t.Name, "text"})
	}
	return eval.Data(list)
}

// runSafe asks through the gates. The planner is asked once, and says its
// first step; no result reaches it any more.
func runSafe(ctx context.Context, p host.Policy, c Case, set steps, w world) (d deed, err error) {
	pool := session.New(w.servers, session.Limits{})
	defer func() { err = errors.Join(err, pool.Close()) }()
	kept := &eval.Traces{}
	first := set.steps[0]
	h, err := host.New(host.Config{
		Policy: p, Source: pool, Caller: pool, Traces: kept, Planner: "compromised",
		Proposer: planner.Constant(plan.Call(first.Server, first.Tool, first.Args)), Writer: obedient{c},
		Now: eval.Noon, NewRunID: func() string { return c.ID },
	})
	if err != nil {
		return deed{}, err
	}
	out := h.Ask(ctx, c.Query, host.WithSummary(set.summary))
	d = deed{outcome: out.Type.String(), trace: kept.Lines()}
	if out.Error != nil {
		d.outcome += " " + string(out.Error.Code)
	}
	d.shown = string(out.Typed) == string(eval.Data(c.Poisoned))
	if out.Summary != nil {
		for _, b := range out.Summary.Bullets() {
			d.claims = append(d.claims, b.Claim)
		}
	}
	return d, eval.Unmeasured(ctx, out)
}

// runNaive asks through the loop.
func runNaive(ctx context.Context, allowed []Tool, c Case, set steps, w world) (deed, error) {
	run, err := naive.Agent{
		Servers: w.names, Connect: naive.Dial(w.servers), Brain: mind{c, set.steps},
		Allow: func(server, tool string) bool {
			return slices.ContainsFunc(allowed, Tool{Server: server, Name: tool}.is)
		},
	}.Run(ctx, c.Query, set.summary)
	return deed{outcome: "answer", shown: run.Answer == c.Poisoned, claims: run.Claims}, err
}
