package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Scanner looks for what nobody should be shown in what a server answered. Its
// word can only withhold a result or leave it out of summaries.
type Scanner interface {
	// Scan gives what it found, each finding at a place of a part. An error, or a
	// finding at no place, withholds the result.
	Scan(ctx context.Context, s Sample) ([]guard.Finding, error)
}

// Sample is what a scanner is given: every text of an answer, without its secrets.
type Sample struct {
	Server, Tool string
	Parts        []guard.Part
}

// NamedScanner is a scanner by the name that the trace has for it.
type NamedScanner struct {
	Scanner
	Name  string        // letters, digits and _ . -; not "patterns"
	Limit time.Duration // 0 is ScanLimit
}

// ScanLimit is how long a scanner may take, unless it has a limit of its own.
const ScanLimit = 10 * time.Second

// Patterns is the name of the built-in rules among the scanners.
const Patterns = "patterns"

// maxFindings is how many findings of one scanner are taken: more are no answer.
const maxFindings = 1_000

// maxWhy bounds a scanner's own words, in bytes. Only the trace has them.
const maxWhy = 500

// scan asks every scanner at once. The first answer is of the built-in rules, and
// so is the ledger.
func (r *run) scan(ctx context.Context, s Sample) (findings, []guard.Entry) {
	found := make(findings, 1+len(r.config.Scanners))
	var wait sync.WaitGroup
	for i, one := range r.config.Scanners {
		wait.Go(func() { found[1+i] = one.answer(ctx, s) })
	}
	var ledger []guard.Entry
	found[0], ledger = r.patterns(ctx, s)
	wait.Wait()
	return found, ledger
}

// patterns is what the built-in rules find, or what they found when a replay has
// others. Nothing interrupts them: what they find follows from the texts alone.
func (r *run) patterns(ctx context.Context, s Sample) (scanned, []guard.Entry) {
	own := &builtIn{rules: r.config.Policy.Guard}
	a := NamedScanner{Scanner: own, Name: Patterns}.guarded(context.WithoutCancel(ctx), s)
	if was := r.config.Examined; was != nil && was.Rules != guard.RulesVersion {
		a.found, a.err = was.Patterns, was.Failed
	}
	if a.err != nil {
		return a, []guard.Entry{}
	}
	a.more = own.report.Unlisted > 0
	return a, own.report.Ledger
}

// answer is what the scanner says within its time. Whatever else it does is a
// failure, which withholds the result.
func (n NamedScanner) answer(whole context.Context, s Sample) scanned {
	ctx, cancel := context.WithTimeout(whole, cmp.Or(n.Limit, ScanLimit))
	defer cancel()
	s.Parts = slices.Clone(s.Parts)
	done := make(chan scanned, 1)
	go func() { done <- n.guarded(ctx, s) }() // one that does not heed its context is left behind
	var a scanned
	select {
	case a = <-done:
	case <-ctx.Done():
		a.err = ctx.Err()
	}
	if a.err != nil && ctx.Err() != nil {
		return scanned{name: n.Name, err: unanswered(whole)}
	}
	return a
}

// unanswered is the fault of a scanner that was not waited for any longer.
func unanswered(run context.Context) error {
	why := "it did not answer in time"
	switch {
	case errors.Is(run.Err(), context.Canceled):
		why = "the run was interrupted before it answered"
	case run.Err() != nil:
		why = "the time for the run was over before it answered"
	}
	return verdict.Fail(verdict.OutputScanner, run.Err(), "%s", why)
}

func (n NamedScanner) guarded(ctx context.Context, s Sample) (a scanned) {
	defer func() {
		if p := recover(); p != nil {
			a = scanned{name: n.Name, err: verdict.Fail(verdict.OutputScanner, nil, "a panic: %.300v", p)}
		}
	}()
	found, err := n.Scan(ctx, s)
	if err == nil {
		found, err = sound(found, s.Parts)
	}
	if err != nil {
		words, _ := guard.Redact(err.Error())
		found, err = nil, verdict.Fail(verdict.OutputScanner, nil, "%.2000s", words)
	}
	return scanned{name: n.Name, found: found, err: err}
}

// sound are findings that name a rule and a place that is there. Their words
// are bounded and hold no secret.
func sound(found []guard.Finding, parts []guard.Part) ([]guard.Finding, error) {
	if len(found) > maxFindings {
		return nil, fmt.Errorf("%d findings, where at most %d are taken", len(found), maxFindings)
	}
	if len(found) == 0 {
		return nil, nil
	}
	texts, found := textsOf(parts), slices.Clone(found)
	for i, f := range found {
		there := slices.ContainsFunc(texts[f.Where], func(text string) bool { return 0 <= f.Start && f.Start <= f.End && f.End <= len(text) })
		if !there || !guard.Name(f.Rule) || f.Tier != guard.Hard && f.Tier != guard.Soft {
			return nil, errors.New("a finding names no rule, or no place in what was scanned")
		}
		why, _ := guard.Redact(f.Why)
		found[i].Why, found[i].Excerpt = guard.Line(why, maxWhy), ""
	}
	return found, nil
}

// textsOf are the parts' texts by their places. A name and its value are at one.
func textsOf(parts []guard.Part) map[string][]string {
	texts := map[string][]string{}
	for _, p := range parts {
		texts[p.Where] = append(texts[p.Where], p.Text)
	}
	return texts
}

// builtIn are the built-in rules as a scanner. Its report is there once it has
// answered.
type builtIn struct {
	rules  guard.Rules
	report guard.Report
}

// Scan scans by the rules.
func (b *builtIn) Scan(_ context.Context, s Sample) ([]guard.Finding, error) {
	b.report = b.rules.Scan(s.Server, s.Parts)
	return b.report.Findings, nil
}

// distinct refuses scanners that the trace could not tell apart.
func distinct(all []NamedScanner) error {
	seen := map[string]bool{Patterns: true}
	for _, s := range all {
		if s.Scanner == nil || !guard.Name(s.Name) || seen[s.Name] {
			return fmt.Errorf("host: a scanner is missing, or %q is no name of its own", s.Name)
		}
		seen[s.Name] = true
	}
	return nil
}
