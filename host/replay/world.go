package replay

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/internal/recorded"
	"github.com/onestep-run/onestep/trace"
)

// recording is a recorded world. Facts that the trace does not have are unknown.
type recording struct {
	*tape
	release *trace.ResumeBody
	guard   *trace.GuardBody // nil: the built-in rules of this program read the answer
	unread  error            // why the built-in rules did not read it
}

// recorded is the world of a replayed run. A run that was killed before its guard recorded
// no findings: its answer is withheld.
func (t *tape) recorded() recording {
	r := recording{tape: t, release: t.begin.Resumes, guard: t.guard}
	if t.guard == nil && !t.ended {
		r.unread = verdict.Fail(verdict.OutputScanner, nil, "not recorded: the answer was not scanned")
	}
	return r
}

// host answers from the trace, from the first part on.
func (t *tape) host(c host.Config, world recording) (*host.Host, error) {
	t.config, t.looks = c, 0
	t.config.Memory = &t.memory.host
	t.config.Latest = t.latest
	t.play(0)
	return host.Recorded(t.config, recorded.Seal[host.Recording](world))
}

// Facts are the facts that decided in the run. Their time is in the zone of the replay's
// policy.
func (t *tape) Facts(_ context.Context, of grant.Key, _ gate.Given) (f host.Facts, err error) {
	if err := t.failed("approve"); err != nil {
		return f, err
	}
	f.Deciding = t.deciding()
	f.Labels = t.decided.Labels
	at, zone := t.decided.Time.At, t.decided.Time.Zone
	switch {
	case t.decision != nil:
		f.Grants = t.decision.Grants
	case t.consent != nil && t.consent.Grant != nil:
		at, zone, f.Grants = t.consent.At, "UTC", []grant.Grant{*t.consent.Grant}
	}
	if len(t.decided.Approvals) == 1 {
		f.Given = gate.Given{RunID: t.decided.Approvals[0], ByOther: t.decided.ByOther}
	}
	rules := t.policy.CallRules
	f.Left = t.left(rules.Limits(of.Server, of.Tool))
	if !rules.Configured() && len(f.Grants) == 0 {
		return f, nil
	}
	f.Time, err = t.in(rules, at, zone)
	return f, err
}

// in is the time of the decision in the zone of a policy. In the same zone it is the
// recorded text, because this machine may not know the zone.
func (t *tape) in(rules rule.Policy, at, zone string) (string, error) {
	if at != "" && zone == zoneName(rules) {
		return at, nil
	}
	where, err := host.Location(rules)
	if err != nil {
		return "", err
	}
	then := t.start
	if at != "" {
		if then, err = time.Parse(time.RFC3339, at); err != nil {
			return "", nil //nolint:nilerr // is not known, and helps no call
		}
	}
	return then.In(where).Format(time.RFC3339), nil
}

func zoneName(p rule.Policy) string { return cmp.Or(p.Zone(), "UTC") }

// left are the limits with the remaining calls that the run recorded.
func (t *tape) left(limits []grant.Bucket) []grant.Bucket {
	var run []grant.Bucket
	for _, d := range t.verdicts {
		run = append(run, d.Rates...)
	}
	return grant.Recorded(limits, run)
}

// Files are the files that the run found.
func (t *tape) Files(string, jsontext.Value) ([]trace.FileBody, func(), error) {
	was, _ := gate.ReadRecord(t.approval) // without a record no file is known; another one is a divergence
	return was.Files, nil, t.failed("files")
}

// Unchanged always agrees: moves reports the changes that the run found.
func (t *tape) Unchanged(context.Context) error { return nil }

// Decided keeps the policy's decision, for comparison.
func (t *tape) Decided(d trace.DecisionBody) { t.again = &d }

// Spend gives the recorded rest of the limits, or the failure of the state in the run.
func (t *tape) Spend(_ context.Context, r grant.Redemption) ([]grant.Bucket, error) {
	return t.left(r.Takes), t.failed("approval")
}

// Label fails if the state failed the run.
func (t *tape) Label(context.Context, grant.Redemption) error { return t.failed("labels") }

// failed is the recorded failure of the state at a gate, or the state's refusal of the
// call.
func (t *tape) failed(at string) error {
	for _, d := range t.verdicts {
		family, _, _ := strings.Cut(string(d.Code), ".")
		counts := family == "state" || family == "grant" || at == "files"
		if d.Gate == at && counts {
			return recordedAnswer(d)
		}
	}
	return nil
}

// Redact has nothing to do: the trace has the answer without its secrets.
func (t *tape) Redact(raw gate.RawResult) (gate.RawResult, string) { return raw, "" }

// Found are the recorded findings of the built-in rules if this program has other rules.
func (r recording) Found(own gate.Scanned) gate.Scanned {
	switch {
	case r.unread != nil:
		own.Findings, own.Err = nil, r.unread
	case r.guard == nil || r.guard.Rules == scan.RulesVersion:
	default:
		own.Findings, own.Err = nil, nil
		for _, s := range r.guard.Scanners {
			if s.Name == recorded.Patterns {
				own.Findings, own.Err = found(s.Findings), s.Error.Err()
			}
		}
	}
	return own
}

// Release is the decision by which a withheld result went on.
func (r recording) Release() *trace.ResumeBody { return r.release }
