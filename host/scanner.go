package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/secret"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/internal/recorded"
)

// Scanner looks in a server's answer for texts that should not be shown. It can
// only withhold a result or leave it out of summaries.
type Scanner interface {
	// Scan gives its findings, each at a place of a part. An error, or a finding at
	// no place, withholds the result.
	Scan(ctx context.Context, s Sample) ([]scan.Finding, error)
}

// Sample is the input of a scanner: every text of an answer, without its secrets.
type Sample struct {
	Server, Tool string
	Parts        []scan.Part
}

// NamedScanner is a scanner by the name that the trace has for it.
type NamedScanner struct {
	Scanner
	Name  string        // letters, digits and _ . -; not "patterns"
	Limit time.Duration // 0 is 10 s
}

// scanLimit is how long a scanner may take, unless it has its own limit.
const scanLimit = 10 * time.Second

// maxFindings is how many findings of one scanner are taken: more are no answer.
const maxFindings = 1_000

// maxWhy bounds a scanner's own words, in bytes. Only the trace has them.
const maxWhy = 500

// scan asks every scanner at once. The first answer and the ledger are those of the
// built-in rules. Nothing interrupts these: their findings follow from the texts
// alone.
func (rd *reading) scan(ctx context.Context, s Sample) (found []gate.Scanned, ledger []scan.Entry) {
	found = make([]gate.Scanned, 1+len(rd.config.Scanners))
	var wait sync.WaitGroup
	for i, one := range rd.config.Scanners {
		wait.Go(func() { found[1+i] = one.answer(ctx, s) })
	}
	var own scan.Report
	found[0] = rd.world.Found(guarded(recorded.Patterns, s, func() ([]scan.Finding, error) {
		own = rd.config.Policy.Guard.Scan(s.Server, s.Parts)
		return own.Findings, nil
	}))
	ledger = []scan.Entry{}
	if found[0].Err == nil {
		found[0].More, ledger = own.Unlisted > 0, own.Ledger
	}
	wait.Wait()
	return found, ledger
}

// answer is the scanner's answer within its time. Anything else is a failure, which
// withholds the result.
func (n NamedScanner) answer(whole context.Context, s Sample) gate.Scanned {
	ctx, cancel := context.WithTimeout(whole, cmp.Or(n.Limit, scanLimit))
	defer cancel()
	s.Parts = slices.Clone(s.Parts)
	done := make(chan gate.Scanned, 1)
	go func() { // a scanner that ignores its context is left behind
		done <- guarded(n.Name, s, func() ([]scan.Finding, error) { return n.Scan(ctx, s) })
	}()
	var a gate.Scanned
	select {
	case a = <-done:
	case <-ctx.Done():
		a.Err = ctx.Err()
	}
	if a.Err != nil && ctx.Err() != nil {
		return gate.Scanned{Scanner: n.Name, Err: unanswered(whole)}
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
		why = "the time for the run ended before it answered"
	}
	return verdict.Fail(verdict.OutputScanner, run.Err(), "%s", why)
}

// guarded is the answer of a scanner that may panic, and may find anything.
func guarded(name string, s Sample, look func() ([]scan.Finding, error)) (a gate.Scanned) {
	defer func() {
		if p := recover(); p != nil {
			a = gate.Scanned{Scanner: name, Err: verdict.Fail(verdict.OutputScanner, nil, "a panic: %.300v", p)}
		}
	}()
	found, err := look()
	if err == nil && len(found) > 0 {
		found, err = sound(found, s.Parts)
	}
	if err != nil {
		words, _ := secret.Redact(err.Error())
		found, err = nil, verdict.Fail(verdict.OutputScanner, nil, "%.2000s", words)
	}
	return gate.Scanned{Scanner: name, Findings: found, Err: err}
}

// sound are findings that name a rule and a place in a part. Their words are
// bounded and have no secret.
func sound(found []scan.Finding, parts []scan.Part) ([]scan.Finding, error) {
	if len(found) > maxFindings {
		return nil, fmt.Errorf("%d findings, where at most %d are taken", len(found), maxFindings)
	}
	texts, found := map[string][]string{}, slices.Clone(found) // a name and its value are at one place
	for _, p := range parts {
		texts[p.Where] = append(texts[p.Where], p.Text)
	}
	for i, f := range found {
		there := slices.ContainsFunc(texts[f.Where], func(text string) bool { return 0 <= f.Start && f.Start <= f.End && f.End <= len(text) })
		tier := f.Tier == scan.Hard || f.Tier == scan.Soft
		if !there || !tier || !escape.Name(f.Rule) {
			return nil, errors.New("a finding names no rule, or no place in what was scanned")
		}
		why, _ := secret.Redact(f.Why)
		found[i].Why, found[i].Excerpt = escape.Line(why, maxWhy), ""
	}
	return found, nil
}

// distinct refuses scanners that the trace could not distinguish.
func distinct(all []NamedScanner) error {
	seen := map[string]bool{recorded.Patterns: true}
	for _, s := range all {
		if s.Scanner == nil || !escape.Name(s.Name) || seen[s.Name] {
			return fmt.Errorf("host: a scanner is missing, or %q is not a name of its own", s.Name)
		}
		seen[s.Name] = true
	}
	return nil
}
