package host

import (
	"time"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/internal/recorded"
	"github.com/onestep-run/onestep/trace"
)

// place is where the rules of calls have their time. Without a zone it is UTC. A
// replay that has the time in this zone needs none.
func (c Config) place() (*time.Location, error) {
	p := c.Policy.CallRules
	where, err := time.LoadLocation(p.Zone())
	if err != nil && (c.Recorded == nil || c.Recorded.Zone != zoneName(p)) {
		f := verdict.Fail(verdict.ConfigInvalid, err, "the zone %.60q of the policy is not known on this machine", p.Zone())
		f.Hint = "write the IANA name of a time zone, such as Europe/Berlin, or install the system's time zones"
		return nil, f
	}
	return where, nil
}

// decisionTime is the time that rules and grants read: of a replay the recorded one.
// The clock is read once for a decision, and where nothing reads it not at all. One
// that is behind the state's newest entry is an error: nothing of it can be relied on.
func (r *run) decisionTime(known grant.Known) (string, error) {
	was := r.config.Recorded
	if !r.config.Policy.CallRules.Configured() && len(known.Grants) == 0 {
		return "", nil
	}
	if was != nil && was.Time != "" {
		if was.Zone == zoneName(r.config.Policy.CallRules) {
			return was.Time, nil
		}
		then, err := time.Parse(time.RFC3339, was.Time)
		if err != nil {
			return "", nil //nolint:nilerr // is not known, and helps no call
		}
		return then.In(r.where).Format(time.RFC3339), nil
	}
	now := r.config.Now()
	if was == nil && now.Add(time.Second).Before(known.Newest) {
		return "", verdict.Deny(verdict.StateClock, "the clock says %s, and the state has an entry of %s", now.UTC().Format(time.RFC3339), known.Newest.UTC().Format(time.RFC3339))
	}
	return now.In(r.where).Format(time.RFC3339), nil
}

func zoneName(p rule.Policy) string {
	if p.Zone() == "" {
		return "UTC"
	}
	return p.Zone()
}

// recordDecision puts on the trace what the policy came to, and the record that it
// is a pure function of.
func (r *run) recordDecision(d *gate.Decision) error {
	if d == nil {
		return nil
	}
	body := trace.DecisionBody{Grants: r.known.Grants, Verdict: d.Ruling.String(), By: d.By, Code: d.Code, Reason: d.Reason, Spoke: []trace.SpokeBody{}, Record: d.Record}
	r.decidedBy = d.By
	for _, s := range d.Spoke {
		body.Spoke = append(body.Spoke, trace.SpokeBody{Rule: s.Rule, Effect: string(s.Effect), Why: s.Why, Error: s.Error})
	}
	if was := r.config.Recorded; was != nil && was.Decided != nil {
		was.Decided(body)
	}
	return r.append(trace.Decision, body)
}

// creditRule says in the outcome that a rule, and not the allowlist, allowed a change.
func (r *run) creditRule(a gate.Approved) {
	if d := a.Ruled().Decision; d != nil && d.ByRule() && r.out.Approval != nil && r.out.Approval.How == gate.ByAllowlist {
		r.out.Approval.How = gate.ByRule
	}
}

// files are a policy's files as a trace has them.
func files(p rule.Policy) (all []recorded.PolicyFile) {
	for _, f := range p.Files() {
		all = append(all, recorded.PolicyFile{Name: f.Name, Text: trace.Keep(f.Text), Narrows: f.Narrows})
	}
	return all
}
