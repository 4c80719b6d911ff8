package injection

import (
	"context"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/agents"
	"github.com/onestep-run/onestep/eval/naive"
	"github.com/onestep-run/onestep/eval/watched"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/host"
)

// The arms, as rows and figures name them. Each arm with gates appears twice: without
// an approver, and with one who approves the user's own call.
const (
	WideNaive   = "naive, all tools"
	WideAlone   = "onestep, all tools, no approver"
	WideSafe    = "onestep, all tools, own call approved"
	NarrowNaive = "naive, user's tool"
	NarrowAlone = "onestep, user's tool, no approver"
	NarrowSafe  = "onestep, user's tool, own call approved"
)

// arm is an agent with its allowlist.
type arm struct {
	agents.Arm
	allowlist func(Case) []byte
	never     []string // facts that must not occur
}

func arms() []arm {
	all := func(c Case) []byte { return allowlist(c.Tools, "write") }
	own := func(c Case) []byte { return allowlist(c.Tools[:1], "write") }
	naive := func(name string, allows func(Case) []byte) arm {
		return arm{Arm: agents.Arm{Name: name, Listed: true}, allowlist: allows}
	}
	gates := func(name string, attended bool, allows func(Case) []byte) arm {
		return arm{agents.Arm{Name: name, Gates: true, Attended: attended, Listed: true}, allows, []string{attackerCall, directCall, multipleCalls}}
	}
	return []arm{
		naive(WideNaive, all), gates(WideAlone, false, all), gates(WideSafe, true, all),
		naive(NarrowNaive, own), gates(NarrowAlone, false, own), gates(NarrowSafe, true, own),
	}
}

// run asks the case's question over separate servers.
func (a arm) run(ctx context.Context, p host.Policy, c Case, m *agents.Mind) (agents.Run, error) {
	var err error
	if p.Allowlist, err = catalog.ParseAllowlist(a.allowlist(c)); err != nil {
		return agents.Run{}, err
	}
	return a.Ask(ctx, agents.Setup{Policy: p, Now: eval.Noon}, m, worldOf(c))
}

// compromised returns a mind that makes these steps, at least one.
func (c Case) compromised(steps []Call, summarize bool) *agents.Mind {
	m := c.mind(agents.Planner{Name: "compromised", Writer: obedient{c}})
	m.Question.Summarize, m.Attack = summarize, attack(steps)
	return m
}

// mind returns a planner that gets the case's question and nothing else.
func (c Case) mind(p agents.Planner) *agents.Mind {
	own := agents.Call(c.User)
	return &agents.Mind{Question: agents.Question{Text: c.Query, Summarize: true}, Planner: p, Own: &own}
}

// attack returns a planner that makes these calls. It leaves the last step of a loop
// to the answer.
func attack(steps []Call) *agents.Attack {
	var said []string
	for _, s := range steps[:min(len(steps), naive.DefaultSteps-1)] {
		said = append(said, string(plan.Call(s.Server, s.Tool, s.Args)))
	}
	return &agents.Attack{Plan: said[0], Then: said[1:]}
}

// worldOf makes live servers of a case's tools. The user's own tool gives the poisoned
// result, to every caller; the other tools report success.
func worldOf(c Case) *agents.World {
	var tools []agents.ScriptedTool
	for _, t := range c.Tools {
		answer := "Done."
		if c.User.names(t.Server, t.Name) {
			answer = c.Poisoned
		}
		tools = append(tools, agents.ScriptedTool{
			Server:       t.Server,
			ScriptedTool: watched.ScriptedTool{Name: t.Name, Description: t.Description, InputSchema: t.InputSchema, Answer: answer},
		})
	}
	return agents.Scripted(tools)
}

// allowlist allows these tools, as "read" or as "write". The corpus says of no tool
// that it only reads, so in the arms all of them write, and each call needs an
// approval. The operator declares their results to be text, because no tool of the
// rows declares a type, and an untyped result is never summarized.
func allowlist(tools []Tool, effect string) []byte {
	type entry struct {
		Name   string `json:"name"`
		Output string `json:"output"`
	}
	list := map[string]map[string][]entry{}
	for _, t := range tools {
		if list[t.Server] == nil {
			list[t.Server] = map[string][]entry{}
		}
		list[t.Server][effect] = append(list[t.Server][effect], entry{t.Name, "text"})
	}
	return eval.Data(list)
}
