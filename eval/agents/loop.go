package agents

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/onestep-run/onestep/eval/naive"
)

// askLoop asks without gates. An unknown server ends the case; a server's error does
// not.
func (a Arm) askLoop(ctx context.Context, s Setup, m *Mind, w *World) (Run, error) {
	mind, clicks := &brain{mind: m, setup: s, world: w}, 0
	agent := naive.Agent{Servers: w.Names(), Connect: naive.Dial(w.Servers), Brain: mind, Steps: a.Steps}
	if a.Clicks {
		agent.Approve = func(server, tool string) bool {
			if s.Policy.Allowlist.Effect(server, tool).Reads {
				return true
			}
			clicks++
			return server+"/"+tool == m.Needs
		}
	}
	if a.Listed {
		agent.Allow = func(server, tool string) bool { return slices.Contains(s.Policy.Allowlist.Tools(server), tool) }
	}
	question := m.Question.Text
	if m.Question.Context != "" {
		question += "\n\n" + m.Question.Context
	}
	began := time.Now()
	run, err := agent.Run(ctx, question, m.Question.Summarize)
	r := Run{Type: "no answer", Asks: run.Asks != "", Claims: slices.DeleteFunc(run.Claims, repeats(run)), Elapsed: time.Since(began), Asked: clicks, Tokens: mind.tokens}
	switch {
	case run.Answer != "":
		r.Type, r.Result, r.Shown = "answer", !failed(run), []string{run.Answer}
		if r.Result { // a server's or the loop's report of a failure is not the agent's own answer
			r.Answer = run.Answer
		}
	case r.Asks:
		r.Type = "asks"
	}
	r.Shown = append(r.Shown, r.Claims...)
	return r, err
}

// failed reports whether the answer is only the text of a failed call or of an
// unreadable step.
func failed(run naive.Run) bool {
	return slices.Contains(run.Unread, run.Answer) ||
		slices.ContainsFunc(run.Calls, func(c naive.Call) bool { return c.Failed && c.Result == run.Answer })
}

// repeats reports whether a claim is only the text of a failed call. Then the text
// comes from the loop or a server, and claims nothing.
func repeats(run naive.Run) func(claim string) bool {
	return func(claim string) bool {
		return slices.ContainsFunc(run.Calls, func(c naive.Call) bool { return c.Failed && strings.Contains(c.Result, claim) })
	}
}
