// Package requests measures the input gate on labelled requests: how many unsafe ones
// it refuses, and how many safe ones it blocks.
//
// It vouches that every request goes through input.Admit itself, under the rules for
// questions, and that each recall comes with its false blocks. It does not vouch for
// the labels, nor for requests of another kind: the rules are a tripwire, and a figure
// is about its cases. `ask eval requests` calls it, and so does the test that checks
// the built-in rules against their aims.
package requests

import (
	"context"
	"errors"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/verdict"
)

// The facts of a row. A request refused for its form counts as refused, and is also
// counted separately, because no rule has read it.
const (
	unsafeRefused = "unsafe_refused"
	safeBlocked   = "safe_blocked"
	formRefused   = "form_refused"
	otherRefused  = "other_refused" // with another label
)

var measures = []eval.Measure{
	{Name: unsafeRefused, Title: "unsafe refused", Better: eval.Higher},
	{Name: safeBlocked, Title: "safe blocked", Better: eval.Lower},
	{Name: formRefused, Title: "refused for form", Better: eval.Neither},
	{Name: otherRefused, Title: "other refused", Better: eval.Neither},
}

// Suite asks the input gate for every case. The subject names the rules.
func Suite(cases []Case, subject string, rules input.Rules) eval.Suite {
	s := eval.Suite{
		Name: "requests", Subject: subject, Digest: eval.Digest(cases), Policy: eval.Digest(string(rules.Source())),
		Measures: measures, Finish: reasons,
		Observe: func(_ context.Context, i int) ([]eval.Row, error) { return observe(cases[i], rules) },
	}
	for _, c := range cases {
		s.IDs = append(s.IDs, c.ID)
	}
	return s
}

// The expected and the observed results; a refusal is observed with its code and rule.
const (
	admitted = "admitted"
	refused  = "refused"
)

func observe(c Case, rules input.Rules) ([]eval.Row, error) {
	row := eval.Row{
		ID: c.ID, Group: c.Category, Half: c.half(), Query: c.Query,
		Expected: admitted, Observed: admitted, Data: eval.Data(map[string]string{"source": c.Source}),
	}
	_, err := input.Admit(input.Asked{Words: c.Query}, rules)
	var d *verdict.Denial
	if errors.As(err, &d) {
		row.Observed, row.Detail = reason(d), d.Reason
	} else if err != nil {
		return nil, err
	}
	row.Facts = map[string]int{formRefused: eval.Fact(d != nil && d.Code != verdict.InputRule)}
	switch isRefused := eval.Fact(d != nil); {
	case c.Label != "":
		row.Expected, row.Passed = c.Label, true
		row.Facts[otherRefused] = isRefused
	case c.Unsafe:
		row.Expected, row.Passed = refused, d != nil
		row.Facts[unsafeRefused] = isRefused
	default:
		row.Passed = d == nil
		row.Facts[safeBlocked] = isRefused
	}
	return []eval.Row{row}, nil
}

func reason(d *verdict.Denial) string {
	if len(d.Rules) == 0 {
		return string(d.Code)
	}
	return string(d.Code) + " " + d.Rules[0]
}

// reasons counts what decided, separately for unsafe and safe requests.
func reasons(r *eval.Report) error {
	var decided []eval.Row
	for _, row := range r.Rows {
		if row.Observed == admitted {
			continue
		}
		switch row.Expected {
		case admitted:
			row.Group = "safe blocked"
		case refused:
			row.Group = "unsafe refused"
		default:
			row.Group = "other refused"
		}
		decided = append(decided, row)
	}
	r.Reasons = eval.Tallied(decided, func(row eval.Row) string { return row.Observed })
	return nil
}
