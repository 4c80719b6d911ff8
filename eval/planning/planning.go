// Package planning measures planners. It counts how many of a planner's proposed calls
// are wrong, for reading and for writing tools, and how often it declines although a
// call is right.
//
// It vouches that a comparison decides about every call, without repairs, and without
// leniency except in the columns called lenient. Plans are parsed as in a run, and
// every case is in a figure, if only among those that could not be asked. It approves
// nothing and calls no tool: the tools of a case are descriptors without a server. The
// row, or else the tool itself, states whether a tool reads; see [Case.Catalog]. `ask
// eval planner` calls it, and so do the tests that check the embedded planner's
// figures.
package planning

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/planner"
)

// Proposer is the subject of the measurement. A host's proposer is one.
type Proposer interface {
	Propose(ctx context.Context, q input.Query, c catalog.Catalog) (planner.Proposal, error)
}

// Suite asks a planner for a plan of every case. It may be asked for several
// at a time.
func Suite(cases []Case, subject string, p Proposer) eval.Suite {
	s := eval.Suite{
		Name: "planner", Subject: subject, Digest: eval.Digest(cases), Policy: eval.Digest(subject), Measures: measures,
		Observe: func(ctx context.Context, i int) ([]eval.Row, error) {
			row, err := observe(ctx, cases[i], p)
			return []eval.Row{row}, err
		},
		Finish: func(r *eval.Report) error {
			finish(r, cases)
			return nil
		},
	}
	for _, c := range cases {
		s.IDs = append(s.IDs, c.ID)
	}
	return s
}

// kept is the data of a row about a plan.
type kept struct {
	Plan     jsontext.Value `json:"plan,omitzero"`
	Effect   string         `json:"effect,omitzero"`   // of the proposed tool
	Lenient  Observed       `json:"lenient,omitzero"`  // as the lenient judge sees it
	Fault    fault          `json:"fault,omitzero"`    // the gravest fault of a wrong call
	Excluded []string       `json:"excluded,omitzero"` // tools that no run could call, with the reasons
}

// asked is a case in the form that a planner gets.
type asked struct {
	Case
	query input.Query
	tools catalog.Catalog
}

func observe(ctx context.Context, c Case, p Proposer) (eval.Row, error) {
	row := eval.Row{ID: c.ID, Group: c.Source, Half: half(c.ID), Query: c.Query, Expected: string(eval.Data(c.Expect))}
	a, unasked := c.ask()
	data := kept{}
	for _, e := range a.tools.Excluded() {
		data.Excluded = append(data.Excluded, e.Server+"/"+e.Name+": "+e.Denial.Error())
	}
	if unasked != "" {
		row.Observed, row.Detail, row.Facts, row.Data = string(NotAsked), unasked, map[string]int{"not_asked": 1}, eval.Data(data)
		return row, nil
	}
	said, err := p.Propose(ctx, a.query, a.tools)
	var proposed plan.Plan
	if err == nil {
		proposed, err = plan.Parse(said.Said)
	}
	f := finding{asked: a, observed: Unusable, lenient: Unusable}
	switch {
	case err == nil:
		f = a.find(proposed)
		data.Plan, data.Effect, data.Lenient, data.Fault = said.Said, f.effect, f.lenient, f.fault
	case !eval.Unusable(verdict.CodeOf(err)) && !verdict.Denied(err):
		return row, err
	default:
		row.Detail = err.Error()
	}
	row.Observed, row.Passed, row.Facts, row.Data = string(f.observed), f.passed(), f.facts(), eval.Data(data)
	return row, nil
}

// ask returns the question and the tools, or why the case cannot be asked. That is
// because its right answer is unknown, or no run could make it.
func (c Case) ask() (a asked, unasked string) {
	a.Case = c
	var err error
	if a.query, err = c.question(); err != nil {
		return a, err.Error()
	}
	if a.tools, err = c.Catalog(); err != nil {
		return a, err.Error()
	}
	if c.Expect.Abstain {
		return a, ""
	}
	if _, err := a.tools.Tool(c.call()); err != nil {
		return a, "no run could make the call that is right: " + err.Error() + a.excluded()
	}
	return a, ""
}

// excluded returns why the right tool is not in the catalog.
func (a asked) excluded() string {
	server, tool := a.call()
	for _, e := range a.tools.Excluded() {
		if e.Server == server && e.Name == tool {
			return ": " + e.Denial.Error()
		}
	}
	return ""
}
