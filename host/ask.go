package host

import (
	"context"
	"errors"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

// Ask answers one question with at most one tool call. Whatever happens, it
// returns an outcome; one that names a trace can be replayed from it.
func (h *Host) Ask(ctx context.Context, q Question) (out Outcome) {
	r := &run{Host: h, question: q}
	defer r.exit() // after the trace is closed
	defer func() { r.account(ctx, &out) }()
	defer r.end(ctx, &out)
	if err := r.steps(ctx); err != nil {
		return r.stop(err)
	}
	return r.out
}

// steps takes the question to an approved call, and carries that out. Each step
// records what its gate decided, and returns the refusal where it refused.
func (r *run) steps(ctx context.Context) error {
	if err := r.begin(ctx); err != nil {
		return err
	}
	brought, err := r.readPlan()
	if err != nil {
		return err
	}
	query, err := r.admit(brought)
	if err != nil {
		return err
	}
	servers, err := r.permit(brought)
	if err != nil {
		return err
	}
	tools, err := r.list(ctx, servers)
	if err != nil {
		return err
	}
	proposed, err := r.propose(ctx, query, tools, brought)
	if err != nil {
		return err
	}
	if proposed.Declines() {
		return r.decline(proposed, tools)
	}
	approved, err := r.approve(ctx, query, tools, proposed)
	if err != nil {
		return err
	}
	if r.question.DryRun {
		return r.finishDryRun()
	}
	return r.carryOut(ctx, query, approved)
}

// carryOut makes the approved call and summarizes its result.
func (r *run) carryOut(ctx context.Context, query input.Query, approved gate.Approved) error {
	receipt, err := r.commit(trace.Approval, approved.Record())
	if err != nil {
		return err
	}
	consent, err := r.consent(ctx, approved)
	if err != nil {
		return err
	}
	if err := r.announce(ctx, approved); err != nil {
		return err
	}
	raw, err := r.call(ctx, approved, receipt, consent)
	if err != nil {
		return err
	}
	if err := r.sensitive(ctx, raw); err != nil {
		return err
	}
	raw, err = r.examine(ctx, approved, raw)
	if err != nil {
		return err
	}
	result, err := r.accept(approved, raw)
	if err != nil {
		return err
	}
	if !r.wantsSummary() {
		return nil
	}
	written, err := r.write(ctx, query, result)
	if err != nil {
		return err
	}
	return r.summarize(result, written)
}

func (r *run) admit(brought plan.Plan) (input.Query, error) {
	query, err := input.Admit(r.question.asked(brought, r.config.Policy.ClientRules), r.config.Policy.Rules)
	return query, r.record("input", err)
}

// permit gives the servers that a run may ask for their tools: those of the
// allowlist. Where the question names one tool, by its plan or by a choice, it
// is that tool's alone, if it is allowed.
func (r *run) permit(brought plan.Plan) ([]string, error) {
	allow := r.config.Policy.Allowlist
	server, tool := brought.Server(), brought.Tool()
	if brought.Declines() {
		server, tool = r.question.only()
	}
	if tool == "" {
		return allow.Servers(), r.record("allowlist", allow.Refusal())
	}
	return []string{server}, r.record("allowlist", allow.Permits(server, tool))
}

// list asks the servers, and records what each said.
func (r *run) list(ctx context.Context, servers []string) (catalog.Catalog, error) {
	tools := r.catalog(ctx, r.question.Subject, r.question.Only, servers)
	r.recordListings(tools)
	return tools, r.record("catalog", tools.Refusal())
}

// propose gives the step to take: the one that came with the question, or what
// the proposer says, read as a plan.
func (r *run) propose(ctx context.Context, q input.Query, c catalog.Catalog, brought plan.Plan) (plan.Plan, error) {
	p := brought
	if p.Declines() {
		said, err := r.askProposer(ctx, q, c)
		if err != nil {
			return plan.Plan{}, err
		}
		p, err = plan.Parse(said)
		if err := r.record("plan", err); err != nil {
			return plan.Plan{}, err
		}
	}
	r.out.Plan, r.out.Planned = p.JSON(), p
	return p, nil
}

// approve has the gate approve the one call, and says what of it the user said.
func (r *run) approve(ctx context.Context, q input.Query, c catalog.Catalog, p plan.Plan) (approved gate.Approved, err error) {
	asked := r.asked(q)
	if asked.Files, err = r.files(c, p); err != nil {
		return gate.Approved{}, r.record(filesGate, err)
	}
	by, err := r.knowing(ctx, asked, c, p)
	if err == nil {
		approved, err = r.gate.Approve(by, c, p)
	}
	if lost := r.recordDecision(gate.DecisionOf(approved, err)); lost != nil {
		return gate.Approved{}, errors.Join(err, lost)
	}
	if err := r.recordRuling("approve", approved.Ruled(), err); err != nil {
		return gate.Approved{}, err
	}
	r.recordIntent(approved)
	r.creditRule(approved)
	return approved, nil
}

func (r *run) accept(a gate.Approved, raw gate.RawResult) (gate.Typed, error) {
	result, err := r.gate.Accept(a, raw)
	switch verdict.CodeOf(err) {
	case verdict.OutputError, verdict.OutputRPCError:
		r.out.ToolError = raw.Body
	}
	if err := r.record("accept", r.clean(a.Server(), err)); err != nil {
		return gate.Typed{}, err
	}
	r.show(result)
	r.out.Result = raw.Body
	return result, nil
}
