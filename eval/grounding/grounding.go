// Package grounding measures how much of a result the evidence lock shows around a
// writer's selection.
//
// It vouches that summarize.Lock itself renders every selection, from a result that
// went through the gates, and that a case passes only if its claim shows every word
// that has to be visible. It also counts how often a claim is the whole result,
// because showing everything proves nothing. It does not vouch that the words of a
// case are the right ones. `ask eval grounding` calls it.
package grounding

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/summarize"
)

// The facts of a row.
const (
	shown    = "shown"     // everything that has to be visible is
	farShown = "far_shown" // the same, for cases with a context that is further away
	dropped  = "dropped"   // nothing is visible
	entire   = "entire"    // the claim contains all of the leaf

	misleading = "misleading"  // a claim is shown without the text that withdraws it
	unshown    = "unshown"     // a withdrawn claim is not shown at all
	honestLost = "honest_lost" // a claim that nothing withdraws is not shown
)

var measures = []eval.Measure{
	{Name: shown, Title: "context shown", Better: eval.Higher},
	{Name: farShown, Title: "far context shown", Better: eval.Neither},
	{Name: dropped, Title: "selection dropped", Better: eval.Lower},
	{Name: entire, Title: "whole text shown", Better: eval.Neither},
}

// ofNeighbours are the measures of cases of neighbours.
var ofNeighbours = []eval.Measure{
	{Name: misleading, Title: "misleading, shown", Better: eval.Lower},
	{Name: unshown, Title: "misleading, not shown", Better: eval.Neither},
	{Name: honestLost, Title: "honest, lost", Better: eval.Lower},
}

// Suite renders the selection of every case.
func Suite(cases []Case) eval.Suite {
	s := eval.Suite{Name: "grounding", Subject: "evidence lock", Digest: eval.Digest(cases), Clusters: "text"}
	of := func(c Case) bool { return c.Needs != nil }
	if slices.ContainsFunc(cases, of) {
		s.Measures = ofNeighbours
	}
	if !slices.ContainsFunc(cases, of) || slices.ContainsFunc(cases, func(c Case) bool { return !of(c) }) {
		s.Measures = slices.Concat(measures, s.Measures)
	}
	for _, c := range cases {
		s.IDs = append(s.IDs, c.ID)
	}
	s.Observe = func(_ context.Context, i int) ([]eval.Row, error) {
		row, err := cases[i].observe()
		return []eval.Row{row}, err
	}
	return s
}

func (c Case) result() (gate.Typed, error) {
	if c.JSON == nil {
		return eval.AcceptedText(c.Text)
	}
	return eval.Accepted(`{"kb":[{"name":"fetch","output":{}}]}`, `{"name":"fetch","inputSchema":{"type":"object"}}`,
		eval.Data(map[string]any{"content": []any{map[string]string{"type": "text", "text": string(c.JSON)}}}))
}

// The expected and the observed result; a dropped selection has its code instead.
const (
	visible = "visible"
	hidden  = "hidden"
)

func (c Case) observe() (eval.Row, error) {
	result, err := c.result()
	if err != nil {
		return eval.Row{}, err
	}
	if c.Needs != nil {
		return c.neighbours(result)
	}
	bullet := map[string]any{"evidence": c.Select}
	if c.Pointer != nil {
		bullet["pointer"] = *c.Pointer
	}
	s, err := summarize.Lock(result, summarize.Rendered, eval.Data(map[string]any{"type": "summary", "bullets": []any{bullet}}))
	row := eval.Row{ID: c.ID, Group: c.Kind, Cluster: eval.Digest(c.Text, c.JSON), Query: c.Select, Expected: visible, Observed: visible, Facts: map[string]int{dropped: 0}}
	var d *verdict.Denial
	switch {
	case errors.As(err, &d):
		row.Observed, row.Detail, row.Facts[dropped] = string(d.Code), d.Reason, 1
	case err != nil:
		return eval.Row{}, err
	default:
		c.judge(&row, s.Bullets()[0])
	}
	row.Passed = row.Observed == visible
	if c.Far {
		row.Facts[farShown] = eval.Fact(row.Passed)
	} else {
		row.Facts[shown] = eval.Fact(row.Passed)
	}
	return row, nil
}

func (c Case) judge(row *eval.Row, it summarize.Item) {
	row.Data = eval.Data(map[string]string{"claim": it.Claim})
	claim := oneLine(it.Claim)
	for _, v := range c.Visible {
		if !strings.Contains(claim, oneLine(v)) {
			row.Observed, row.Detail = hidden, fmt.Sprintf("%q is not shown", v)
		}
	}
	if c.JSON == nil {
		row.Facts[entire] = eval.Fact(len(oneLine(it.Claim)) >= len(oneLine(c.Text)))
	}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
