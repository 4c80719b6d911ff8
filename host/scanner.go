package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
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

// scanned is what one scanner came to.
type scanned struct {
	name  string
	found []guard.Finding
	more  bool // it found more than it lists
	err   error
}

// findings are what all scanners came to.
type findings []scanned

// scan asks every scanner at once, the built-in rules first. The ledger is theirs.
func (r *run) scan(ctx context.Context, s Sample) (findings, []guard.Entry) {
	own := &builtIn{rules: r.config.Policy.Guard}
	all := append([]NamedScanner{{Scanner: own, Name: Patterns}}, r.config.Scanners...)
	found := make(findings, len(all))
	var wait sync.WaitGroup
	for i, one := range all {
		wait.Go(func() { found[i] = one.answer(ctx, s) })
	}
	wait.Wait()
	if found[0].err != nil {
		return found, []guard.Entry{}
	}
	if was := r.config.Examined; was != nil && was.Rules != guard.RulesVersion {
		found[0].found = was.Patterns
	}
	found[0].more = own.report.Unlisted > 0
	return found, own.report.Ledger
}

// answer is what the scanner says within its time. Whatever else it does is a
// failure, which withholds the result.
func (n NamedScanner) answer(ctx context.Context, s Sample) scanned {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(n.Limit, ScanLimit))
	defer cancel()
	s.Parts = slices.Clone(s.Parts)
	done := make(chan scanned, 1)
	go func() { done <- n.guarded(ctx, s) }() // one that does not heed its context is left behind
	select {
	case a := <-done:
		return a
	case <-ctx.Done():
		return scanned{name: n.Name, err: verdict.Fail(verdict.OutputScanner, ctx.Err(), "it did not answer in time")}
	}
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

// hard are the findings that withhold a result, as scanner/rule. A scanner that
// failed is one.
func (fs findings) hard() (rules []string) {
	for _, s := range fs {
		if s.err != nil {
			rules = append(rules, s.name+"/failed")
		}
		for _, f := range s.found {
			if f.Tier == guard.Hard {
				rules = append(rules, s.name+"/"+f.Rule)
			}
		}
	}
	return unique(rules)
}

// rules are all that found something, as scanner/rule.
func (fs findings) rules() (rules []string) {
	for _, s := range fs {
		for _, f := range s.found {
			rules = append(rules, s.name+"/"+f.Rule)
		}
	}
	return unique(rules)
}

// findings are what the outcome says of them.
func (fs findings) findings(withheld bool) (all []Finding) {
	for _, s := range fs {
		if s.err != nil {
			all = append(all, Finding{Scanner: s.name, Rule: "failed", Tier: guard.Hard.String()})
		}
		for _, f := range s.found {
			one := Finding{s.name, f.Rule, f.Tier.String(), f.Where}
			if withheld {
				one.Where = ""
			}
			all = append(all, one)
		}
	}
	return all
}

// stretches are the texts in which something was found, and no byte of a part is
// in two of them. A finding that names a part alone means all of it, and one that
// is not listed may be anywhere. A text may itself be a document, and claims are
// made of what that says: each stretch is there as it decodes, too.
func (fs findings) stretches(parts []guard.Part) (all []string) {
	at, more := map[string][]guard.Finding{}, false
	for _, s := range fs {
		for _, f := range s.found {
			at[f.Where] = append(at[f.Where], f)
		}
		more = more || s.more
	}
	for _, p := range parts {
		found := at[p.Where]
		if more {
			found = []guard.Finding{{}}
		}
		cut := cutOut(p.Text, found)
		for i, decoded := range guard.Unescaped(p.Text, cut) {
			all = append(all, strings.TrimSpace(p.Text[cut[i][0]:cut[i][1]]), strings.TrimSpace(decoded))
		}
	}
	return slices.DeleteFunc(unique(all), func(s string) bool { return s == "" })
}

// cutOut are the stretches of one text, from and to in bytes. A name and its
// value are at one place: what ends behind the text is of the other.
func cutOut(text string, found []guard.Finding) (all [][2]int) {
	slices.SortFunc(found, func(a, b guard.Finding) int { return a.Start - b.Start })
	var last [2]int
	for _, f := range found {
		start, end := f.Start, f.End
		if start == end {
			start, end = 0, len(text)
		}
		switch {
		case end > len(text):
		case start <= last[1]:
			last = [2]int{min(last[0], start), max(last[1], end)}
		default:
			all = append(all, last)
			last = [2]int{start, end}
		}
	}
	return append(all, last)
}

// textsOf are the parts' texts by their places. A name and its value are at one.
func textsOf(parts []guard.Part) map[string][]string {
	texts := map[string][]string{}
	for _, p := range parts {
		texts[p.Where] = append(texts[p.Where], p.Text)
	}
	return texts
}

func (fs findings) record() (all []trace.ScannerBody) {
	for _, s := range fs {
		body := trace.ScannerBody{Name: s.name, Error: trace.ErrorOf(s.err)}
		for _, f := range s.found {
			body.Findings = append(body.Findings, trace.FindingBody{Rule: f.Rule, Tier: f.Tier.String(), Where: f.Where, Start: f.Start, End: f.End, Why: f.Why})
		}
		all = append(all, body)
	}
	return all
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
