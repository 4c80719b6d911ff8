package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/inbox"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/summarize"
	"github.com/onestep-run/onestep/trace"
)

// run is one question on its way: the reading, the trace, and the outcome as it grows. A
// step passes its result to the next one, not through run. The methods of run record; gates
// decide.
type run struct {
	*Host
	moment
	journal

	question Question
	out      Outcome
	approval asking
	ends     ends
}

// moment is the current reading, since the last look.
type moment struct {
	*reading
	looks  int // number of the last look
	rounds int // times that the call was decided again
}

// asking is the approval of a run.
type asking struct {
	binding   Binding    // of the approval that the run would have
	by        string     // who gave the approval that the call brings along
	elsewhere bool       // the same call of an earlier run waits for one
	why       string     // a person is asked once more
	call      inbox.Call // in the inbox of the host
}

// ends are the tasks left for the end of a run.
type ends struct {
	turn    bool      // the run has one of the turns that the host's bounds allow
	release func()    // of the files that the call names; may be nil
	kept    *Withheld // the result that is not shown
}

// begin waits for a turn, reads the configuration, and begins the trace. Before its
// turn the run has opened nothing.
func (r *run) begin(ctx context.Context) error {
	r.out = Outcome{SchemaVersion: OutcomeVersion, Call: None, Verdicts: []Verdict{}}
	r.verdicts = &r.out.Verdicts
	if r.Host == nil || r.latest == nil {
		return verdict.Fail(verdict.Internal, nil, "the host was not made by host.New")
	}
	r.reading = r.last()
	if err := r.question.check(); err != nil {
		return err
	}
	r.question.Labelled = cmp.Or(r.question.Labelled, r.question.Facts.Conversation)
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
	return r.record("config", unread)
}

// askProposer gives the proposer's answer, with the suggestions that can be
// offered.
func (r *run) askProposer(ctx context.Context, c considered) (p planner.Proposal, err error) {
	if err = interrupted(ctx); err == nil {
		p, err = r.config.Proposer.Propose(ctx, c.query, c.tools)
	}
	if err != nil {
		err = edge(ctx, err, verdict.ModelFailed)
	}
	p.Suggestions = suggested(c.tools, p.Suggestions)
	body := r.said(p.Said, p.Replies, err)
	body.LeftOut, body.Excluded = p.LeftOut, p.Excluded
	for _, s := range p.Suggestions {
		body.Suggestions = append(body.Suggestions, trace.SuggestionBody(s))
	}
	return p, errors.Join(err, r.append(trace.Proposal, body))
}

// write gives the writer's answer, which is always recorded.
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
	if verdict.CodeOf(err) == verdict.Internal { // an interrupt too: the result is still shown
		err = verdict.Fail(verdict.SummaryWriter, err, "the writer failed: %v", err)
	}
	return draft.Said, errors.Join(err, r.append(trace.Writing, r.said(draft.Said, draft.Replies, err)))
}

// said records an answer of a model, or its failure, and counts its usage.
func (r *run) said(b []byte, replies []planner.Reply, err error) trace.SaidBody {
	body := trace.SaidBody{Error: trace.ErrorOf(err)}
	if err == nil {
		body.Said = new(trace.Keep(b))
	}
	for _, reply := range replies {
		u := reply.Usage
		body.Replies = append(body.Replies, trace.ReplyBody{Raw: trace.Keep(reply.Raw), InputTokens: u.Input, OutputTokens: u.Output, Cost: u.Cost})
		if before := r.out.Usage; before != nil {
			u = before.Plus(u)
		}
		r.out.Usage = &u
	}
	return body
}

// dispatch makes the one call. Once the approval is redeemed the request may have
// left. An error that is not the server's answer leaves the outcome unknown, with
// any code.
func (r *run) dispatch(ctx context.Context, a decided, on trace.Receipt, yes gate.Consent) (answered, error) {
	r.sent = a.Approved
	r.approval.call.Asked()
	began := r.config.Now()
	raw, live, err := r.config.Caller.Call(ctx, a.Approved, on, yes)
	r.out.took = r.config.Now().Sub(began)
	if !a.Redeemed() && verdict.CodeOf(err) == verdict.ConfigChanged {
		return answered{}, err
	}
	raw, sealed := r.world.Redact(raw)
	r.out.Labels = labelsOf(a.Approved, raw)
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
	case ofServer(err):
		r.out.Call = Answered
	default:
		r.out.Call = Unknown
		err = unknown(a.Effect(), err)
	}
	if err != nil {
		r.out.Logs = logs // no result is withheld here
		err = r.clean(a.Server(), err)
	}
	body.Error = trace.ErrorOf(err)
	r.caveat()
	return answered{a, raw, logs}, r.record("call", errors.Join(err, r.append(trace.Result, body)))
}

// caveat notes a promise that the caller cannot make, if it reports one. An example is that
// no process of a server is left.
func (r *run) caveat() {
	if c, says := r.config.Caller.(interface{ Caveat() string }); says && c.Caveat() != "" {
		r.note(c.Caveat())
	}
}

// sensitive labels the conversation if a secret was redacted. A result is shown
// only once its label is on disk.
func (r *run) sensitive(ctx context.Context, a answered) error {
	label := grant.Redemption{Run: r.out.RunID, Now: r.config.Now()}
	if slices.Contains(r.out.Labels, grant.Sensitive) {
		label.Marks = r.missing(grant.Sensitive, a.facts.Labels)
	}
	err := r.world.Label(ctx, label)
	if err == nil {
		return nil
	}
	return r.record("labels", err)
}

// labelsOf are the labels that a call gives: its answer may be a stranger's text, or had
// a secret that was redacted.
func labelsOf(a gate.Approved, raw gate.RawResult) (all []string) {
	if !closed(a) {
		all = append(all, grant.Exposed)
	}
	if raw.Redacted || len(raw.Hidden) > 0 {
		all = append(all, grant.Sensitive)
	}
	return all
}

// ofServer reports whether the error is itself the server's answer.
func ofServer(err error) bool { return strings.HasPrefix(string(verdict.CodeOf(err)), "output.") }

func unknown(effect catalog.Effect, err error) error {
	switch verdict.CodeOf(err) {
	case verdict.CallOutcomeUnknown, verdict.CallServerRequest, verdict.RunTimeout:
		return err
	}
	return verdict.Fail(verdict.CallOutcomeUnknown, err, "the call left and no answer came back: %v", err).WithHint(effect.AfterUnknown())
}

// afterMade adds to the advice on a result that is refused that its call was made. A
// tool's own error, and one of the protocol, have their advice.
func afterMade(effect catalog.Effect, err error) error {
	d, f := verdict.First(err)
	switch code := verdict.CodeOf(err); {
	case code == verdict.OutputError, code == verdict.OutputRPCError, !ofServer(err):
	case d != nil:
		d.Hint = d.Advice() + "; " + effect.AfterMade()
	case f != nil:
		f.Hint = f.Advice() + "; " + effect.AfterMade()
	}
	return err
}

// interrupted is the fault of a run that was interrupted, or ran out of time,
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

// edge gives the code to an error of an edge that has none, if no call left yet.
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
