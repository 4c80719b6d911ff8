package host

import (
	"context"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/summarize"
	"github.com/onestep-run/onestep/trace"
)

// Option adds to one question.
type Option func(*question)

type question struct {
	text, context string
	summarize     *bool // nil: the question's words decide
	dryRun        bool
}

// WithContext gives the question a second, labelled text. Arguments may be
// taken from it; the choice of a tool is not.
func WithContext(text string) Option { return func(q *question) { q.context = text } }

// WithSummary says whether to summarize the result. Without it a question with
// the word "summarize" asks for that itself.
func WithSummary(want bool) Option { return func(q *question) { q.summarize = &want } }

// DryRun stops before the call: the outcome holds the plan and the verdicts.
func DryRun() Option { return func(q *question) { q.dryRun = true } }

// Ask answers one question with at most one tool call. Whatever happens, it
// returns an outcome; one that names a trace can be replayed from it.
func (h *Host) Ask(ctx context.Context, text string, opts ...Option) (out Outcome) {
	r := &run{Host: h}
	defer r.end(&out)
	if err := r.begin(text, opts); err != nil {
		return r.stop(err)
	}

	query, err := input.Admit(r.question.text, r.question.context, h.config.Policy.Rules)
	if err := r.decide("input", err); err != nil {
		return r.stop(err)
	}
	if err := r.decide("allowlist", h.config.Policy.Allowlist.Refusal()); err != nil {
		return r.stop(err)
	}

	tools := catalog.Admit(r.discover(ctx), h.config.Policy.Allowlist, catalog.Options{StrictFormats: h.config.Policy.StrictFormats, Seen: h.seen})
	if err := r.decide("catalog", tools.Refusal()); err != nil {
		return r.stop(err)
	}

	proposal, err := r.propose(ctx, query, tools)
	if err != nil {
		return r.stop(err)
	}
	proposed, err := plan.Parse(proposal)
	if err := r.decide("plan", err); err != nil {
		return r.stop(err)
	}
	r.planned(proposed)
	if proposed.Declines() {
		return r.declined(proposed, tools)
	}

	approved, err := h.gate.Approve(query, tools, proposed)
	if err := r.decide("approve", err); err != nil {
		return r.stop(err)
	}
	r.marked(approved.FromContext())
	if r.question.dryRun {
		return r.dry()
	}

	receipt, err := r.commit(trace.Approval, approved.Record())
	if err != nil {
		return r.stop(err)
	}
	raw, err := r.call(ctx, approved, receipt)
	if err := r.decide("call", err); err != nil {
		return r.stop(err)
	}
	result, err := h.gate.Accept(approved, raw)
	if err := r.decide("accept", err); err != nil {
		return r.stop(err)
	}
	r.accepted(result)
	if !r.wantsSummary() {
		return r.out
	}

	written, err := r.write(ctx, query, result)
	if err != nil {
		return r.stop(err)
	}
	summary, err := summarize.Lock(result, h.config.Policy.SummaryLevel, written)
	if err := r.decide("summary", err); err != nil {
		return r.stop(err)
	}
	return r.summarized(summary)
}
