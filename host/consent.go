package host

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/approval"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/inbox"
	"github.com/onestep-run/onestep/trace"
)

// Approver asks a person for one call. What it answers is recorded, and a
// replay gives it again.
type Approver interface {
	// Approve returns a yes to exactly this digest, or an approval.* denial. It
	// keeps to the request's expiry: a replay has the answer, and no clock.
	Approve(ctx context.Context, r Request) (gate.Yes, error)
}

// Request is what a person approves. All that the digest covers is in Record.
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
	Again string       // why once more; "" where no person was asked before
	Offer *grant.Offer // what the person may grant with a yes, nil where nothing can be
}

// Approvals keeps the approvals of calls; see [inbox.Approvals].
type Approvals = inbox.Approvals

// Binding is the approval that a question brings along: of which run, the
// digest that was read, and who gives it. Without a By the approval is one that a
// person gives elsewhere, or gave. In a run that brings none it is the run's own.
type Binding struct {
	RunID   string
	Digest  string // "" where the question brings no approval
	By      string // who approves: a subject, as the question's
	How     string // gate.AtTerminal or gate.ByDigest
	Expires string // RFC 3339; found by the host
	Trace   string // the digest of that run's trace; found by the host

	// Record is what Digest is of, or nil: with it a refusal says what changed.
	Record jsontext.Value
}

// approvalTTL is how long a pending approval can be given, unless the
// configuration says otherwise.
const approvalTTL = 15 * time.Minute

// bind finds out what the approval of this run is bound to: the run itself, or
// the run whose approval the question brings.
func (r *run) bind(ctx context.Context) error {
	if err := r.join(ctx); err != nil {
		return err
	}
	brought := r.question.Approval
	if brought == nil {
		expires := r.config.Now().Add(r.config.ApprovalTTL)
		r.binding = Binding{RunID: r.out.RunID, Expires: expires.UTC().Format(time.RFC3339)}
		return nil
	}
	r.binding, r.approvedBy = *brought, brought.By
	if r.config.Approvals == nil {
		return nil
	}
	p, err := r.config.Approvals.Approval(ctx, brought.RunID)
	if err != nil {
		return err
	}
	if p.State == approval.Approved {
		r.approvedBy = p.By
	}
	r.binding.Expires, r.binding.Trace = p.Expires.UTC().Format(time.RFC3339), p.Trace
	return nil
}

func (b Binding) record() *trace.BindingBody {
	return &trace.BindingBody{RunID: b.RunID, Digest: b.Digest, By: b.By, How: b.How, Expires: b.Expires, Trace: b.Trace}
}

// asked is what an approval is of, next to the call.
func (r *run) asked(ctx context.Context, q input.Query) gate.Asked {
	return gate.Asked{
		Query: q, RunID: r.binding.RunID, Subject: r.question.Subject, Expires: r.binding.Expires, Facts: r.question.Facts, Client: r.question.Client, Edited: r.question.Edited,
		Again: r.why, Still: func() error { return r.world.Unchanged(ctx) },
	}
}

// recordIntent puts into the outcome what of the call the user said.
func (r *run) recordIntent(a gate.Approved) {
	effect, report := a.Effect(), a.Intent()
	r.out.Intent = &Intent{Effect: effect.String(), EffectStated: effect.Stated, EffectBy: effect.By(), Marked: report.Marked(effect.Reads), Report: report.Shown(r.question.Text)}
	switch {
	case a.Ruled().Ruling == verdict.Ask, r.question.Approval != nil:
		r.out.Approval = &Approval{Digest: a.Digest(), RunID: r.binding.RunID, Expires: r.binding.Expires}
	case !effect.Reads:
		r.out.Approval = &Approval{Digest: a.Digest(), RunID: r.binding.RunID, How: gate.ByAllowlist}
	}
}

// consent asks a person where one is needed. The yes is on disk before it is worth
// anything. An approval that is brought is of this very call and used up, also
// where none is needed by now: it was given for one call, as it was shown.
func (r *run) consent(ctx context.Context, a gate.Approved) (gate.Consent, error) {
	if r.call.Waits() {
		return gate.Consent{}, r.record("approval", r.deliver(r.call.Deliver()))
	}
	if a.Ruled().Ruling != verdict.Ask && r.question.Approval == nil {
		if err := r.redeem(ctx, a, gate.Yes{}); err != nil {
			return gate.Consent{}, r.refused(err)
		}
		return gate.Consent{}, nil
	}
	if grant.Exhausted(r.facts.Left) != nil {
		return gate.Consent{}, r.rate(r.facts.Left)
	}
	yes, err := r.answer(ctx, a)
	if err == nil {
		err = r.world.Unchanged(ctx) // a person took their time
	}
	if err == nil {
		_, err = a.ConsentRecord(yes) // before anything of it is kept
	}
	if err == nil {
		err = r.redeem(ctx, a, yes)
	}
	if err != nil {
		return gate.Consent{}, r.refused(r.deliver(err))
	}
	consent, err := r.consented(a, yes)
	if err := r.record("approval", err); err != nil {
		return gate.Consent{}, err
	}
	r.out.Approval.By, r.out.Approval.How = yes.By, yes.How
	return consent, nil
}

func (r *run) consented(a gate.Approved, yes gate.Yes) (gate.Consent, error) {
	record, err := a.ConsentRecord(yes)
	if err != nil {
		return gate.Consent{}, err
	}
	receipt, err := r.commit(trace.Consent, record)
	if err != nil {
		return gate.Consent{}, err
	}
	return a.Consented(yes, receipt)
}

// answer is a person's, now or by a grant, or the approval that the question brought.
func (r *run) answer(ctx context.Context, a gate.Approved) (gate.Yes, error) {
	if yes, is := r.answered(a); is {
		return yes, nil
	}
	if err := r.world.Unchanged(ctx); err != nil {
		return gate.Yes{}, err // before a person is asked
	}
	if r.question.Approval != nil && r.config.Approvals != nil {
		return r.claim(ctx, a)
	}
	approver := r.question.Approver
	if approver == nil {
		approver = r.config.Approver
	}
	if approver == nil {
		return r.unasked(ctx, a)
	}
	yes, err := approver.Approve(ctx, r.request(a))
	if stop := interrupted(ctx); stop != nil {
		return gate.Yes{}, stop
	}
	if no, _ := verdict.First(err); no != nil && no.Code == verdict.ApprovalNeeded { // the person gave no answer
		if lost := r.leave(a); lost != nil {
			return gate.Yes{}, lost
		}
		no.Hint = r.unanswered(a, r.binding.RunID).Hint
	}
	if err != nil && verdict.CodeOf(err) == verdict.Internal {
		err = verdict.Fail(verdict.ApprovalRefused, err, "no person could be asked: %v", err)
	}
	return yes, err
}

// unasked leaves the call for a person to approve elsewhere, where that can be
// kept, and waits for it where the question holds.
func (r *run) unasked(ctx context.Context, a gate.Approved) (gate.Yes, error) {
	if r.config.Approvals != nil && r.question.Hold.Waits() {
		return r.hold(ctx, a)
	}
	if lost := r.leave(a); lost != nil {
		return gate.Yes{}, lost
	}
	return gate.Yes{}, r.unanswered(a, r.binding.RunID)
}

// leave has the approval kept when the trace has ended.
func (r *run) leave(a gate.Approved) error {
	if r.config.Approvals == nil {
		return nil
	}
	left, err := r.pending(a, "", 0)
	if err == nil {
		r.call.Leave(left)
	}
	return err
}

// unanswered is the refusal of a call that waits for a person.
func (r *run) unanswered(a gate.Approved, runID string) *verdict.Denial {
	no := verdict.Deny(verdict.ApprovalNeeded, "there was no approver for the call of %s/%s", a.Server(), a.Tool())
	if r.why != "" {
		no.Reason += ", and an approval is needed again: " + r.why
	}
	no.Hint = "give the question or the host an approver"
	if r.config.Approvals != nil {
		no.Hint = fmt.Sprintf("until %s `ask approve %s` shows the call and approves exactly that one; a program asks again with host.Question.Approval", r.binding.Expires, runID)
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
		Ruled: a.Ruled(), Again: r.why, Offer: offer,
		Digest: a.Digest(), Record: a.Record(), Question: r.question, Server: a.Server(), Tool: a.Tool(), Args: a.Args(), Intent: a.Intent().Shown(r.question.Text), Effect: effect.String(),
		Marked: a.Intent().Marked(effect.Reads), Claim: a.Claim(), Expires: r.binding.Expires,
	}
}

// claim uses the approval up that the question brought. It looks first whether
// it is of this call: an approval of another one stays what it was.
func (r *run) claim(ctx context.Context, a gate.Approved) (gate.Yes, error) {
	brought, approvals := r.question.Approval, r.config.Approvals
	is, err := approvals.Approval(ctx, brought.RunID)
	if err != nil {
		return gate.Yes{}, err
	}
	if brought.By == "" {
		return r.claimGiven(ctx, a, is)
	}
	if err := r.underOthers(a, is); err != nil {
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

// claimGiven waits for an approval that another run of the conversation asked
// for. Where the call is no longer the one that was shown, that approval is void.
func (r *run) claimGiven(ctx context.Context, a gate.Approved, is approval.Approval) (gate.Yes, error) {
	if err := r.underOthers(a, is); err != nil {
		return gate.Yes{}, err
	}
	if a.Digest() != is.Digest {
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
	return r.await(ctx, a, is)
}

// underOthers has a call decided again whose approval was asked for under other rules,
// another allowlist or other settings than those of now.
func (r *run) underOthers(a gate.Approved, is approval.Approval) error {
	same := is.Call != "" && is.Call == callOf(a)
	if !same || is.Deciding == r.facts.Deciding || !is.Live(r.config.Now()) {
		return nil
	}
	r.call.Outdated(is)
	return otherwise("rules, allowlist or settings have changed since run %s asked for the call", is.RunID)
}

// maxMember is how much of a changed member is said.
const maxMember = 240

// changed is the refusal of an approval that is of another call than this one,
// and names what differs between their records.
func (b Binding) changed(is jsontext.Value) error {
	if no := replaced(b.Record, is); no != nil {
		return no
	}
	var was, now map[string]jsontext.Value
	if b.Record == nil || schema.Decode(b.Record, &was, schema.ResultLimits) != nil || schema.Decode(is, &now, schema.ResultLimits) != nil {
		return verdict.Deny(verdict.ApprovalChanged, "the approval %.80s is for another call", b.Digest)
	}
	members := maps.Clone(was)
	maps.Copy(members, now)
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !bytes.Equal(was[name], now[name]) {
			lines = append(lines, fmt.Sprintf("%s: %s is now %s", escape.Line(name, maxMember), shown(was[name]), shown(now[name])))
		}
	}
	return verdict.Deny(verdict.ApprovalChanged, "the approval is for another call:\n%s", strings.Join(lines, "\n"))
}

// replaced is the refusal of a call of other files than a record has, nil where they
// are the same or a record cannot be read.
func replaced(was, is jsontext.Value) error {
	w, wrong := gate.ReadRecord(was)
	now, err := gate.ReadRecord(is)
	if wrong != nil || err != nil {
		return nil //nolint:nilerr // it is refused as a change of another kind
	}
	return gate.Replaced(w.Files, now.Files)
}

// shown is a value of a record, in which a model may have written any text: what
// is not a name is shown by its length.
func shown(v jsontext.Value) string {
	if v == nil {
		return "nothing"
	}
	repeated, err := schema.Rewrite(v, func(_ schema.Place, text string) (string, error) {
		if escape.Name(text) || text == "" {
			return text, nil
		}
		return lex.Repeat(text), nil
	})
	if err != nil { // two names of the same length
		return "another value"
	}
	return escape.Line(string(repeated), maxMember)
}
