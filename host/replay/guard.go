package replay

import (
	"context"

	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/trace"
)

// guardGate is the gate of the scanners.
const guardGate = "guard"

// examined is what the run recorded of its guard. Before the fourth format there
// was none. Of a run that was killed before it had one, nobody knows what the
// scanners would have said: its answer is withheld.
func (t *tape) examined() *host.Examined {
	switch {
	case t.begin.Format < 4:
		return &host.Examined{None: true}
	case t.guard == nil && !t.ended:
		return &host.Examined{Rules: "not recorded", Failed: verdict.Fail(verdict.OutputScanner, nil, "not recorded: nobody had looked at the answer")}
	case t.guard == nil:
		return &host.Examined{Rules: guard.RulesVersion}
	}
	e := &host.Examined{Rules: t.guard.Rules}
	for _, s := range t.guard.Scanners {
		if s.Name == host.Patterns {
			e.Patterns, e.Failed = found(s.Findings), s.Error.Err()
		}
	}
	return e
}

// otherGuard reports whether the built-in rules of the run are not this program's.
func (t *tape) otherGuard() bool { return t.guard != nil && t.guard.Rules != guard.RulesVersion }

// scanners say again what they said.
func (t *tape) scanners() (all []host.NamedScanner) {
	if t.guard == nil {
		return nil
	}
	for _, s := range t.guard.Scanners {
		if s.Name != host.Patterns {
			all = append(all, host.NamedScanner{Scanner: scanned(s), Name: s.Name})
		}
	}
	return all
}

type scanned trace.ScannerBody

// Scan gives the recorded answer.
func (s scanned) Scan(context.Context, host.Sample) ([]guard.Finding, error) {
	return found(s.Findings), s.Error.Err()
}

// found are recorded findings. A tier that nobody wrote is the worst.
func found(all []trace.FindingBody) (fs []guard.Finding) {
	for _, f := range all {
		tier := guard.Hard
		if f.Tier == guard.Soft.String() {
			tier = guard.Soft
		}
		fs = append(fs, guard.Finding{Rule: f.Rule, Tier: tier, Where: f.Where, Start: f.Start, End: f.End, Why: f.Why})
	}
	return fs
}

// release is the word by which a withheld result went on, or nil.
func (t *tape) release() *host.Release {
	r := t.begin.Resumes
	if r == nil {
		return nil
	}
	return &host.Release{Run: host.Run{ID: r.RunID, Trace: r.Trace}, By: r.By, At: r.At, Rules: r.Rules}
}
