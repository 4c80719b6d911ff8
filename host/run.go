package host

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/inbox"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/summarize"
	"github.com/onestep-run/onestep/trace"
)

// run is one question on its way: the trace, and the outcome as it grows. Its
// methods record; gates decide.
type run struct {
	*Host
	*reading // what decides, since the last look

	looks  int    // at it
	rounds int    // in which the call was decided again
	why    string // a person is asked once more

	question Question
	log      *trace.Log
	sink     TraceSink
	out      Outcome
	approved gate.Approved
	// suggested are calls to choose from; none is made.
	suggested []planner.Suggestion
	binding   Binding    // what an approval of this run would be of
	call      inbox.Call // in the inbox of the host
	kept      *Withheld  // that is not shown
	logs      []trace.LogBody
	open      *planner.Open
	excluded  string           // "server/tool" that the question names and that cannot be called
	facts     Facts            // that the call is decided with
	spends    grant.Redemption // of it, before the call leaves
	turn      bool             // the run is one of those that the host's bounds allow

	approvedBy     string // who gave the approval that the call brings along
	waitsElsewhere bool   // the same call of an earlier run, for an approval

	release func() // of the files that the call names; nil for none

	decidedBy string        // the rule of the policy, or what holds in its place
	took      time.Duration // from the call to its answer
}

// begin waits for a turn, looks at what decides, and begins the trace. Before its turn
// the run has opened nothing.
func (r *run) begin(ctx context.Context) error {
	r.out = newOutcome("")
	if r.Host == nil || r.readings.latest == nil {
		return verdict.Fail(verdict.Internal, nil, "the host was not made by host.New")
	}
	r.reading = r.last()
	if err := r.question.check(); err != nil {
		return err
	}
	if err := r.enter(ctx); err != nil {
		return err
	}
	r.out.RunID = r.config.NewRunID()
	if err := r.bind(ctx); err != nil {
		return err
	}
	r.give(r.reading)
	var unread error
	r.reading, unread = r.take(ctx)
	r.looks = 1
	sink, path, err := r.config.Traces.Create(ctx, r.out.RunID)
	if err != nil {
		return unwritable(err)
	}
	r.sink, r.log, r.out.TracePath = sink, trace.New(sink, r.config.Now), path
	if err := r.append(trace.Begin, r.opening()); err != nil || unread == nil {
		return err
	}
	if err := r.append(trace.Reread, trace.RereadBody{Look: r.looks, Error: trace.ErrorOf(unread)}); err != nil {
		return err
	}
	return r.record(configGate, unread)
}

func unwritable(err error) error {
	return verdict.Fail(verdict.TraceUnwritable, err, "the trace cannot be written: %v", err)
}

// record records one gate's decision: its no, or its yes.
func (r *run) record(gateName string, err error) error {
	return r.recordRuling(gateName, gate.Ruled{Ruling: verdict.Allow}, err)
}

// recordRuling records a decision that may name rules. Where it cannot be recorded
// the run stops there, allowed or not.
func (r *run) recordRuling(gateName string, allowed gate.Ruled, err error) error {
	return r.recordVerdict(Verdict{Gate: gateName}, allowed, err)
}

// recordVerdict fills in what a gate decided.
func (r *run) recordVerdict(d Verdict, allowed gate.Ruled, err error) error {
	d.Verdict, d.Rules = allowed.Ruling.String(), allowed.Names()
	if e := trace.ErrorOf(err); e != nil {
		d.Verdict, d.Code, d.Reason, d.Rules = "fault", e.Code, e.Reason, verdict.Rules(err)
		if e.Denied {
			d.Verdict = verdict.Refuse.String()
		}
	}
	r.out.Verdicts = append(r.out.Verdicts, d)
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

// readPlan reads the plan that came with the question, if one did.
func (r *run) readPlan() (plan.Plan, error) {
	if r.question.Plan == nil {
		return plan.Plan{}, nil
	}
	p, err := r.question.brought(r.config.Policy.MaxArguments)
	return p, r.record("plan", err)
}

// recordListings records what each server said. A line that cannot be written
// shows at the decision: the log takes nothing more after its first error.
func (r *run) recordListings(c catalog.Catalog) {
	for _, l := range c.Listings() {
		body := r.listing(l)
		if l.Err != nil {
			body.Error = trace.ErrorOf(l.Err)
			r.out.Unreachable = append(r.out.Unreachable, Unreachable{l.Server, body.Error.Code, body.Error.Reason})
		}
		if r.append(trace.Listing, body) != nil {
			return
		}
	}
}

// listing is the record of what one server listed. All its tools came with the
// same instructions: [catalog.Admit] sees to that.
func (r *run) listing(l catalog.Listing) trace.ListingBody {
	body := trace.ListingBody{Server: l.Server, Tools: r.log.Share(r.shared.listing(l)), Wrote: l.Wrote}
	if len(l.Tools) > 0 && l.Tools[0].Instructions != "" {
		body.Instructions = r.log.Share(trace.NewText(l.Tools[0].Instructions))
	}
	for _, d := range l.Tools {
		if len(d.OrderAt) > 0 {
			f, _ := d.Fields()
			body.Order(f.Name, d.OrderAt)
		}
	}
	for _, h := range l.Held {
		body.Held = append(body.Held, trace.HeldBody{Tool: h.Tool, Error: trace.ErrorOf(h.Denial)})
	}
	return body
}

// askProposer gives what the proposer said, which is recorded whatever it is.
func (r *run) askProposer(ctx context.Context, q input.Query, c catalog.Catalog) ([]byte, error) {
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
	r.suggested, r.excluded = suggested(c, p.Suggestions), p.Excluded
	for _, s := range r.suggested {
		body.Suggestions = append(body.Suggestions, trace.SuggestionBody(s))
	}
	body.Excluded = p.Excluded
	return p.Said, errors.Join(err, r.append(trace.Proposal, body))
}

// write gives what the writer said, which is recorded whatever it is.
func (r *run) write(ctx context.Context, q input.Query, t gate.Typed) ([]byte, error) {
	source, cut := summarize.Prepare(t, q.Words(), r.config.Policy.SummaryBudget)
	if n := source.LeftOut; n > 0 {
		r.out.Guard.LeftOut = n
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
		body.Said = new(trace.Keep(b))
	}
	for _, reply := range replies {
		u := reply.Usage
		body.Replies = append(body.Replies, trace.ReplyBody{Raw: trace.Keep(reply.Raw), InputTokens: u.Input, OutputTokens: u.Output, Cost: u.Cost})
		r.out.Usage = r.out.Usage.plus(u)
	}
	return body
}

// dispatch makes the one call. Once the approval is redeemed the request may have
// left: an error that does not say what the server answered leaves the outcome
// unknown, whatever its own code.
func (r *run) dispatch(ctx context.Context, a gate.Approved, on trace.Receipt, yes gate.Consent) (gate.RawResult, error) {
	r.approved = a
	r.call.Asked()
	began := r.config.Now()
	raw, live, err := r.config.Caller.Call(ctx, a, on, yes)
	r.took = r.config.Now().Sub(began)
	if !a.Redeemed() && verdict.CodeOf(err) == verdict.ConfigChanged {
		return gate.RawResult{}, err
	}
	raw, sealed := r.world.Redact(raw)
	r.out.Labels = labelsOf(a, raw)
	logs := r.logged(a.Server(), raw.Logs)
	body := trace.ResultBody{Redeemed: a.Redeemed(), Login: raw.Login, Sandbox: raw.Sandbox, Requests: raw.Requests, Logs: logs, LogsLeftOut: raw.LeftOut}
	if live.Raw != nil {
		body.Live = new(trace.Keep(live.Raw))
		if live.Instructions != a.Descriptor().Instructions {
			body.Instructions = new(trace.Keep([]byte(live.Instructions)))
		}
	}
	switch {
	case !a.Redeemed() && err == nil:
		err = verdict.Deny(verdict.CallUnapproved, "the caller has an answer, and did not redeem the approval")
	case !a.Redeemed():
		err = edge(ctx, err, verdict.ServerProtocol)
	case err == nil:
		body.RPC, body.Raw, body.Redacted, body.Hidden, body.Sealed = raw.RPC, new(trace.Keep(raw.Body)), raw.Redacted, raw.Hidden, sealed
		r.out.Call = Answered
		if raw.Redacted {
			r.note("The server repeated a secret that it was given; it is [redacted] in the output and the record.")
		}
	case answered(err):
		r.out.Call = Answered
	default:
		r.out.Call = Unknown
		err = unknown(a.Effect(), err)
	}
	if r.logs = logs; err != nil {
		r.out.Logs = logs // there is no result to withhold
	}
	err = r.clean(a.Server(), err)
	body.Error = trace.ErrorOf(err)
	r.caveat()
	return raw, r.record("call", errors.Join(err, r.append(trace.Result, body)))
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

func unknown(effect catalog.Effect, err error) error {
	switch verdict.CodeOf(err) {
	case verdict.CallOutcomeUnknown, verdict.CallServerRequest, verdict.RunTimeout:
		return err
	}
	f := verdict.Fail(verdict.CallOutcomeUnknown, err, "the call left and no answer came back: %v", err)
	f.Hint = effect.AfterUnknown()
	return f
}

// afterMade adds to the advice on a result that is refused that its call was made. A
// tool's own error, and one of the protocol, have their advice.
func afterMade(effect catalog.Effect, err error) error {
	d, f := verdict.First(err)
	switch code := verdict.CodeOf(err); {
	case code == verdict.OutputError, code == verdict.OutputRPCError, !answered(err):
	case d != nil:
		d.Hint = d.Advice() + "; " + effect.AfterMade()
	case f != nil:
		f.Hint = f.Advice() + "; " + effect.AfterMade()
	}
	return err
}

// interrupted is the fault of a run that was interrupted, or whose time is over,
// before a call left.
func interrupted(ctx context.Context) error {
	switch err := ctx.Err(); {
	case errors.Is(err, context.Canceled):
		return verdict.Fail(verdict.CallInterrupted, err, "the run was interrupted")
	case err != nil:
		return verdict.Fail(verdict.RunTimeout, err, "the time for the run (timeout) ended; no call left")
	}
	return nil
}

// late is the fault of a run that ended while it looked at tools.
func late(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return edge(ctx, verdict.Fail(verdict.RunTimeout, ctx.Err(), "the time for the run (timeout) ended before its tools were listed"), verdict.RunTimeout)
}

// edge gives an error of an edge, from before a call left, a code where it has none.
func edge(ctx context.Context, err error, code verdict.Code) error {
	stop := interrupted(ctx)
	switch known := verdict.CodeOf(err); {
	case stop != nil && known != verdict.CodeOf(stop):
		return stop
	case known == verdict.RunTimeout:
		_, f := verdict.First(err)
		return &verdict.Fault{Code: known, Reason: f.Reason + "; no call left", Hint: f.Hint, Cause: err}
	case known != verdict.Internal:
		return err
	}
	return verdict.Fail(code, err, "%v", err)
}
