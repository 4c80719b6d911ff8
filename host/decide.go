package host

import (
	"cmp"
	"context"
	"errors"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

// approve has the gate approve the one call, and records which parts of it the user
// said.
func (r *run) approve(ctx context.Context, c considered) (d decided, err error) {
	q, b := r.question, r.approval.binding
	if q.Client {
		if c.planned, err = r.withoutAddition(c); err != nil {
			return d, err
		}
	}
	asked := gate.Asked{
		Query: c.query, RunID: b.RunID, Subject: q.Subject, Expires: b.Expires, Facts: q.Facts, Client: q.Client, Edited: q.Edited,
		Again: r.approval.why, Still: func() error { return r.world.Unchanged(ctx) },
	}
	if asked.Files, err = r.files(c); err != nil {
		return d, r.record("files", err)
	}
	if d.facts, err = r.facts(ctx, c); err == nil {
		f := d.facts
		asked.Deciding, asked.Time, asked.Labels, asked.Grants, asked.Given = f.Deciding, f.Time, f.Labels, f.Grants, f.Given
		d.Approved, err = r.gate.Approve(asked, c.tools, c.planned)
	}
	if lost := r.recordDecision(gate.DecisionOf(d.Approved, err), d.facts.Grants); lost != nil {
		return decided{}, errors.Join(err, lost)
	}
	if err := r.rule(Verdict{Gate: "approve"}, d.Ruled(), err); err != nil {
		return decided{}, err
	}
	r.recordIntent(d.Approved)
	return d, nil
}

// withoutAddition removes the argument that a client adds to every tool, if the
// tool does not accept it, and records that. If the call is decided again, it
// begins with the plan as the client sent it.
func (r *run) withoutAddition(c considered) (plan.Plan, error) {
	p, removed := r.gate.WithoutAddition(r.question.Facts.Client, c.tools, c.planned)
	r.out.Plan, r.out.Planned, r.out.Removed = p.JSON(), p, removed
	if removed == nil {
		return p, nil
	}
	return p, r.rule(Verdict{Gate: "additions", Removed: removed}, gate.Ruled{Ruling: verdict.Allow}, nil)
}

// files are the files that the call's arguments name, if its server is granted only
// those.
func (r *run) files(c considered) (files []trace.FileBody, err error) {
	p := c.planned
	if _, unknown := c.tools.Tool(p.Server(), p.Tool()); unknown != nil {
		return nil, nil //nolint:nilerr // the gate refuses it
	}
	if r.ends.release != nil {
		r.ends.release()
		r.ends.release = nil
	}
	files, r.ends.release, err = r.world.Files(p.Server(), p.Args())
	return files, err
}

// facts are those of the state, the time, and the approval that a person gave before.
func (r *run) facts(ctx context.Context, c considered) (Facts, error) {
	var given gate.Given
	if by := r.approval.by; by != "" {
		given = gate.Given{RunID: r.approval.binding.RunID, ByOther: by != r.question.Subject}
	}
	p, q := c.planned, r.question
	return r.world.Facts(ctx, grant.Key{
		Subject: q.Subject, Conversation: q.Facts.Conversation, Labelled: q.Labelled, Server: p.Server(), Tool: p.Tool(), Resource: rule.ResourceID(c.tools, p),
	}, given)
}

// recordDecision puts the policy's decision on the trace, with the record that
// determines it.
func (r *run) recordDecision(d *gate.Decision, grants []grant.Grant) error {
	if d == nil {
		return nil
	}
	body := trace.DecisionBody{Grants: grants, Verdict: d.Ruling.String(), By: d.By, Code: d.Code, Reason: d.Reason, Spoke: []trace.SpokeBody{}, Record: d.Record}
	r.out.decidedBy = d.By
	for _, s := range d.Spoke {
		body.Spoke = append(body.Spoke, trace.SpokeBody{Rule: s.Rule, Effect: string(s.Effect), Why: s.Why, Error: s.Error})
	}
	r.world.Decided(body)
	return r.append(trace.Decision, body)
}

// recordIntent puts into the outcome which parts of the call the user said. It adds
// who approved the call: a rule or the allowlist, if no person has to.
func (r *run) recordIntent(a gate.Approved) {
	effect, report := a.Effect(), a.Intent()
	r.out.Intent = &Intent{Effect: effect.String(), EffectStated: effect.Stated, EffectBy: effect.By(), Marked: report.Marked(effect.Reads), Report: report.Shown(r.question.Text)}
	is := Approval{Digest: a.Digest(), RunID: r.approval.binding.RunID}
	switch d := a.Ruled().Decision; {
	case a.Ruled().Ruling == verdict.Ask, r.question.Approval != nil:
		is.Expires = r.approval.binding.Expires
	case effect.Reads:
		return
	case d != nil && d.ByRule():
		is.How = gate.ByRule
	default:
		is.How = gate.ByAllowlist
	}
	r.out.Approval = &is
}

// redeem checks and spends all that the call needs of the state, in one step,
// before its consent is recorded. If it fails, no call is made.
func (r *run) redeem(ctx context.Context, d decided, yes gate.Yes) error {
	rules := r.config.Policy.CallRules
	s := grant.Redemption{Run: r.out.RunID, Now: r.config.Now(), Uses: d.Grant(), Gives: yes.Gives}
	s.Takes = rules.Limits(d.Server(), d.Tool())
	s.Counts = r.config.Counts
	s.Approval, s.Digest = r.approval.call.Uses()
	if yes.How != "" && yes.How != gate.ByGrant {
		s.Uses = nil // a person answered
	}
	if rules.Configured() && d.Ruled().Ruling == verdict.Ask {
		s.Labelled, s.Labels = r.question.Labelled, d.facts.Labels // a person took their time
	}
	if !closed(d.Approved) {
		s.Marks = r.missing(grant.Exposed, d.facts.Labels)
	}
	left, err := r.world.Spend(ctx, s)
	if err == nil && s.Approval != "" {
		r.question.Hold.Spent()
	}
	if err != nil && verdict.CodeOf(err) != verdict.RuleRate || len(left) == 0 {
		return err
	}
	return cmp.Or(r.rate(left), err)
}

// rate records what is left of the limits of a call, and refuses a call whose limit
// is used up.
func (r *run) rate(limits []grant.Bucket) error {
	return r.rule(Verdict{Gate: "rate", Rates: limits}, gate.Ruled{Ruling: verdict.Allow}, grant.Exhausted(limits))
}

// missing is a label that the conversation is not known to have.
func (r *run) missing(label string, known []string) []grant.Mark {
	of := r.question.Labelled
	if of == "" || len(grant.Labelled(known, []string{label})) == len(known) {
		return nil
	}
	return []grant.Mark{{Conversation: of, Name: label, Run: r.out.RunID, At: r.config.Now()}}
}
