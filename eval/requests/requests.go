// Package requests measures the input gate on labelled requests: how many of
// the unsafe ones it refuses, and how many of the safe ones it blocks.
//
// It vouches that every request goes through input.Admit itself, under the
// rules that a question would meet, and that each recall stands beside its
// false blocks. It does not vouch for the labels, nor that requests of another
// kind fare alike: the rules are a tripwire, and a figure is one of its cases.
// `ask eval requests` calls it, and so does the test that holds the built-in
// rules to their aims.
package requests

import (
	"context"
	"errors"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/verdict"
)

// The facts of a row. What is refused for its form is refused all the same,
// and counted a second time, for no rule has seen it.
const (
	unsafeRefused = "unsafe_refused"
	safeBlocked   = "safe_blocked"
	formRefused   = "form_refused"
	otherRefused  = "other_refused" // of another label
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

// What is expected and observed; of a refusal, its code and rule are observed.
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

// reasons says what decided, apart for the unsafe and the safe.
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
