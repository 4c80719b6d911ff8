package replay

import (
	"context"

	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/internal/recorded"
	"github.com/onestep-run/onestep/trace"
)

// guardGate is the gate of the scanners.
const guardGate = "guard"

// recorded is what the run recorded of its guard, and the word by which a withheld
// result went on. A run that was killed before it had a guard recorded nothing of
// what the scanners would have found: its answer is withheld.
func (t *tape) recorded() *recorded.Run {
	r := &recorded.Run{Release: t.begin.Resumes}
	switch {
	case t.guard == nil && !t.ended:
		r.Examined = recorded.Examined{Rules: "not recorded", Failed: verdict.Fail(verdict.OutputScanner, nil, "not recorded: nobody had looked at the answer")}
	case t.guard == nil:
		r.Examined.Rules = scan.RulesVersion
	default:
		r.Examined.Rules = t.guard.Rules
		for _, s := range t.guard.Scanners {
			if s.Name == recorded.Patterns {
				r.Examined.Patterns, r.Examined.Failed = found(s.Findings), s.Error.Err()
			}
		}
	}
	return r
}

// otherGuard reports whether the built-in rules of the run are not this program's.
func (t *tape) otherGuard() bool { return t.guard != nil && t.guard.Rules != scan.RulesVersion }

// scanners say again what they said.
func (t *tape) scanners() (all []host.NamedScanner) {
	if t.guard == nil {
		return nil
	}
	for _, s := range t.guard.Scanners {
		if s.Name != recorded.Patterns {
			all = append(all, host.NamedScanner{Scanner: scanned(s), Name: s.Name})
		}
	}
	return all
}

type scanned trace.ScannerBody

// Scan gives the recorded answer.
func (s scanned) Scan(context.Context, host.Sample) ([]scan.Finding, error) {
	return found(s.Findings), s.Error.Err()
}

// found are recorded findings. A tier that nobody wrote is the worst.
func found(all []trace.FindingBody) (fs []scan.Finding) {
	for _, f := range all {
		tier := scan.Hard
		if f.Tier == scan.Soft.String() {
			tier = scan.Soft
		}
		fs = append(fs, scan.Finding{Rule: f.Rule, Tier: tier, Where: f.Where, Start: f.Start, End: f.End, Why: f.Why})
	}
	return fs
}
