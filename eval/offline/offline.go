// Package offline measures the gates by themselves, without a server, a model or a
// network. A case is an input to a gate and the required answer: the exact code or
// "allow".
//
// It vouches that the verdicts come from the gates that a run calls (input.Admit,
// catalog.Admit, plan.Parse, Gate.Approve, Approved.Redeem, Gate.Accept,
// summarize.Lock), not from a copy of them. The right answer comes from the author of
// the case or, for generated plans, from a reader of JSON that shares no code with the
// gates. An allowed call is compared with the requested one.
//
// It does not vouch that the cases are all that an attacker can think of, nor that the
// code behind the gates uses their verdicts correctly: `ask eval e2e` and `ask eval
// injection` check that.
//
// `ask eval offline` calls it.
package offline

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/onestep-run/onestep/eval"
)

// The groups. They are those of the published PolicyGraph evaluation, so that figures
// can be compared.
const (
	PolicyGate    = "policy_gate"    // the tools that a run may consider and call
	PlanParse     = "plan_parse"     // the form of a plan
	PlanGate      = "plan_gate"      // a plan, its tool's schema, and its approval
	PlanFuzz      = "plan_fuzz"      // generated mutations of valid plans
	TypedOutput   = "typed_output"   // the form of a result
	Grounding     = "grounding"      // a claim and its evidence
	GroundingFuzz = "grounding_fuzz" // generated summaries
)

var groups = []string{PolicyGate, PlanParse, PlanGate, PlanFuzz, TypedOutput, Grounding, GroundingFuzz}

// DefaultSeed makes the generated cases the same every time.
const DefaultSeed = 20261121

// The numbers of generated cases.
const (
	mutations  = 500
	grounded   = 100
	ungrounded = 500
)

var measures = []eval.Measure{
	{Name: "passed", Title: "passed", Better: eval.Higher},
	{Name: "allowed_wrongly", Title: "allowed wrongly", Better: eval.Lower}, // of the cases that must be refused
	{Name: "refused_wrongly", Title: "refused wrongly", Better: eval.Lower}, // of the cases that must be allowed
	{Name: "other_code", Title: "other code", Better: eval.Lower},           // refused for another reason than expected
	// Of the generated cases. A mutation that is no longer JSON tests the parser, and
	// no gate behind it.
	{Name: "past_parser", Title: "past the parser", Better: eval.Neither},
}

// Suite puts the cases before the gates, together with the generated cases of that
// seed. A failed case is an error of the suite, because a gate, unlike a planner, must
// always be right.
func Suite(cases []Case, subject string, seed uint32) eval.Suite {
	s := eval.Suite{
		Chosen: true,
		Name:   "offline", Subject: subject, Seed: strconv.FormatUint(uint64(seed), 10), Measures: measures, Finish: finish,
	}
	all := slices.Concat(generated(seed), cases)
	slices.SortStableFunc(all, func(a, b Case) int { return slices.Index(groups, a.Group) - slices.Index(groups, b.Group) })
	var lines [][]byte
	for _, c := range all {
		s.IDs, lines = append(s.IDs, c.ID), append(lines, []byte(c.line))
	}
	s.Digest = eval.Digest(lines)
	s.Observe = func(_ context.Context, i int) ([]eval.Row, error) { return []eval.Row{all[i].row()}, nil }
	return s
}

// generated returns cases with ids that no hand-written case can have. Each has a
// separate seed, which no case has under another seed of the suite.
func generated(seed uint32) []Case {
	var all []Case
	add := func(n int, group, kind string, from func(seed int) Case) {
		for i := range n {
			own := int(seed)*10_000 + len(all)
			c := from(own)
			c.ID = fmt.Sprintf("%s%s/%03d", group, kind, i+1)
			all = append(all, c)
		}
	}
	add(mutations, PlanFuzz, "", mutatedPlan)
	add(grounded, GroundingFuzz, "/valid", groundedSummary)
	add(ungrounded, GroundingFuzz, "/invalid", ungroundedSummary)
	return all
}
