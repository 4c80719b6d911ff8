package host

import (
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

// know reads once what the state holds for the call: of a replay what the trace has.
func (r *run) know(ctx context.Context, c catalog.Catalog, p plan.Plan) (grant.Known, error) {
	if was := r.config.Recorded; was != nil {
		return grant.Known{Labels: was.Labels, Grants: was.Grants}, r.failedBefore("approve")
	}
	q := r.question
	if r.config.Approvals == nil || !r.config.Policy.CallRules.Configured() && q.labelled() == "" {
		return grant.Known{}, nil
	}
	return r.config.Approvals.Known(ctx, grant.Key{
		Subject: q.Subject, Conversation: q.Facts.Conversation, Labelled: q.labelled(), Server: p.Server(), Tool: p.Tool(), Resource: rule.ResourceID(c, p),
	})
}

// failedBefore is how the state failed the recorded run at a gate, nil where it did not.
func (r *run) failedBefore(gateName string) error {
	if was := r.config.Recorded; was != nil && was.State != nil {
		return was.State(gateName)
	}
	return nil
}

// redeem checks and spends all that the call needs of the state, in one step, before
// its consent is recorded. Where it fails, no call is made.
func (r *run) redeem(ctx context.Context, a gate.Approved, yes gate.Yes) error {
	limits := r.config.Policy.CallRules.Limits(a.Server(), a.Tool())
	if was := r.config.Recorded; was != nil {
		if err := r.failedBefore("approval"); err != nil {
			return err
		}
		return r.rate(grant.Recorded(limits, was.Rates))
	}
	if r.config.Approvals == nil {
		for i := range limits {
			limits[i].Why = "no state counts the calls here"
		}
		return r.rate(limits)
	}
	r.spends.Takes = limits
	r.spends.Run, r.spends.Now, r.spends.Uses, r.spends.Gives = r.out.RunID, r.config.Now(), a.Grant(), yes.Gives
	if yes.How != "" && yes.How != gate.ByGrant {
		r.spends.Uses = nil // a person answered
	}
	if r.config.Policy.CallRules.Configured() && a.Ruled().Ruling == verdict.Ask {
		r.spends.Labelled, r.spends.Labels = r.question.labelled(), r.known.Labels // a person took their time
	}
	if !closed(a) {
		r.spends.Marks = r.unset(grant.Exposed)
	}
	if r.spends.Empty() {
		return nil
	}
	err := r.config.Approvals.Redeem(ctx, r.spends)
	if err == nil && r.spends.Approval != "" && r.question.Hold != nil && r.question.Hold.Used != nil {
		r.question.Hold.Used()
	}
	if err == nil || verdict.CodeOf(err) == verdict.RuleRate {
		return r.rate(limits)
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

// exhausted refuses in a replay what a limit refused in the run, before the answer is
// asked for: of a yes that led to no call the trace has no consent.
func (r *run) exhausted(a gate.Approved) error {
	was := r.config.Recorded
	if was == nil {
		return nil
	}
	limits := grant.Recorded(r.config.Policy.CallRules.Limits(a.Server(), a.Tool()), was.Rates)
	if grant.Exhausted(limits) == nil {
		return nil
	}
	return r.rate(limits)
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
	if of == "" || len(grant.Labelled(r.known.Labels, []string{label})) == len(r.known.Labels) {
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
	err := r.failedBefore(labelGate)
	if marks := r.unset(grant.Sensitive); r.config.Recorded == nil && r.config.Approvals != nil && secretive(raw) && len(marks) > 0 {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepLimit) // the call was made
		defer cancel()
		err = r.config.Approvals.Redeem(ctx, grant.Redemption{Run: r.out.RunID, Marks: marks, Now: r.config.Now()})
	}
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

// given is the approval that a person gave of the call before, of a replay the
// recorded one.
func (r *run) given() gate.Given {
	if was := r.config.Recorded; was != nil {
		return gate.Given{RunID: was.Given, ByOther: was.Other}
	}
	if r.approvedBy == "" {
		return gate.Given{}
	}
	return gate.Given{RunID: r.binding.RunID, ByOther: r.approvedBy != r.question.Subject}
}

// filesGate is the gate that a trace names where a call names files that it cannot be
// granted.
const filesGate = "files"

// files are what the call's arguments name, where its server is granted that alone: of
// a replay what the run found.
func (r *run) files(c catalog.Catalog, p plan.Plan) (files []trace.FileBody, err error) {
	if was := r.config.Recorded; was != nil {
		return was.Files, r.failedBefore(filesGate)
	}
	_, unknown := c.Tool(p.Server(), p.Tool()) // which the gate refuses
	if r.release != nil {
		r.release()
		r.release = nil
	}
	if b, binds := r.config.Caller.(Binder); binds && unknown == nil {
		files, r.release, err = b.Bind(p.Server(), p.Args())
	}
	return files, r.clean(p.Server(), err)
}

// knowing gives what the gate is asked with: the state's facts, and the time.
func (r *run) knowing(ctx context.Context, by gate.Asked, c catalog.Catalog, p plan.Plan) (gate.Asked, error) {
	known, err := r.know(ctx, c, p)
	if err != nil {
		return by, edge(ctx, err, verdict.Internal)
	}
	r.known, by.Labels, by.Grants, by.Given = known, known.Labels, known.Grants, r.given()
	by.Time, err = r.decisionTime(known)
	return by, err
}
