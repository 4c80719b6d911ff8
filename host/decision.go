package host

import (
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/host/internal/recorded"
	"github.com/onestep-run/onestep/trace"
)

// recordDecision puts on the trace what the policy came to, and the record that it
// is a pure function of.
func (r *run) recordDecision(d *gate.Decision) error {
	if d == nil {
		return nil
	}
	body := trace.DecisionBody{Grants: r.facts.Grants, Verdict: d.Ruling.String(), By: d.By, Code: d.Code, Reason: d.Reason, Spoke: []trace.SpokeBody{}, Record: d.Record}
	r.decidedBy = d.By
	for _, s := range d.Spoke {
		body.Spoke = append(body.Spoke, trace.SpokeBody{Rule: s.Rule, Effect: string(s.Effect), Why: s.Why, Error: s.Error})
	}
	r.world.Decided(body)
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
