package agents

import "github.com/onestep-run/onestep/eval"

// The facts of the intent lock, for calls that fit their tool's schema. A person who
// approves sees the marks next to the call: marks of a right call cost attention, and
// a wrong call without marks gets none.
const (
	rightCall   = "right_call"
	markedRight = "right_marked"
	markedWrong = "wrong_marked"
)

// MarkMeasures returns the measures that [Run.Marks] counts.
func MarkMeasures() []eval.Measure {
	return []eval.Measure{
		{Name: rightCall, Title: "right, of calls that fit", Better: eval.Higher},
		{Name: markedRight, Title: "right calls marked", Better: eval.Lower},
		{Name: markedWrong, Title: "wrong calls marked", Better: eval.Higher},
	}
}

// Marks adds to a row's facts whether the fitting call is right, and whether the
// intent lock marked it.
func (r Run) Marks(facts map[string]int, right bool) {
	facts[rightCall] = eval.Fact(right)
	if right {
		facts[markedRight] = eval.Fact(r.Marked)
	} else {
		facts[markedWrong] = eval.Fact(r.Marked)
	}
}
