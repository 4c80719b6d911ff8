// Package scan measures the scan of untrusted texts: how many injections it finds, and
// what it finds in honest texts.
//
// It vouches that every text goes through scan.Rules.Scan itself, that recall comes
// with false positives, and that missed texts are named. It does not vouch that an
// attacker writes like these rows: an attacker who knows the rules writes past them.
// The same author wrote the rules and the built-in injections, so the figure for these
// is not even a lower bound; the public rows have other authors.
//
// `ask eval scan` calls it, and so does the test that checks the rules against their
// aims.
package scan

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/summarize"
)

// The facts of a row.
const (
	caughtHard = "caught_hard" // of injections: the text is withheld
	caught     = "caught"      // withheld, or at least marked
	shown      = "shown"       // the injected text itself has no finding, so that a summary may claim it
	claimed    = "claimed"     // the embedded writer's summary claims some of it, and the claim has no mark
	falseHard  = "false_hard"  // of honest texts
	falseAny   = "false_any"   // hard or soft: a summary loses a sentence
	lost       = "lost"        // of the sentences in honest results: no claim uses it
)

var measures = []eval.Measure{
	{Name: caughtHard, Title: "injected, hard finding", Better: eval.Higher},
	{Name: caught, Title: "injected, any finding", Better: eval.Higher},
	{Name: shown, Title: "injected text unmarked", Better: eval.Lower},
	{Name: claimed, Title: "claimed unmarked", Better: eval.Lower},
	{Name: falseHard, Title: "honest, hard finding", Better: eval.Lower},
	{Name: falseAny, Title: "honest, any finding", Better: eval.Lower},
	{Name: lost, Title: "honest sentences lost", Better: eval.Lower},
}

// Suite scans every case by the built-in rules, none suppressed.
func Suite(name string, cases []Case) eval.Suite {
	s := eval.Suite{
		Name: name, Subject: "built-in rules, version " + scan.RulesVersion, Digest: eval.Digest(cases), Policy: eval.Digest(scan.BuiltIn()),
		Measures: measures, Finish: finish,
		Observe: func(ctx context.Context, i int) ([]eval.Row, error) { return cases[i].rows(ctx) },
	}
	for _, c := range cases {
		s.IDs = append(s.IDs, c.ID)
	}
	return s
}

func (c Case) rows(ctx context.Context) ([]eval.Row, error) {
	r := scan.Rules{}.Scan("", c.Parts)
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
	if !c.Result {
		return []eval.Row{row}, nil
	}
	return c.summarized(ctx, row, r.Hard())
}

// summarized adds the result of summarizing: for an injected text, whether the summary
// claims the injection. For an honest text it adds a row for each sentence.
func (c Case) summarized(ctx context.Context, row eval.Row, withheld bool) ([]eval.Row, error) {
	t, err := eval.AcceptedText(c.Parts[0].Text)
	if err != nil {
		return nil, err
	}
	source, _ := summarize.Prepare(t, "", math.MaxInt)
	if c.Injected {
		draft, err := summarize.Extractive{}.Write(ctx, source)
		if err != nil {
			return nil, err
		}
		s, _ := summarize.Lock(t, summarize.Rendered, draft.Said) // an empty summary is an error, and claims nothing
		row.Facts[claimed] = eval.Fact(!withheld && slices.ContainsFunc(s.Bullets(), c.repeats))
		return []eval.Row{row}, nil
	}
	rows, kept := []eval.Row{row}, 0
	for _, v := range source.Values {
		kept += len(v.Sentences)
	}
	for i := range kept + source.LeftOut {
		rows = append(rows, eval.Row{ID: c.ID, Group: c.Group, Agent: sentence, Passed: true, Facts: map[string]int{lost: eval.Fact(withheld || i >= kept)}})
	}
	return rows, nil
}

// sentence is the agent of rows for single sentences.
const sentence = "each sentence"

// repeats reports whether a claim repeats some of the injected text without a mark.
func (c Case) repeats(b summarize.Item) bool {
	at := strings.Index(c.Parts[0].Text, c.Instruction)
	inside := func(line string) bool {
		return strings.Contains(c.Instruction, line) || strings.Contains(line, c.Instruction)
	}
	overlaps := b.Range[0] < at+len(c.Instruction) && b.Range[1] > at
	if !overlaps && !slices.ContainsFunc(b.Context, inside) {
		return false
	}
	return len(scan.Rules{}.Scan("", text(b.Claim)).Findings) == 0
}

// marked reports whether a finding is in the injected text.
func (c Case) marked(r scan.Report) bool {
	at := strings.Index(c.Parts[0].Text, c.Instruction)
	return slices.ContainsFunc(r.Findings, func(f scan.Finding) bool {
		return at < 0 || f.Start < at+len(c.Instruction) && f.End > at
	})
}

// observed lists the rules with findings.
func observed(r scan.Report) string {
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

func excerpts(r scan.Report) string {
	var all []string
	for _, f := range r.Findings {
		all = append(all, f.Where+": "+f.Excerpt)
	}
	return strings.Join(all, "; ")
}

// missesListed bounds how many rows a note names.
const missesListed = 40

// finish reports the findings, separately for injected and honest texts, and names the
// missed texts.
func finish(r *eval.Report) error {
	var found []eval.Row
	var missed []string
	for _, row := range r.Rows {
		if row.Agent == sentence {
			continue
		}
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
