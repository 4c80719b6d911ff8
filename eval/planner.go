package eval

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/planner"
)

// Proposer is what a planner suite measures. A host's proposer is one.
type Proposer interface {
	Propose(ctx context.Context, q input.Query, c catalog.Catalog) (planner.Proposal, error)
}

// PlannerReport is what the suite found out: the figures, and every row.
type PlannerReport struct {
	PlannerFigures
	Rows []PlannerRow `json:"rows"` // in the order of the file
}

// PlannerRow is one measured row.
type PlannerRow struct {
	ID       string         `json:"id"`
	Source   string         `json:"source"`
	Half     string         `json:"half,omitzero"`
	Expected PlannerExpect  `json:"expected"`
	Observed Observed       `json:"observed"`
	Right    bool           `json:"right"`
	Plan     jsontext.Value `json:"plan,omitzero"`     // where there is one
	Code     verdict.Code   `json:"code,omitzero"`     // why there is none
	Reason   string         `json:"reason,omitzero"`   // the same in words
	Excluded []string       `json:"excluded,omitzero"` // tools that no run could call, and why
}

// MeasurePlanner asks a planner for a plan of every case and judges it. The
// plans are parsed as a run would parse them; none is approved, and nothing is
// called.
//
// An error says that not every row was measured, because ctx ended or the
// planner failed; the report holds what was.
func MeasurePlanner(ctx context.Context, cases []PlannerCase, p Proposer) (PlannerReport, error) {
	rows, err := measureRows(ctx, cases, p)
	report := PlannerReport{figures(len(cases), rows), rows}
	switch {
	case err != nil && ctx.Err() != nil:
		return report, verdict.Fail(verdict.EvalIncomplete, err, "stopped after %d of %d rows: %v", report.Measured, report.Cases, err)
	case err != nil:
		return report, err
	}
	return report, incomplete(report)
}

func measureRows(ctx context.Context, cases []PlannerCase, p Proposer) ([]PlannerRow, error) {
	rows := []PlannerRow{}
	for failures := 0; len(rows) < len(cases) && failures < patience; {
		if err := context.Cause(ctx); err != nil {
			return rows, err
		}
		r, err := measure(ctx, cases[len(rows)], p)
		if err != nil {
			return rows, err
		}
		if failures++; r.Observed != Failed {
			failures = 0
		} else if err := context.Cause(ctx); err != nil {
			return rows, err // it was told to stop, and did not fail by itself
		}
		rows = append(rows, r)
	}
	return rows, nil
}

func measure(ctx context.Context, c PlannerCase, p Proposer) (PlannerRow, error) {
	q, err := c.question()
	if err != nil {
		return PlannerRow{}, err
	}
	tools, err := c.Catalog()
	if err != nil {
		return PlannerRow{}, err
	}
	r := PlannerRow{ID: c.ID, Source: c.Source, Half: c.Half(), Expected: c.Expect}
	for _, e := range tools.Excluded() {
		r.Excluded = append(r.Excluded, e.Server+"/"+e.Name+": "+e.Denial.Error())
	}
	said, err := p.Propose(ctx, q, tools)
	if err == nil {
		var plan planner.Plan
		if plan, err = planner.Parse(said.Said); err == nil {
			r.Plan, r.Observed = said.Said, c.Judge(plan)
			r.Right = r.Observed == Exact || r.Observed == Declined && c.Expect.Abstain
			return r, nil
		}
	}
	r.Observed, r.Code, r.Reason = Failed, verdict.CodeOf(err), reasonOf(err)
	if answered(err) {
		r.Observed = Unusable
	}
	return r, nil
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

// incomplete says which rows are missing from a report, or nothing.
func incomplete(r PlannerReport) error {
	for _, row := range r.Rows {
		if row.Observed == Failed {
			return verdict.Fail(verdict.EvalIncomplete, nil, "the planner failed on %d of %d rows, and %d were measured; first on %s: %s: %s",
				r.Failed, r.Cases, r.Measured, row.ID, row.Code, row.Reason)
		}
	}
	return nil
}
