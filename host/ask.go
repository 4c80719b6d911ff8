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
	c, err := r.consider(ctx, plan.Plan{})
	if err != nil {
		return err
	}
	if c.planned, err = r.propose(ctx, c); err != nil {
		return err
	}
	if c.planned.Declines() {
		return r.decline(c.planned, c.tools)
	}
	approved, err := r.decide(ctx, &c)
	if err != nil {
		return err
	}
	if r.question.DryRun {
		return r.finishDryRun()
	}
	approved, raw, err := r.perform(ctx, &c, approved)
	if err != nil {
		return err
	}
	return r.receive(ctx, c.query, approved, raw)
}

// considered is what a call is decided on: the admitted question, the tools, and the
// plan, which may have come with the question.
type considered struct {
	query   input.Query
	tools   catalog.Catalog
	brought plan.Plan
	planned plan.Plan
}

// consider admits the question and lists the tools: of the one server that a plan
// names, where there is one.
func (r *run) consider(ctx context.Context, planned plan.Plan) (c considered, err error) {
	if c.brought, err = r.readPlan(); err != nil {
		return c, err
	}
	if c.query, err = r.admit(c.brought); err != nil {
		return c, err
	}
	named := c.brought
	if named.Declines() {
		named = planned
	}
	servers, err := r.permit(named)
	if err != nil {
		return c, err
	}
	c.tools, err = r.list(ctx, servers)
	return c, err
}

// decide has the gates decide on the call under what decides now: a planner takes its
// time. A plan that came with the question is decided on at once.
func (r *run) decide(ctx context.Context, c *considered) (gate.Approved, error) {
	if !c.brought.Declines() {
		return r.approve(ctx, *c)
	}
	changed, err := r.lookAgain(ctx, "")
	if err != nil {
		return gate.Approved{}, err
	}
	if changed {
		return r.redecide(ctx, c)
	}
	return r.approve(ctx, *c)
}

// perform asks a person where one is needed, and makes the call. Where what decides
// changes meanwhile, the call is decided again before it can leave.
func (r *run) perform(ctx context.Context, c *considered, a gate.Approved) (gate.Approved, gate.RawResult, error) {
	for {
		raw, err := r.attempt(ctx, a)
		if verdict.CodeOf(err) != verdict.ConfigChanged {
			return a, raw, err
		}
		if a, err = r.again(ctx, c, a, err); err != nil {
			return a, raw, err
		}
	}
}

// attempt makes the approved call. Nothing leaves that is not on disk.
func (r *run) attempt(ctx context.Context, approved gate.Approved) (gate.RawResult, error) {
	receipt, err := r.commit(trace.Approval, approved.Record())
	if err != nil {
		return gate.RawResult{}, err
	}
	consent, err := r.consent(ctx, approved)
	if err != nil {
		return gate.RawResult{}, err
	}
	if err := r.announce(ctx, approved); err != nil {
		return gate.RawResult{}, err
	}
	return r.dispatch(ctx, approved, receipt, consent)
}

// receive examines and accepts the answer, and summarizes it.
func (r *run) receive(ctx context.Context, query input.Query, approved gate.Approved, raw gate.RawResult) error {
	if err := r.sensitive(ctx, raw); err != nil {
		return err
	}
	raw, err := r.examine(ctx, approved, raw)
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
func (r *run) permit(named plan.Plan) ([]string, error) {
	allow := r.config.Policy.Allowlist
	server, tool := named.Server(), named.Tool()
	if named.Declines() {
		server, tool = r.question.only()
	}
	if tool == "" {
		return allow.Servers(), r.record("allowlist", allow.Refusal())
	}
	return []string{server}, r.record("allowlist", allow.Permits(server, tool))
}

// list asks the servers, and records what each said.
func (r *run) list(ctx context.Context, servers []string) (catalog.Catalog, error) {
	tools := r.catalog(ctx, r.seen, r.question.Subject, r.question.Only, servers)
	r.recordListings(tools)
	return tools, r.record("catalog", tools.Refusal())
}

// propose gives the step to take: the one that came with the question, or what
// the proposer says, read as a plan.
func (r *run) propose(ctx context.Context, c considered) (plan.Plan, error) {
	p := c.brought
	if p.Declines() {
		said, err := r.askProposer(ctx, c.query, c.tools)
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

// withoutAddition removes the argument that a client adds to every tool, where the
// tool does not accept it, and records that. Where the call is decided again it
// begins with the plan as the client sent it.
func (r *run) withoutAddition(c considered) (plan.Plan, error) {
	if !r.question.Client {
		return c.planned, nil
	}
	p, removed := r.gate.WithoutAddition(r.question.Facts.Client, c.tools, c.planned)
	r.out.Plan, r.out.Planned, r.out.Removed = p.JSON(), p, removed
	if removed == nil {
		return p, nil
	}
	return p, r.recordVerdict(Verdict{Gate: additionsGate, Removed: removed}, gate.Ruled{Ruling: verdict.Allow}, nil)
}

// additionsGate is the gate that a trace names where an argument was removed.
const additionsGate = "additions"

// approve has the gate approve the one call, and says what of it the user said.
func (r *run) approve(ctx context.Context, c considered) (approved gate.Approved, err error) {
	if c.planned, err = r.withoutAddition(c); err != nil {
		return gate.Approved{}, err
	}
	asked := r.asked(ctx, c.query)
	if asked.Files, err = r.files(c.tools, c.planned); err != nil {
		return gate.Approved{}, r.record(filesGate, err)
	}
	by, err := r.knowing(ctx, asked, c.tools, c.planned)
	if err == nil {
		approved, err = r.gate.Approve(by, c.tools, c.planned)
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
	if err := r.recordVerdict(Verdict{Gate: "accept", Reason: unzoned(result)}, gate.Ruled{Ruling: verdict.Allow}, r.clean(a.Server(), afterMade(a.Effect(), err))); err != nil {
		return gate.Typed{}, err
	}
	r.show(result)
	r.out.Result = raw.Body
	return result, nil
}
