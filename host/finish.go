package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/internal/recorded"
	"github.com/onestep-run/onestep/planner/lexical"
	"github.com/onestep-run/onestep/summarize"
	"github.com/onestep-run/onestep/trace"
)

// asksForSummary is the one word that turns a summary on.
var asksForSummary = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)\bsummari[sz]e\b`) })

// wantsSummary: the asker decides, or else the word in the question.
func (r *run) wantsSummary() bool {
	if yes := r.question.Summarize; yes != nil {
		return *yes
	}
	return asksForSummary().MatchString(r.question.Text)
}

// decline ends a run whose planner asks for more. If an allowed server listed
// nothing, the outcome says so: that server may have the tool.
func (r *run) decline(p proposed, c catalog.Catalog) error {
	r.out.Type, r.out.Asks, r.out.Open, r.out.Suggestions = FinalAnswer, p.plan.Answer(), p.open, p.suggested
	for _, e := range c.Excluded() {
		if p.excluded == e.Server+"/"+e.Name && escape.Name(e.Name) {
			r.note(fmt.Sprintf("%s cannot be called: %s", p.excluded, e.Denial.Reason))
		}
	}
	r.waits(c)
	if down := c.Unreachable(); len(down) > 0 {
		r.out.Error = FailureOf(down[0].Err)
		r.note(fmt.Sprintf("The planner declined while %d allowed server(s) could not be reached.", len(down)))
	}
	return nil
}

// waits reports tools of the allowlist that wait for a review. A tool that could
// have been a candidate fails the run; any other is named in a note.
func (r *run) waits(c catalog.Catalog) {
	var names []string
	for _, e := range c.Excluded() {
		if !e.Waits() {
			continue
		}
		if lexical.Concerns(r.question.Text, e.Name) {
			r.out.Error = FailureOf(e.Denial)
			r.note("The planner declined while a tool of the allowlist waits for a person's approval.")
			return
		}
		if escape.Name(e.Name) {
			names = append(names, e.Server+"/"+e.Name)
		}
	}
	if len(names) > 0 {
		r.note("Not considered, because a review is due: " + strings.Join(names[:min(len(names), maxDue)], ", ") + fmt.Sprintf(" (%d in all). `ask servers review --all` shows them.", len(names)))
	}
}

// maxDue is how many tools are named that wait for a review.
const maxDue = 4

func (r *run) finishDryRun() error {
	r.out.Type = Planned
	r.note("Dry run: the plan is approved, and no call was made.")
	return nil
}

// unzoned reports that a result has its type except for the offset of a date-time.
func unzoned(t gate.Typed) string {
	if t.Unzoned() == "" {
		return ""
	}
	return "a date-time at " + t.Unzoned() + " has no offset from UTC: the result is typed without that format, and no time is read from it"
}

func (r *run) show(t gate.Typed) {
	r.out.Type, r.out.Typed, r.out.Raw, r.out.Structured = ToolResult, t.Value(), t.Raw(), t.Structured()
	attached, more := t.Attachments()
	for _, a := range attached {
		r.out.Attachments = append(r.out.Attachments, Attachment{Attachment: a})
	}
	empty := string(r.out.Raw) == `""` || string(r.out.Typed) == `""`
	if empty && r.out.Structured == nil && len(attached) == 0 {
		r.note("The result is empty.")
	}
	if more > 0 {
		r.note(fmt.Sprintf("%d more attachments are not listed.", more))
	}
	if why := unzoned(t); why != "" {
		r.note(strings.ToUpper(why[:1]) + why[1:] + ".")
	}
	if t.Basis() == catalog.Untyped && (t.Unenforced() != "" || r.wantsSummary()) {
		why := cmp.Or(t.Unenforced(), "neither the tool nor the operator declares its type")
		r.note("The result is untyped: " + why + ", so it is shown and never summarized.")
	}
}

// summarize renders the writer's selection, as far as the result bears it.
func (r *run) summarize(t gate.Typed, written []byte) error {
	s, err := summarize.Lock(t, r.config.Policy.SummaryLevel, written)
	if err := r.record("summary", err); err != nil {
		return err
	}
	r.out.Type = ToolResultWithSummary
	if !s.Empty() {
		r.out.Summary = &s
	}
	if dropped := s.Dropped(); len(dropped) > 0 {
		first := dropped[0]
		r.note(fmt.Sprintf("%d of the writer's items were dropped; the first is %s, %s: %s", len(dropped), first.Item, first.Code, first.Reason))
	}
	return nil
}

// stop ends the run with an error. A result that was accepted before stays.
func (r *run) stop(err error) Outcome {
	r.out.Error = FailureOf(err)
	switch {
	case r.out.Type == ToolResult:
	case verdict.CodeOf(err) == verdict.ApprovalNeeded:
		r.out.Type = ApprovalNeeded
	case verdict.Denied(err):
		r.out.Type = Blocked
	default:
		r.out.Type = Failed
	}
	return r.out
}

// end writes the outcome and closes the trace, after a panic too. It withholds an
// answer if the trace did not reach the disk.
func (r *run) end(ctx context.Context, out *Outcome) {
	if p := recover(); p != nil {
		*out = r.panicked(p)
	}
	if out.Error != nil && out.Call != None {
		out.Error.Retryable = false // asking again would call again
	}
	if r.log == nil {
		return
	}
	body := trace.OutcomeBody{Type: out.Type.String(), Call: out.Call}
	if out.Error != nil {
		body.Code = out.Error.Code
	}
	err := r.append(trace.Outcome, body)
	digest, closed := r.log.Close()
	if err == nil {
		err = closed
	}
	if err = errors.Join(err, r.sink.Close()); err != nil {
		*out = r.withheld(*out, err)
		return
	}
	out.TraceDigest = digest.Digest()
	if kept := r.ends.kept; kept != nil && out.Error != nil && out.Guard != nil {
		r.quarantine(ctx, out, kept)
	}
	if err := r.approval.call.Close(ctx, r.config.Approvals, out.TraceDigest); err != nil {
		*out = r.withheld(*out, err)
	}
}

func (r *run) panicked(p any) Outcome {
	err := error(verdict.Fail(verdict.Internal, nil, "a panic: %.300v", p))
	if r.sent.Redeemed() && r.out.Call == None {
		r.out.Call = Unknown
	}
	if r.log != nil {
		err = r.record(recorded.Defect, err)
	}
	r.out.Error = FailureOf(err)
	r.out = r.out.without()
	return r.out
}

func (r *run) withheld(out Outcome, err error) Outcome {
	if out.Error == nil || out.Error.Code != verdict.TraceLost && out.Error.Code != verdict.TraceUnwritable {
		out.Error = FailureOf(r.unwritten(err))
	}
	return out.without()
}

// without is a failed outcome without any part of a result.
func (o Outcome) without() Outcome {
	o.Type, o.Typed, o.Raw, o.Summary, o.Structured, o.Attachments, o.Result, o.ToolError, o.Logs = Failed, nil, nil, nil, nil, nil, nil, nil, nil
	return o
}

func (r *run) note(text string) {
	if r.out.Note != "" {
		text = r.out.Note + " " + text
	}
	r.out.Note = text
}
