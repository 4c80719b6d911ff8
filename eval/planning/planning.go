// Package planning measures planners: how often one chooses the right tool
// and arguments, and declines rightly.
//
// It vouches that what is right is decided by comparing, with no repair and no
// benefit of the doubt, and that plans are parsed as a run would parse them.
// None is approved, and no tool is called: the tools of a case are descriptors
// without a server. `ask eval planner` calls it, and so do the tests that hold
// the embedded planner's figures.
package planning

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/planner"
)

// Proposer is what is measured. A host's proposer is one.
type Proposer interface {
	Propose(ctx context.Context, q input.Query, c catalog.Catalog) (planner.Proposal, error)
}

// measures are of the rows that have an answer, those that were declined
// included; of the rows that have none; and of all rows.
var measures = []eval.Measure{
	{Name: "tool_right", Title: "tool right", Better: eval.Higher},
	{Name: "called_right", Title: "tool right, of calls", Better: eval.Higher}, // of those that were not declined
	{Name: "call_exact", Title: "call exact", Better: eval.Higher},             // the tool, every argument acceptable, none extra
	{Name: "declined_wrongly", Title: "declined wrongly", Better: eval.Lower},
	{Name: "declined_rightly", Title: "declined rightly", Better: eval.Higher},
	{Name: "unusable", Title: "no plan", Better: eval.Lower},
}

// Suite asks a planner for a plan of every case. It may be asked for several
// at a time.
func Suite(cases []Case, subject string, p Proposer) eval.Suite {
	s := eval.Suite{
		Name: "planner", Subject: subject, Digest: eval.Digest(cases), Policy: eval.Digest(subject), Measures: measures, Finish: noteExcluded,
		Observe: func(ctx context.Context, i int) ([]eval.Row, error) { return observe(ctx, cases[i], p) },
	}
	for _, c := range cases {
		s.IDs = append(s.IDs, c.ID)
	}
	return s
}

// kept is what a row keeps of a plan.
type kept struct {
	Plan     jsontext.Value `json:"plan,omitzero"`
	Excluded []string       `json:"excluded,omitzero"` // tools that no run could call, and why
}

func observe(ctx context.Context, c Case, p Proposer) ([]eval.Row, error) {
	q, err := c.question()
	if err != nil {
		return nil, err
	}
	tools, err := c.Catalog()
	if err != nil {
		return nil, err
	}
	data := kept{}
	for _, e := range tools.Excluded() {
		data.Excluded = append(data.Excluded, e.Server+"/"+e.Name+": "+e.Denial.Error())
	}
	row := eval.Row{ID: c.ID, Group: c.Source, Half: eval.TensHalf(c.ID), Query: c.Query, Expected: string(eval.Data(c.Expect))}
	said, err := p.Propose(ctx, q, tools)
	var proposed plan.Plan
	if err == nil {
		proposed, err = plan.Parse(said.Said)
	}
	observed := Unusable
	switch {
	case err == nil:
		observed, data.Plan = c.Judge(proposed), said.Said
	case !answered(err):
		return nil, err
	default:
		row.Detail = err.Error()
	}
	row.Observed, row.Passed, row.Facts, row.Data = string(observed), c.right(observed), c.facts(observed), eval.Data(data)
	row.Facts[excluded] = len(data.Excluded)
	return []eval.Row{row}, nil
}

func (c Case) right(o Observed) bool { return o == Exact || o == Declined && c.Expect.Abstain }

func (c Case) facts(o Observed) map[string]int {
	unusable := eval.Fact(o == Unusable)
	if c.Expect.Abstain {
		return map[string]int{"declined_rightly": eval.Fact(o == Declined), "unusable": unusable}
	}
	facts := map[string]int{
		"tool_right":       eval.Fact(o == Exact || o == WrongArguments),
		"call_exact":       eval.Fact(o == Exact),
		"declined_wrongly": eval.Fact(o == Declined),
		"unusable":         unusable,
	}
	if o != Declined && o != Unusable {
		facts["called_right"] = facts["tool_right"]
	}
	return facts
}

// answered tells an answer that is no plan, which is the planner's own doing
// and counts against it, from an edge that broke.
func answered(err error) bool {
	switch verdict.CodeOf(err) {
	case verdict.ModelReply, verdict.ModelRefused, verdict.ModelTruncated, verdict.ModelTooLarge:
		return true
	}
	return verdict.Denied(err)
}

// excluded counts the tools of a case that no run could call. It is a fact
// that no figure is made of.
const excluded = "excluded_tools"

func noteExcluded(r *eval.Report) error {
	n := 0
	for _, row := range r.Rows {
		n += row.Facts[excluded]
	}
	if n > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d tools of the cases cannot be called; the rows say why.", n))
	}
	return nil
}
