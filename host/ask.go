package host

import (
	"context"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/trace"
)

// Ask answers one question with at most one tool call. Whatever happens, it
// returns an outcome; one that names a trace can be replayed from it.
func (h *Host) Ask(ctx context.Context, q Question) (out Outcome) {
	r := &run{Host: h, question: q}
	defer r.end(ctx, &out)
	if err := r.steps(ctx); err != nil {
		return r.stop(err)
	}
	return r.out
}

// steps takes the question to an approved call, and carries that out.
func (r *run) steps(ctx context.Context) error {
	if err := r.begin(); err != nil {
		return err
	}
	brought, err := r.brought()
	if err != nil {
		return err
	}
	query, err := input.Admit(r.question.asked(brought), r.config.Policy.Rules)
	if err := r.decide("input", err); err != nil {
		return err
	}
	servers, err := r.reach(brought)
	if err := r.decide("allowlist", err); err != nil {
		return err
	}

	tools := r.limited(r.Catalog(ctx, servers...))
	if err := r.listed(tools); err != nil {
		return err
	}
	proposed, err := r.planned(ctx, query, tools, brought)
	if err != nil {
		return err
	}
	if proposed.Declines() {
		r.declined(proposed, tools)
		return nil
	}

	approved, err := r.gate.Approve(r.asked(query), tools, proposed)
	if err := r.decided("approve", approved.Decision(), err); err != nil {
		return err
	}
	r.tied(approved)
	if r.question.DryRun {
		r.dry()
		return nil
	}
	return r.carryOut(ctx, query, approved)
}

// carryOut makes the approved call and summarizes its result.
func (r *run) carryOut(ctx context.Context, query input.Query, approved gate.Approved) error {
	receipt, err := r.commit(trace.Approval, approved.Record())
	if err != nil {
		return err
	}
	yes, err := r.consent(ctx, approved)
	if err != nil {
		return err
	}
	raw, err := r.call(ctx, approved, receipt, yes)
	if err := r.decide("call", err); err != nil {
		return err
	}
	raw, err = r.examined(ctx, approved, raw)
	if err != nil {
		return err
	}
	result, err := r.gate.Accept(approved, raw)
	if err := r.decide("accept", r.heard(approved.Server(), err)); err != nil {
		return err
	}
	r.accepted(result)
	if !r.wantsSummary() {
		return nil
	}

	written, err := r.write(ctx, query, result)
	if err != nil {
		return err
	}
	summary, err := r.lock(result, written)
	if err := r.decide("summary", err); err != nil {
		return err
	}
	r.summarized(summary)
	return nil
}
