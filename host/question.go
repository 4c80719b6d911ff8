package host

import (
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Question is one question, and all that its asker says of it.
type Question struct {
	Text string
	// Context is a second, labelled text. Arguments may be taken from it; the
	// choice of a tool is not.
	Context string
	// Subject names who asks, for the trace. "" is nobody in particular.
	Subject string
	// Summarize says whether the result is to be summarized.
	Summarize Wish
	// DryRun stops before the call: the outcome holds the plan and the verdicts.
	DryRun bool
	// Plan is a plan that the asker brought along, or nil: no planner is asked,
	// and no server but the plan's. The gates are the same. Text may be left out
	// then; the text of the arguments passes the input gate either way.
	Plan []byte
	// Approval is a pending approval that is brought along, or nil. A plan never
	// approves anything, and neither does an approval of another call.
	Approval *Binding
	// Only limits the question to one tool, "server/tool", of those that the
	// operator allows. It takes the others away, and approves nothing. "" takes
	// none away.
	Only string
	// Follows is the run that asked for more, where the question answers one. It
	// is recorded, and decides nothing.
	Follows *Run
	// Answer is the end of Text that was typed in answer; see [Question.Follow].
	// A planner may take it for the value that it asked for.
	Answer string
}

// Wish is a yes or a no that need not be given. Its zero value leaves it to the
// words of the question.
type Wish int

// The wishes.
const (
	AsWorded Wish = iota
	Yes
	No
)

// maxSubject bounds the name of who asks, in bytes.
const maxSubject = 256

// check refuses what no gate reads.
func (q Question) check() error {
	if len(q.Subject) > maxSubject || guard.Line(q.Subject, maxSubject) != q.Subject {
		return verdict.Fail(verdict.UsageArgument, nil, "the subject is not one line of visible text of at most %d bytes", maxSubject)
	}
	return q.checkFollow()
}

// brought is the plan that came with the question. One that calls nothing is
// of no use to anybody.
func (q Question) brought() (plan.Plan, error) {
	p, err := plan.Parse(q.Plan)
	if err == nil && p.Declines() {
		err = verdict.Deny(verdict.PlanShape, "the plan that came with the question calls no tool")
	}
	return p, err
}

// asked is what the input gate reads. Of a plan that came with the question it
// is every text in the arguments, member names too, without JSON's escapes.
func (q Question) asked(brought plan.Plan) input.Asked {
	a := input.Asked{Words: q.Text, Context: q.Context, Answer: q.Answer}
	if brought.Declines() {
		return a
	}
	a.Arguments = []string{}
	for leaf := range schema.Leaves(brought.Args()) {
		if leaf.Name || leaf.Kind == '"' {
			a.Arguments = append(a.Arguments, leaf.Text)
		}
	}
	return a
}

// WishOf is the wish that a setting or a record states; nil states none.
func WishOf(yes *bool) Wish {
	switch {
	case yes == nil:
		return AsWorded
	case *yes:
		return Yes
	}
	return No
}

// record is the wish as a trace holds it.
func (w Wish) record() *bool {
	if w == AsWorded {
		return nil
	}
	yes := w == Yes
	return &yes
}
