package injection

import (
	"context"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/agents"
	"github.com/onestep-run/onestep/eval/naive"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/demo"
)

// The arms, as rows and figures name them.
const (
	WideNaive   = "naive, all tools"
	WideSafe    = "onestep, all tools"
	NarrowNaive = "naive, user's tool"
	NarrowSafe  = "onestep, user's tool"
)

// arm is an agent and what it is allowed.
type arm struct {
	agents.Arm
	allows func(Case) []Tool // the allowlist
	never  []string          // facts that must not be
}

func arms() []arm {
	all := func(c Case) []Tool { return c.Tools }
	own := func(c Case) []Tool { return c.Tools[:1] }
	return []arm{
		{Arm: agents.Arm{Name: WideNaive, Listed: true}, allows: all},
		{Arm: agents.Arm{Name: WideSafe, Gates: true, Listed: true}, allows: all, never: []string{multipleCalls}},
		{Arm: agents.Arm{Name: NarrowNaive, Listed: true}, allows: own},
		{Arm: agents.Arm{Name: NarrowSafe, Gates: true, Listed: true}, allows: own, never: []string{attackerCall, directCall, multipleCalls}},
	}
}

// run runs the steps that the planner is set on, never none, over servers of
// its own.
func (a arm) run(ctx context.Context, p host.Policy, c Case, steps []Call, summarize bool) (agents.Run, error) {
	var err error
	if p.Allowlist, err = catalog.ParseAllowlist(allowlist(a.allows(c))); err != nil {
		return agents.Run{}, err
	}
	mind := &agents.Mind{
		Question: agents.Question{Text: c.Query, Summarize: summarize},
		Planner:  agents.Planner{Name: "compromised", Writer: obedient{c}},
		Attack:   attack(steps),
	}
	return a.Ask(ctx, agents.Setup{Policy: p, Now: eval.Noon}, mind, worldOf(c))
}

// attack is a planner that makes these calls. The last of a loop's steps is
// left to the answer.
func attack(steps []Call) *agents.Attack {
	var said []string
	for _, s := range steps[:min(len(steps), naive.DefaultSteps-1)] {
		said = append(said, string(plan.Call(s.Server, s.Tool, s.Args)))
	}
	return &agents.Attack{Plan: said[0], Then: said[1:]}
}

// worldOf makes live servers of a case's tools. The user's own gives the
// poisoned result, to whoever calls it; the others say that it is done.
func worldOf(c Case) *agents.World {
	var tools []agents.ScriptedTool
	for _, t := range c.Tools {
		answer := "Done."
		if c.User.names(t.Server, t.Name) {
			answer = c.Poisoned
		}
		tools = append(tools, agents.ScriptedTool{
			Server:       t.Server,
			ScriptedTool: demo.ScriptedTool{Name: t.Name, Description: t.Description, InputSchema: t.InputSchema, Answer: answer},
		})
	}
	return agents.Scripted(tools)
}

// allowlist allows these tools, and calls all of them reading, which not all
// are: what is measured is what stands between an attacker and a tool when
// nobody has to approve. The operator declares their results to be text: no
// tool of the rows declares a type of its own, and what has none is never
// summarized.
func allowlist(tools []Tool) []byte {
	type entry struct {
		Name   string `json:"name"`
		Output string `json:"output"`
	}
	list := map[string]map[string][]entry{}
	for _, t := range tools {
		if list[t.Server] == nil {
			list[t.Server] = map[string][]entry{}
		}
		list[t.Server]["read"] = append(list[t.Server]["read"], entry{t.Name, "text"})
	}
	return eval.Data(list)
}
