package host

import (
	"context"

	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/summarize"
	"github.com/onestep-run/onestep/trace"
)

// Ask answers one question with at most one tool call. Whatever happens, it
// returns an outcome; one that names a trace can be replayed from it.
func (h *Host) Ask(ctx context.Context, q Question) (out Outcome) {
	r := &run{Host: h, question: q}
	defer r.end(&out)
	if err := r.begin(); err != nil {
		return r.stop(err)
	}

	brought, err := r.brought()
	if err != nil {
		return r.stop(err)
	}
	query, err := input.Admit(q.asked(brought), h.config.Policy.Rules)
	if err := r.decide("input", err); err != nil {
		return r.stop(err)
	}
	servers, err := h.config.Policy.reach(brought)
	if err := r.decide("allowlist", err); err != nil {
		return r.stop(err)
	}

	tools := h.Catalog(ctx, servers...)
	if err := r.listed(tools); err != nil {
		return r.stop(err)
	}
	proposed, err := r.planned(ctx, query, tools, brought)
	if err != nil {
		return r.stop(err)
	}
	if proposed.Declines() {
		return r.declined(proposed, tools)
	}

	approved, err := h.gate.Approve(r.asked(query), tools, proposed)
	if err := r.decided("approve", approved.Decision(), err); err != nil {
		return r.stop(err)
	}
	r.tied(approved)
	if q.DryRun {
		return r.dry()
	}

	receipt, err := r.commit(trace.Approval, approved.Record())
	if err != nil {
		return r.stop(err)
	}
	yes, err := r.consent(ctx, approved)
	if err != nil {
		return r.stop(err)
	}
	raw, err := r.call(ctx, approved, receipt, yes)
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
