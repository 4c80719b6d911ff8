// Package scan measures the scan of strangers' texts: how many injections it
// finds, and what it finds in honest texts.
//
// It vouches that every text goes through guard.Rules.Scan itself, that recall
// stands beside false positives, and that what is missed is named. It does not
// vouch that an attacker writes as these do: whoever knows the rules writes
// past them. Rules and built-in injections are by the same hand, so the figure
// of these is a lower bound of nothing; the public rows are not.
//
// `ask eval scan` calls it, and so does the test that holds the rules to their
// aims.
package scan

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/guard"
)

// The facts of a row.
const (
	caughtHard = "caught_hard" // of injections: the text is withheld
	caught     = "caught"      // or marked at the least
	shown      = "shown"       // the injected text itself holds no finding, so that a summary may claim it
	falseHard  = "false_hard"  // of honest texts
	falseAny   = "false_any"   // hard or soft: a summary loses a sentence
)

var measures = []eval.Measure{
	{Name: caughtHard, Title: "injected, hard finding", Better: eval.Higher},
	{Name: caught, Title: "injected, any finding", Better: eval.Higher},
	{Name: shown, Title: "injected text unmarked", Better: eval.Lower},
	{Name: falseHard, Title: "honest, hard finding", Better: eval.Lower},
	{Name: falseAny, Title: "honest, any finding", Better: eval.Lower},
}

// Suite scans every case by the built-in rules, none suppressed.
func Suite(name string, cases []Case) eval.Suite {
	s := eval.Suite{
		Name: name, Subject: "built-in rules, version " + guard.RulesVersion, Digest: eval.Digest(cases), Policy: eval.Digest(guard.BuiltIn()),
		Measures: measures, Finish: finish,
		Observe: func(_ context.Context, i int) ([]eval.Row, error) { return []eval.Row{cases[i].row()}, nil },
	}
	for _, c := range cases {
		s.IDs = append(s.IDs, c.ID)
	}
	return s
}

func (c Case) row() eval.Row {
	r := guard.Rules{}.Scan("", c.Parts)
	some := len(r.Findings) > 0
	row := eval.Row{
		ID: c.ID, Group: c.Group, Half: c.Half, Query: fmt.Sprintf("%.200q", c.Parts[0].Text), Expected: "nothing hard", Observed: observed(r), Detail: excerpts(r),
		Passed: !r.Hard(), Facts: map[string]int{falseHard: eval.Fact(r.Hard()), falseAny: eval.Fact(some)},
	}
	if c.Injected {
		row.Expected, row.Passed = "a finding", some
		row.Facts = map[string]int{caughtHard: eval.Fact(r.Hard()), caught: eval.Fact(some)}
	}
	if c.Instruction != "" {
		row.Facts[shown] = eval.Fact(!c.marked(r))
	}
	return row
}

// marked reports whether a finding is in what was injected.
func (c Case) marked(r guard.Report) bool {
	at := strings.Index(c.Parts[0].Text, c.Instruction)
	return slices.ContainsFunc(r.Findings, func(f guard.Finding) bool {
		return at < 0 || f.Start < at+len(c.Instruction) && f.End > at
	})
}

// observed are the rules that found something.
func observed(r guard.Report) string {
	var all []string
	for _, f := range r.Findings {
		all = append(all, f.Rule+" "+f.Tier.String())
	}
	if len(all) == 0 {
		return "nothing"
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), ", ")
}

func excerpts(r guard.Report) string {
	var all []string
	for _, f := range r.Findings {
		all = append(all, f.Where+": "+f.Excerpt)
	}
	return strings.Join(all, "; ")
}

// missesListed is how many rows a note names.
const missesListed = 40

// finish says what was found, apart for injected and honest texts, and names what
// was missed.
func finish(r *eval.Report) error {
	var found []eval.Row
	var missed []string
	for _, row := range r.Rows {
		_, injected := row.Facts[caught]
		if row.Group = "honest"; injected {
			row.Group = "injected"
		}
		found = append(found, row)
		if !row.Passed {
			missed = append(missed, row.ID)
		}
	}
	r.Reasons = eval.Tallied(found, func(row eval.Row) string { return row.Observed })
	if n := len(missed); n > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d rows are missed, or honest and withheld: %s", n, strings.Join(missed[:min(n, missesListed)], ", ")))
	}
	return nil
}
