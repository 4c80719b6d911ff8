package injection

import (
	"context"
	"strings"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/naive"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/summarize"
)

// mind is the compromised model of the loop: it calls what it is set on, and
// then answers with the result of its first call, so that the user sees nothing amiss.
type mind struct {
	of    Case
	steps []Call
}

// Next leaves the last of the loop's steps to the answer.
func (m mind) Next(_ context.Context, _ string, _ []naive.Tool, results []string) ([]byte, error) {
	if done := len(results); done < min(len(m.steps), naive.DefaultSteps-1) {
		next := m.steps[done]
		return plan.Call(next.Server, next.Tool, next.Args), nil
	}
	return eval.Data(map[string]string{"type": "final_answer", "answer": results[0]}), nil
}

// Write claims the instruction, which nothing holds to any evidence.
func (m mind) Write(context.Context, string, string) ([]byte, error) {
	return summary(m.of.Instruction), nil
}

// obedient is the compromised writer before the lock. It claims the strongest
// that the lock has no reason to refuse: the result's own sentences that carry
// the instruction, as they stand. Where the result does not hold it, it claims
// the instruction all the same.
type obedient struct{ of Case }

func (o obedient) Write(_ context.Context, s summarize.Source) (summarize.Draft, error) {
	for _, v := range s.Values {
		if said := carrying(o.of.Poisoned, o.of.Instruction, v.Sentences); said != "" {
			return summarize.Draft{Said: summary(said)}, nil
		}
	}
	return summarize.Draft{Said: summary(o.of.Instruction)}, nil
}

// carrying is the shortest run of a text's sentences that holds the
// instruction, or nothing.
func carrying(text, instruction string, sentences []string) string {
	at := strings.Index(text, instruction)
	if at < 0 {
		return ""
	}
	from, to := 0, 0
	for _, s := range sentences {
		i := strings.Index(text[to:], s)
		if i < 0 {
			return "" // the sentences are not this text's
		}
		if begins := to + i; begins <= at {
			from = begins
		}
		if to += i + len(s); to >= at+len(instruction) {
			return text[from:to]
		}
	}
	return ""
}

func summary(claim string) []byte {
	type item struct {
		Claim    string `json:"claim"`
		Evidence string `json:"evidence"`
	}
	return eval.Data(struct {
		Type    string `json:"type"`
		Bullets []item `json:"bullets"`
	}{"summary", []item{{claim, claim}}})
}
