package host

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/summarize"
	"github.com/onestep-run/onestep/trace"
)

// run is one question on its way: the trace, and the outcome as it grows. Its
// methods record; they decide nothing.
type run struct {
	*Host
	question Question
	log      *trace.Log
	sink     TraceSink
	out      Outcome
	approved gate.Approved
	binding  Binding   // what an approval of this run would be of
	pending  bool      // nobody was there to approve
	claimed  string    // what the server says of the tool
	kept     *Withheld // that nobody is shown
	open     *planner.Open
}

func (r *run) begin() error {
	r.out = newOutcome("")
	if r.Host == nil || r.gate == nil {
		return verdict.Fail(verdict.Internal, nil, "the host was not made by host.New")
	}
	if err := r.question.check(); err != nil {
		return err
	}
	r.out.RunID = r.config.NewRunID()
	if err := r.bind(); err != nil {
		return err
	}
	sink, path, err := r.config.Traces.Create(r.out.RunID)
	if err != nil {
		return unwritable(err)
	}
	r.sink, r.log, r.out.TracePath = sink, trace.New(sink, r.config.Now), path
	return r.append(trace.Begin, r.opening())
}

func unwritable(err error) error {
	return verdict.Fail(verdict.TraceUnwritable, err, "the trace cannot be written: %v", err)
}

// decide records one gate's decision: its no, or its yes.
func (r *run) decide(gateName string, err error) error {
	return r.decided(gateName, gate.Decision{Ruling: verdict.Allow}, err)
}

// decided records a decision that may name rules. Where it cannot be recorded
// the run stops there, allowed or not.
func (r *run) decided(gateName string, allowed gate.Decision, err error) error {
	d := Decision{Gate: gateName, Verdict: allowed.Ruling.String()}
	for _, rule := range allowed.Rules {
		d.Rules = append(d.Rules, string(rule.Code))
	}
	if e := trace.ErrorOf(err); e != nil {
		d.Verdict, d.Code, d.Reason, d.Rules = "fault", e.Code, e.Reason, verdict.Rules(err)
		if e.Denied {
			d.Verdict = verdict.Refuse.String()
		}
	}
	r.out.Decisions = append(r.out.Decisions, d)
	return errors.Join(err, r.append(trace.Verdict, trace.VerdictBody(d)))
}

// append writes one line.
func (r *run) append(kind trace.Kind, body any) error {
	if err := r.log.Append(kind, body); err != nil {
		return r.unwritten(err)
	}
	return nil
}

// unwritten: what cannot be written before the call is a call that is not
// made; after it, an answer that is withheld.
func (r *run) unwritten(err error) error {
	if r.approved.Redeemed() {
		return verdict.Fail(verdict.TraceLost, err, "the trace could not be written after the call: %v", err)
	}
	return unwritable(err)
}

func (r *run) commit(kind trace.Kind, record jsontext.Value) (trace.Receipt, error) {
	receipt, err := r.log.Commit(kind, record)
	if err != nil {
		return trace.Receipt{}, unwritable(err)
	}
	return receipt, nil
}

// brought reads the plan that came with the question, if one did.
func (r *run) brought() (plan.Plan, error) {
	if r.question.Plan == nil {
		return plan.Plan{}, nil
	}
	p, err := r.question.brought()
	if err := r.decide("plan", err); err != nil {
		return plan.Plan{}, err
	}
	return p, nil
}

// listed records what each server said, and whether a tool is left to choose.
// A line that cannot be written shows at the decision: the log takes nothing
// more after its first error.
func (r *run) listed(c catalog.Catalog) error {
	for _, l := range c.Listings() {
		body := r.listing(l)
		if l.Err != nil {
			body.Error = trace.ErrorOf(l.Err)
			r.out.Unreachable = append(r.out.Unreachable, Unreachable{l.Server, body.Error.Code, body.Error.Reason})
		}
		if r.append(trace.Listing, body) != nil {
			break
		}
	}
	return r.decide("catalog", c.Refusal())
}

// listing is the record of what one server listed. All its tools came with the
// same instructions: [catalog.Admit] sees to that.
func (r *run) listing(l catalog.Listing) trace.ListingBody {
	body := trace.ListingBody{Server: l.Server, Tools: r.log.Share(r.shared.listing(l))}
	if len(l.Tools) > 0 && l.Tools[0].Instructions != "" {
		body.Told = r.log.Share(trace.Told(l.Tools[0].Instructions))
	}
	for _, h := range l.Held {
		body.Held = append(body.Held, trace.HeldBody{Tool: h.Tool, Error: trace.ErrorOf(h.Denial)})
	}
	return body
}

// planned is the step to take: the one that came with the question, or what
// the proposer says, read as a plan.
func (r *run) planned(ctx context.Context, q input.Query, c catalog.Catalog, brought plan.Plan) (plan.Plan, error) {
	p := brought
	if p.Declines() {
		said, err := r.propose(ctx, q, c)
		if err != nil {
			return plan.Plan{}, err
		}
		p, err = plan.Parse(said)
		if err := r.decide("plan", err); err != nil {
			return plan.Plan{}, err
		}
	}
	r.out.Plan, r.out.Planned = p.JSON(), p
	return p, nil
}

func (r *run) propose(ctx context.Context, q input.Query, c catalog.Catalog) ([]byte, error) {
	var p planner.Proposal
	err := interrupted(ctx)
	if err == nil {
		p, err = r.config.Proposer.Propose(ctx, q, c)
	}
	if err != nil {
		err = edge(ctx, err, verdict.ModelFailed)
	}
	body := r.said(p.Said, p.Replies, err)
	body.LeftOut, r.open = p.LeftOut, p.Open
	return p.Said, errors.Join(err, r.append(trace.Proposal, body))
}

func (r *run) write(ctx context.Context, q input.Query, t gate.Typed) ([]byte, error) {
	source, cut := summarize.Prepare(t, q.Words(), r.config.Policy.SummaryBudget)
	if n := source.LeftOut; n > 0 {
		r.note(fmt.Sprintf("%d sentences or lines read as if they were meant for a model, and are left out of the summary.", n))
	}
	if cut {
		r.note("The writer was given a part of the result; the evidence was checked against all of it.")
	}
	draft, err := r.config.Writer.Write(ctx, source)
	if verdict.CodeOf(err) == verdict.Internal { // an interrupt too: the result stands
		err = verdict.Fail(verdict.SummaryWriter, err, "the writer failed: %v", err)
	}
	return draft.Said, errors.Join(err, r.append(trace.Writing, r.said(draft.Said, draft.Replies, err)))
}

// said records what was said, or how it failed, and counts what it took.
func (r *run) said(b []byte, replies []planner.Reply, err error) trace.SaidBody {
	body := trace.SaidBody{Error: trace.ErrorOf(err)}
	if err == nil {
		kept := trace.Keep(b)
		body.Said = &kept
	}
	for _, reply := range replies {
		u := reply.Usage
		body.Replies = append(body.Replies, trace.ReplyBody{Raw: trace.Keep(reply.Raw), InputTokens: u.Input, OutputTokens: u.Output, Cost: u.Cost})
		r.out.Usage = r.out.Usage.plus(u)
	}
	return body
}

// call makes the one call. Once the approval is redeemed the request may have
// left: an error that does not say what the server answered leaves the outcome
// unknown, whatever its own code.
func (r *run) call(ctx context.Context, a gate.Approved, on trace.Receipt, yes gate.Consent) (gate.RawResult, error) {
	r.approved = a
	raw, live, err := r.config.Caller.Call(ctx, a, on, yes)
	raw, sealed := r.hide(raw)
	body := trace.ResultBody{Redeemed: a.Redeemed()}
	if live.Raw != nil {
		kept := trace.Keep(live.Raw)
		body.Live = &kept
		if live.Instructions != a.Descriptor().Instructions {
			told := trace.Keep([]byte(live.Instructions))
			body.Told = &told
		}
	}
	switch {
	case !a.Redeemed() && err == nil:
		err = verdict.Deny(verdict.CallUnapproved, "the caller has an answer, and did not redeem the approval")
	case !a.Redeemed():
		err = edge(ctx, err, verdict.ServerProtocol)
	case err == nil:
		kept := trace.Keep(raw.Body)
		body.Raw, body.Redacted, body.Hidden, body.Sealed = &kept, raw.Redacted, raw.Hidden, sealed
		r.out.Call = Answered
		if raw.Redacted {
			r.note("The server told a secret that it was given; it stands as [redacted] in what is shown and recorded.")
		}
	case answered(err):
		r.out.Call = Answered
	default:
		r.out.Call = Unknown
		err = unknown(err)
	}
	err = r.heard(a.Server(), err)
	body.Error = trace.ErrorOf(err)
	r.caveat()
	return raw, errors.Join(err, r.append(trace.Result, body))
}

// caveat notes what the caller cannot promise, where it says so: that nothing
// of a server is left, for one.
func (r *run) caveat() {
	if c, says := r.config.Caller.(interface{ Caveat() string }); says && c.Caveat() != "" {
		r.note(c.Caveat())
	}
}

// answered reports whether the error is itself the server's answer.
func answered(err error) bool { return strings.HasPrefix(string(verdict.CodeOf(err)), "output.") }

func unknown(err error) error {
	switch verdict.CodeOf(err) {
	case verdict.CallOutcomeUnknown, verdict.CallServerRequest:
		return err
	}
	return verdict.Fail(verdict.CallOutcomeUnknown, err, "the call left and no answer came back: %v", err)
}

// interrupted is the fault of a run that was told to stop.
func interrupted(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return verdict.Fail(verdict.CallInterrupted, ctx.Err(), "the run was interrupted")
	}
	return nil
}

// late is the fault of a run that ended while it looked at tools.
func late(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return edge(ctx, verdict.Fail(verdict.ServerTimeout, ctx.Err(), "the time for the run was over before its tools had been looked at"), verdict.ServerTimeout)
}

// edge gives an edge's error a code where it has none of its own.
func edge(ctx context.Context, err error, code verdict.Code) error {
	if stop := interrupted(ctx); stop != nil {
		return stop
	}
	if verdict.CodeOf(err) != verdict.Internal {
		return err
	}
	return verdict.Fail(code, err, "%v", err)
}
