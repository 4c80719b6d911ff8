package host

import (
	"context"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/approval"
	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/inbox"
	"github.com/onestep-run/onestep/trace"
)

// Approver asks a person for one call. The answer is recorded, and a replay gives
// it again.
type Approver interface {
	// Approve returns a yes to exactly this digest, or an approval.* denial. It
	// keeps to the request's expiry: a replay has the answer, and no clock.
	Approve(ctx context.Context, r Request) (gate.Yes, error)
}

// Request is a call to approve. Record has all that the digest covers.
type Request struct {
	Digest   string
	Record   jsontext.Value // the approval's record
	Question Question
	Server   string
	Tool     string
	Args     jsontext.Value // as they would leave
	Intent   intent.Report
	Effect   string
	Marked   bool
	Claim    string // the server's own description of the tool: a stranger's word
	Expires  string // RFC 3339

	Ruled gate.Ruled   // why a person is asked
	Again string       // why a person is asked again; "" the first time
	Offer *grant.Offer // what the person may grant with a yes, nil if nothing
}

// Approvals keeps the approvals of calls; see [inbox.Approvals].
type Approvals = inbox.Approvals

// Binding is the approval that a question brings along: its run, its digest, and
// who gives it. Without a By, a person gives or gave the approval elsewhere. A
// question that brings no approval is bound to its own run.
type Binding struct {
	RunID   string
	Digest  string // "" where the question brings no approval
	By      string // the subject who approves, as the question's
	How     string // gate.AtTerminal or gate.ByDigest
	Expires string // RFC 3339; found by the host
	Trace   string // the digest of that run's trace; found by the host

	// Record is the record that has Digest, or nil. With it, a refusal names the
	// changes.
	Record jsontext.Value
}

// approvalTTL is how long a pending approval can be given, unless the
// configuration says otherwise.
const approvalTTL = 15 * time.Minute

// bind sets the binding of this run's approval. It is the run itself, or the run that asked
// for the approval that the question brings.
func (r *run) bind(ctx context.Context) error {
	if p, key := r.sameCall(); key != "" {
		if err := r.join(ctx, p, key); err != nil {
			return err
		}
	}
	brought := r.question.Approval
	if brought == nil {
		expires := r.config.Now().Add(r.config.ApprovalTTL)
		r.approval.binding = Binding{RunID: r.out.RunID, Expires: expires.UTC().Format(time.RFC3339)}
		return nil
	}
	r.approval.binding, r.approval.by = *brought, brought.By
	if r.config.Approvals == nil {
		return nil
	}
	p, err := r.config.Approvals.Approval(ctx, brought.RunID)
	if err != nil {
		return err
	}
	if p.State == approval.Approved {
		r.approval.by = p.By
	}
	r.approval.binding.Expires, r.approval.binding.Trace = p.Expires.UTC().Format(time.RFC3339), p.Trace
	return nil
}

// consent asks a person if the call needs one. The yes is on disk before it counts.
// An approval that the question brings must be of this very call. It is used up
// even if the call no longer needs one, because it was given for one call, as it
// was shown.
func (r *run) consent(ctx context.Context, d decided) (gate.Consent, error) {
	a := d.Approved
	if call := &r.approval.call; call.Waits() {
		return gate.Consent{}, r.record("approval", r.deliver(call.Deliver()))
	}
	if a.Ruled().Ruling != verdict.Ask && r.question.Approval == nil {
		if err := r.redeem(ctx, d, gate.Yes{}); err != nil {
			return gate.Consent{}, r.refused(err)
		}
		return gate.Consent{}, nil
	}
	if grant.Exhausted(d.facts.Left) != nil {
		return gate.Consent{}, r.rate(d.facts.Left)
	}
	yes, err := r.answer(ctx, d)
	if err == nil {
		err = r.world.Unchanged(ctx) // a person took their time
	}
	var record jsontext.Value
	if err == nil {
		record, err = a.ConsentRecord(yes) // before anything of it is kept
	}
	if err == nil {
		err = r.redeem(ctx, d, yes)
	}
	if err != nil {
		return gate.Consent{}, r.refused(r.deliver(err))
	}
	var consent gate.Consent
	receipt, err := r.commit(trace.Consent, record)
	if err == nil {
		consent, err = a.Consented(yes, receipt)
	}
	if err := r.record("approval", err); err != nil {
		return gate.Consent{}, err
	}
	r.out.Approval.By, r.out.Approval.How = yes.By, yes.How
	return consent, nil
}

// recorded waits for the record of a call that a person, an audit or a decision point learns
// of. It does so, too, if the question brings an approval. Any other call waits for its record where it would leave, and
// meanwhile its server is asked for the live descriptor.
func (r *run) recorded(d decided, on trace.Receipt) error {
	alone := r.question.Approval == nil && !r.config.AuditRequired
	if alone && d.Ruled().Ruling == verdict.Allow && len(r.config.Points) == 0 {
		return nil
	}
	if err := on.Wait(); err != nil {
		return unwritable(err)
	}
	return nil
}

// answer is a person's, now or by a grant, or the approval that the question brought.
func (r *run) answer(ctx context.Context, d decided) (gate.Yes, error) {
	a := d.Approved
	if yes, is := r.granted(a); is {
		return yes, nil
	}
	if err := r.world.Unchanged(ctx); err != nil {
		return gate.Yes{}, err // before a person is asked
	}
	if r.question.Approval != nil && r.config.Approvals != nil {
		return r.claim(ctx, d)
	}
	approver := r.question.Approver
	if approver == nil {
		approver = r.config.Approver
	}
	if approver == nil {
		return r.unasked(ctx, d)
	}
	yes, err := approver.Approve(ctx, r.request(a))
	if stop := interrupted(ctx); stop != nil {
		return gate.Yes{}, stop
	}
	if no, _ := verdict.First(err); no != nil && no.Code == verdict.ApprovalNeeded { // the person gave no answer
		if lost := r.leave(d); lost != nil {
			return gate.Yes{}, lost
		}
		no.Hint = r.unanswered(d.Approved, r.approval.binding.RunID).Hint
	}
	if err != nil && verdict.CodeOf(err) == verdict.Internal {
		err = verdict.Fail(verdict.ApprovalRefused, err, "no person could be asked: %v", err)
	}
	return yes, err
}

// refused records why no call is made, unless its limit was recorded, or the call is
// decided again.
func (r *run) refused(err error) error {
	if code := verdict.CodeOf(err); code == verdict.RuleRate || code == verdict.ConfigChanged {
		return err
	}
	return r.record("approval", err)
}

// granted is the yes of a grant that answers the call. It also answers a call that
// waits for a person elsewhere. An approval that a person gave is used instead.
func (r *run) granted(a gate.Approved) (gate.Yes, bool) {
	g := a.Grant()
	if g == nil || a.Ruled().Ruling != verdict.Ask {
		return gate.Yes{}, false
	}
	if r.question.Approval != nil && !r.approval.elsewhere {
		return gate.Yes{}, false
	}
	return gate.Yes{Approval: a.Digest(), By: g.By, How: gate.ByGrant, Grant: g}, true
}

// unasked leaves the call for a person to approve elsewhere, if an approval can be
// kept. If the question has a hold, it waits.
func (r *run) unasked(ctx context.Context, d decided) (gate.Yes, error) {
	if r.config.Approvals != nil && r.question.Hold.Waits() {
		return r.hold(ctx, d)
	}
	if lost := r.leave(d); lost != nil {
		return gate.Yes{}, lost
	}
	return gate.Yes{}, r.unanswered(d.Approved, r.approval.binding.RunID)
}

// leave has the approval kept when the trace has ended, if a later call can use it.
func (r *run) leave(d decided) error {
	if r.config.Approvals == nil || r.alone() {
		return nil
	}
	left, err := r.pending(d, "", 0)
	if err == nil {
		r.approval.call.Leave(left)
	}
	return err
}

// unanswered is the refusal of a call that waits for a person.
func (r *run) unanswered(a gate.Approved, runID string) *verdict.Denial {
	no := verdict.Deny(verdict.ApprovalNeeded, "there was no approver for the call of %s/%s", a.Server(), a.Tool())
	if r.approval.why != "" {
		no.Reason += ", and an approval is needed again: " + r.approval.why
	}
	no.Hint = "give the question or the host an approver"
	if r.config.Approvals != nil && r.alone() {
		no.Hint = "ask again, and approve the call while it waits: it is part of no conversation, and no later call uses an approval of it"
	} else if r.config.Approvals != nil {
		no.Hint = fmt.Sprintf("until %s `ask approve %s` shows the call and approves exactly that one; a program asks again with host.Question.Approval", r.approval.binding.Expires, runID)
	}
	return no
}

func (r *run) request(a gate.Approved) Request {
	effect := a.Effect()
	var offer *grant.Offer
	if o, is := a.Offer(); is {
		offer = &o
	}
	return Request{
		Ruled: a.Ruled(), Again: r.approval.why, Offer: offer,
		Digest: a.Digest(), Record: a.Record(), Question: r.question, Server: a.Server(), Tool: a.Tool(), Args: a.Args(), Intent: a.Intent().Shown(r.question.Text), Effect: effect.String(),
		Marked: a.Intent().Marked(effect.Reads), Claim: a.Claim(), Expires: r.approval.binding.Expires,
	}
}

// claim uses up the approval that the question brought. It first checks that the
// approval is of this call: an approval of another call is left unchanged.
func (r *run) claim(ctx context.Context, d decided) (gate.Yes, error) {
	a, brought, approvals := d.Approved, r.question.Approval, r.config.Approvals
	is, err := approvals.Approval(ctx, brought.RunID)
	if err != nil {
		return gate.Yes{}, err
	}
	if brought.By == "" {
		return r.claimGiven(ctx, d, is)
	}
	if err := r.underOthers(d, is); err != nil {
		return gate.Yes{}, err
	}
	yes := gate.Yes{Approval: brought.Digest, By: brought.By, How: brought.How, RunID: brought.RunID, Trace: is.Trace}
	if _, err := a.ConsentRecord(yes); err != nil {
		if verdict.CodeOf(err) == verdict.ApprovalChanged {
			err = brought.changed(a.Record())
		}
		return gate.Yes{}, err
	}
	if is.State == approval.Pending {
		is, err = approvals.Move(ctx, is.RunID, brought.Digest, approval.Step{To: approval.Approved, By: yes.By, How: yes.How, Now: r.config.Now()})
		if err != nil {
			return gate.Yes{}, err
		}
	}
	return r.use(a, is)
}

// claimGiven waits for an approval that another run of the conversation asked for. If the
// call differs from the one that was shown, that approval is void.
func (r *run) claimGiven(ctx context.Context, d decided, is approval.Approval) (gate.Yes, error) {
	if err := r.underOthers(d, is); err != nil {
		return gate.Yes{}, err
	}
	if d.Digest() != is.Digest {
		_, err := r.config.Approvals.Move(ctx, is.RunID, is.Digest, approval.Step{To: approval.Superseded, Now: r.config.Now()})
		if err == nil {
			err = verdict.Deny(verdict.ApprovalChanged, "the tool, a setting or a file that the call names has changed since run %s asked for it", is.RunID)
		}
		return gate.Yes{}, err
	}
	if hold := r.question.Hold; is.State == approval.Pending && hold.Waits() {
		now := r.config.Now()
		if _, err := r.config.Approvals.Move(ctx, is.RunID, is.Digest, approval.Step{To: approval.Pending, Held: now.Add(hold.For), Now: now}); err != nil {
			return gate.Yes{}, err
		}
	}
	return r.await(ctx, d.Approved, is)
}

// underOthers has a call decided again if its approval was asked for under other
// rules, another allowlist or other settings than now.
func (r *run) underOthers(d decided, is approval.Approval) error {
	same := is.Call != "" && is.Call == callOf(d.Approved)
	if !same || is.Deciding == d.facts.Deciding || !is.Live(r.config.Now()) {
		return nil
	}
	r.approval.call.Outdated(is)
	return otherwise("rules, allowlist or settings have changed since run %s asked for the call", is.RunID)
}
