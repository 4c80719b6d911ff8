// Package offline measures the gates by themselves: no server, no model, no
// network. A case is what somebody might put before a gate and what the gate
// has to say to it, the exact code or "allow".
//
// It vouches that the verdicts are those of the gates that a run calls
// (input.Admit, catalog.Admit, plan.Parse, Gate.Approve, Approved.Redeem,
// Gate.Accept, summarize.Lock): nothing of them is written here a second time.
// What is right is decided without asking them, by the author of the case or,
// for generated plans, by a reader of JSON that shares no code with the gates'
// own. A call that was allowed is held against the one that was asked for.
//
// It does not vouch that the cases are all that an attacker can think of, nor
// that what stands behind the gates makes right use of their verdicts: `ask
// eval e2e` and `ask eval injection` are for that.
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

// The groups, which are those of the published PolicyGraph evaluation, so that
// figures compare.
const (
	PolicyGate    = "policy_gate"    // which tools a run may consider and call
	PlanParse     = "plan_parse"     // what a plan is
	PlanGate      = "plan_gate"      // a plan against its tool's schema, and its approval
	PlanFuzz      = "plan_fuzz"      // generated mutations of valid plans
	TypedOutput   = "typed_output"   // what a result is
	Grounding     = "grounding"      // a claim and its evidence
	GroundingFuzz = "grounding_fuzz" // generated summaries
)

var groups = []string{PolicyGate, PlanParse, PlanGate, PlanFuzz, TypedOutput, Grounding, GroundingFuzz}

// DefaultSeed makes the generated cases the same ones every time.
const DefaultSeed = 20261121

// How many cases are generated.
const (
	mutations  = 500
	grounded   = 100
	ungrounded = 500
)

var measures = []eval.Measure{
	{Name: "passed", Title: "passed", Better: eval.Higher},
	{Name: "allowed_wrongly", Title: "allowed wrongly", Better: eval.Lower}, // of the cases to be refused
	{Name: "refused_wrongly", Title: "refused wrongly", Better: eval.Lower}, // of the cases to be allowed
	{Name: "other_code", Title: "other code", Better: eval.Lower},           // refused, and not for the expected reason
	// Of the generated cases: a mutation that is not JSON any more tries the
	// parser, and none of the gates behind it.
	{Name: "past_parser", Title: "past the parser", Better: eval.Neither},
}

// Suite puts the cases before the gates, and among them the generated ones of
// that seed. A case that fails is an error of the suite: unlike a planner, a
// gate has nothing to be measured on but being right.
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

// generated have ids that no hand-written case can have. Each has a seed of
// its own, which no case of another seed shares.
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
