package host

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/approval"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host/inbox"
)

// join binds the run to an earlier approval of the same call in the same conversation. That
// approval can still be given or used, or was refused.
func (r *run) join(ctx context.Context, p plan.Plan, key string) error {
	r.out.key = key
	asks := r.config.Policy.Allowlist.Effect(p.Server(), p.Tool()).Asks()
	if err := r.approval.call.Join(ctx, &r.inbox, key, asks, r.config.Now); err != nil {
		return errors.Join(interrupted(ctx), err)
	}
	if r.approval.call.Waits() {
		return nil
	}
	is, err := r.config.Approvals.SameCall(ctx, key)
	if is.State == approval.Pending && (r.question.Approver != nil || r.config.Approver != nil) {
		return err // a person can be asked now
	}
	now := r.config.Now()
	denied := is.State == approval.Denied && !now.After(is.Expires)
	if err == nil && (denied || is.Live(now)) {
		r.question.Approval, r.approval.elsewhere = &Binding{RunID: is.RunID, Digest: is.Digest}, is.State == approval.Pending
		r.approval.call.Asked()
	}
	return err
}

// sameCall is the plan by which another run of the conversation is recognised as the same
// call, and its key. The key is "" if no run can match.
func (r *run) sameCall() (p plan.Plan, key string) {
	q := r.question
	if r.config.Approvals == nil || q.Facts.Conversation == "" || q.Plan == nil {
		return p, ""
	}
	if q.Approval != nil || q.DryRun || q.Edited {
		return p, ""
	}
	same := q.Plan
	if q.Client && q.Same != nil {
		same = q.Same
	}
	p, err := plan.Parse(same)
	if err != nil || p.Declines() {
		return p, "" // the plan is refused in its turn
	}
	return p, q.callKey(p.Server(), p.Tool(), p.Args())
}

// callKey names a call within its conversation, "" outside of one. It covers the
// approval's record without the tool's descriptor and the operator's settings. If
// these change, the record differs, and the consent finds that.
func (q Question) callKey(server, tool string, args jsontext.Value) string {
	canonical, err := schema.Canonical(args)
	if err != nil || q.Facts.Conversation == "" {
		return ""
	}
	b, err := json.Marshal([]string{q.Subject, q.Facts.Conversation, q.Text, q.Context, server, tool, string(canonical)})
	if err != nil {
		return ""
	}
	return fmt.Sprintf("sha256:%x", sha256.Sum256(b))
}

// pending is the approval of this run, in the form that the state keeps.
func (r *run) pending(d decided, trace string, held time.Duration) (approval.Approval, error) {
	expires, err := time.Parse(time.RFC3339, r.approval.binding.Expires)
	now := r.config.Now()
	p := approval.Approval{
		RunID: r.out.RunID, Digest: d.Digest(), Trace: trace, Key: r.out.key, Client: r.question.Client,
		State: approval.Pending, Created: now, Expires: expires, Deciding: d.facts.Deciding, Call: callOf(d.Approved),
	}
	if held > 0 {
		p.Held = now.Add(held)
	}
	if err == nil {
		p.Request, err = inbox.RequestOf(d.Approved, r.approval.why, r.out.Removed)
	}
	return p, err
}

// callOf is the digest of an approved call alone.
func callOf(a gate.Approved) string {
	is, err := gate.ReadRecord(a.Record())
	if err != nil {
		return "" // of no call
	}
	return is.CallDigest()
}

// hold keeps the approval of this run while the run goes on, and waits for it.
func (r *run) hold(ctx context.Context, d decided) (gate.Yes, error) {
	asked, err := r.pending(d, r.log.Head().Digest(), r.question.Hold.For)
	if err == nil {
		err = r.config.Approvals.Ask(ctx, asked)
	}
	if err != nil {
		return gate.Yes{}, err
	}
	r.approval.call.Asked()
	yes, err := r.await(ctx, d.Approved, asked)
	if err != nil && r.alone() {
		r.withdraw(ctx, asked)
	}
	return yes, err
}

// alone reports whether no later call can use an approval of this one: a client asks outside
// of any conversation.
func (r *run) alone() bool { return r.question.Client && r.question.Facts.Conversation == "" }

// withdraw ends an approval that was not used, so that no person gives it in vain. If it
// cannot be ended now, it expires.
func (r *run) withdraw(ctx context.Context, is approval.Approval) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), withdrawLimit)
	defer cancel()
	_, _ = r.config.Approvals.Move(ctx, is.RunID, is.Digest, approval.Step{To: approval.Superseded, Now: r.config.Now()})
}

// withdrawLimit is how long it may take to end an approval.
const withdrawLimit = 10 * time.Second

// await waits for an approval as long as the question holds, and uses it if it is of
// this call. redeem spends it.
func (r *run) await(ctx context.Context, a gate.Approved, is approval.Approval) (gate.Yes, error) {
	wait := inbox.Wait{Hold: r.question.Hold, State: r.config.Approvals, Sink: r.sink, Now: r.config.Now, Server: a.Server(), Tool: a.Tool()}
	is, err := wait.For(ctx, &r.approval.call, is)
	if stop := interrupted(ctx); stop != nil && errors.Is(err, ctx.Err()) {
		return gate.Yes{}, stop
	}
	if err != nil {
		return gate.Yes{}, err
	}
	return r.use(a, is)
}

// use is the yes of an approval that a person gave elsewhere.
func (r *run) use(a gate.Approved, is approval.Approval) (gate.Yes, error) {
	now := r.config.Now()
	if is.State == approval.Pending && is.Live(now) {
		return gate.Yes{}, r.unanswered(a, is.RunID)
	}
	return r.approval.call.Answer(a, is, r.out.RunID, now)
}

// deliver gives the result of an earlier run of the same call in place of the call.
func (r *run) deliver(err error) error {
	if d := r.approval.call.Delivered(); d != nil {
		r.out.Handed, r.out.HandedRun, r.out.owed = d.Body, d.Run, *d
	}
	return err
}

// Undelivered keeps the result of an approved call whose asker has gone. The next
// call with the same arguments in the same conversation gets it in
// [Outcome.Handed], once, until the approval expires: the call is not made again.
// Any other outcome is not kept.
func (h *Host) Undelivered(out Outcome) {
	if h == nil {
		return
	}
	if out.Handed != nil { // it is owed again
		h.inbox.Return(out.key, out.owed, h.start.Now())
		return
	}
	body := out.Result
	if body == nil {
		body = out.ToolError // a tool's own error message is its result, too
	}
	if out.key == "" || body == nil || out.Approval == nil {
		return
	}
	expires, err := time.Parse(time.RFC3339, out.Approval.Expires)
	if err != nil {
		return
	}
	h.inbox.Return(out.key, inbox.Result{Run: out.RunID, Body: body, Expires: expires}, h.start.Now())
}
