package host

import (
	"cmp"
	"context"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

// labelled is the conversation whose labels the question shares.
func (q Question) labelled() string {
	if q.Labelled != "" {
		return q.Labelled
	}
	return q.Facts.Conversation
}

// redeem checks and spends all that the call needs of the state, in one step, before
// its consent is recorded. Where it fails, no call is made.
func (r *run) redeem(ctx context.Context, a gate.Approved, yes gate.Yes) error {
	r.spends.Takes = r.config.Policy.CallRules.Limits(a.Server(), a.Tool())
	r.spends.Run, r.spends.Now, r.spends.Uses, r.spends.Gives = r.out.RunID, r.config.Now(), a.Grant(), yes.Gives
	if yes.How != "" && yes.How != gate.ByGrant {
		r.spends.Uses = nil // a person answered
	}
	if r.config.Policy.CallRules.Configured() && a.Ruled().Ruling == verdict.Ask {
		r.spends.Labelled, r.spends.Labels = r.question.labelled(), r.facts.Labels // a person took their time
	}
	if !closed(a) {
		r.spends.Marks = r.unset(grant.Exposed)
	}
	left, err := r.world.Spend(ctx, r.spends)
	if err == nil && r.spends.Approval != "" && r.question.Hold != nil && r.question.Hold.Used != nil {
		r.question.Hold.Used()
	}
	if err == nil || verdict.CodeOf(err) == verdict.RuleRate {
		return cmp.Or(r.rate(left), err)
	}
	return err
}

// rateGate is the gate that a trace names where calls are limited.
const rateGate = "rate"

// rate records what was left of the limits of a call, and refuses it where that was
// nothing.
func (r *run) rate(limits []grant.Bucket) error {
	if len(limits) == 0 {
		return nil
	}
	return r.recordVerdict(Verdict{Gate: rateGate, Rates: limits}, gate.Ruled{Ruling: verdict.Allow}, grant.Exhausted(limits))
}

// refused records why no call is made, unless its limit was recorded, or the call is
// decided again.
func (r *run) refused(err error) error {
	if code := verdict.CodeOf(err); code == verdict.RuleRate || code == verdict.ConfigChanged {
		return err
	}
	return r.record("approval", err)
}

// unset is a label of the conversation, unless that is known to have it.
func (r *run) unset(label string) []grant.Mark {
	of := r.question.labelled()
	if of == "" || len(grant.Labelled(r.facts.Labels, []string{label})) == len(r.facts.Labels) {
		return nil
	}
	return []grant.Mark{{Conversation: of, Name: label, Run: r.out.RunID, At: r.config.Now()}}
}

// secretive reports whether a secret was redacted from a result.
func secretive(raw gate.RawResult) bool { return raw.Redacted || len(raw.Hidden) > 0 }

// labelsOf are the labels that a call gives.
func labelsOf(a gate.Approved, raw gate.RawResult) (all []string) {
	if !closed(a) {
		all = append(all, grant.Exposed)
	}
	if secretive(raw) {
		all = append(all, grant.Sensitive)
	}
	return all
}

// sensitive labels the conversation where a secret was redacted. A result whose label
// is not on disk is not shown.
func (r *run) sensitive(ctx context.Context, raw gate.RawResult) error {
	label := grant.Redemption{Run: r.out.RunID, Now: r.config.Now()}
	if secretive(raw) {
		label.Marks = r.unset(grant.Sensitive)
	}
	err := r.world.Label(ctx, label)
	if err == nil {
		return nil
	}
	return r.record(labelGate, err)
}

// labelGate is the gate that a trace names where a label could not be kept.
const labelGate = "labels"

// answered is the yes of a grant, where one answers the call. One that waits for a
// person elsewhere is answered, too; an approval that a person gave is used.
func (r *run) answered(a gate.Approved) (gate.Yes, bool) {
	g := a.Grant()
	if g == nil || a.Ruled().Ruling != verdict.Ask || r.question.Approval != nil && !r.waitsElsewhere {
		return gate.Yes{}, false
	}
	return gate.Yes{Approval: a.Digest(), By: g.By, How: gate.ByGrant, Grant: g}, true
}

// given is the approval that a person gave of the call before.
func (r *run) given() gate.Given {
	if r.approvedBy == "" {
		return gate.Given{}
	}
	return gate.Given{RunID: r.binding.RunID, ByOther: r.approvedBy != r.question.Subject}
}

// filesGate is the gate that a trace names where a call names files that it cannot be
// granted.
const filesGate = "files"

// files are what the call's arguments name, where its server is granted that alone.
func (r *run) files(c catalog.Catalog, p plan.Plan) (files []trace.FileBody, err error) {
	if _, unknown := c.Tool(p.Server(), p.Tool()); unknown != nil {
		return nil, nil //nolint:nilerr // the gate refuses it
	}
	if r.release != nil {
		r.release()
		r.release = nil
	}
	files, r.release, err = r.world.Files(p.Server(), p.Args())
	return files, err
}

// knowing gives what the gate is asked with: the state's facts, and the time.
func (r *run) knowing(ctx context.Context, by gate.Asked, c catalog.Catalog, p plan.Plan) (_ gate.Asked, err error) {
	q := r.question
	of := grant.Key{Subject: q.Subject, Conversation: q.Facts.Conversation, Labelled: q.labelled(), Server: p.Server(), Tool: p.Tool(), Resource: rule.ResourceID(c, p)}
	r.facts, err = r.world.Facts(ctx, of, r.given())
	by.Deciding, by.Time, by.Labels, by.Grants, by.Given = r.facts.Deciding, r.facts.Time, r.facts.Labels, r.facts.Grants, r.facts.Given
	return by, err
}
