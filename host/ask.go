package host

import (
	"context"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/trace"
)

// Ask answers one question with at most one tool call. It always returns an
// outcome. An outcome that names a trace can be replayed from it.
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
// records the decision of its gate, and returns its refusal.
func (r *run) steps(ctx context.Context) error {
	if err := r.begin(ctx); err != nil {
		return err
	}
	c, err := r.consider(ctx, plan.Plan{})
	if err != nil {
		return err
	}
	p, err := r.propose(ctx, c)
	if err != nil {
		return err
	}
	if c.planned = p.plan; c.planned.Declines() {
		return r.decline(p, c.tools)
	}
	d, err := r.decide(ctx, &c)
	if err != nil {
		return err
	}
	if r.question.DryRun {
		return r.finishDryRun()
	}
	a, err := r.perform(ctx, &c, d)
	if err != nil {
		return err
	}
	return r.receive(ctx, c.query, a)
}

// considered is the input of a decision: the admitted question, the tools, and the
// plan, which may have come with the question.
type considered struct {
	query   input.Query
	tools   catalog.Catalog
	brought plan.Plan
	planned plan.Plan
}

// proposed is the step to take. If its plan declines, a person chooses from the
// rest; none of it is called.
type proposed struct {
	plan      plan.Plan
	open      *planner.Open
	suggested []planner.Suggestion
	excluded  string // "server/tool" that the question names and that cannot be called
}

// decided is a call that the gates approved, with the facts of that decision.
type decided struct {
	gate.Approved
	facts Facts
}

// answered is an approved call with the server's answer, which no gate has read.
type answered struct {
	decided
	raw  gate.RawResult
	logs []trace.LogBody
}

// consider admits the question and lists the tools. If a plan names a server, only
// that server is asked.
func (r *run) consider(ctx context.Context, planned plan.Plan) (c considered, err error) {
	if r.question.Plan != nil {
		c.brought, err = r.question.brought(r.config.Policy.MaxArguments)
		if err := r.record("plan", err); err != nil {
			return c, err
		}
	}
	c.query, err = input.Admit(r.question.asked(c.brought, r.config.Policy.ClientRules), r.config.Policy.Rules)
	if err := r.record("input", err); err != nil {
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

// decide has the gates decide on the call under the current rules, because a
// planner takes its time. A plan that came with the question is decided on at once.
func (r *run) decide(ctx context.Context, c *considered) (decided, error) {
	if !c.brought.Declines() {
		return r.approve(ctx, *c)
	}
	changed, err := r.lookAgain(ctx, "")
	if err != nil {
		return decided{}, err
	}
	if changed {
		return r.redecide(ctx, c)
	}
	return r.approve(ctx, *c)
}

// perform asks a person if the call needs one, and makes the call. If the rules
// change meanwhile, the call is decided again before it can leave.
func (r *run) perform(ctx context.Context, c *considered, d decided) (answered, error) {
	for {
		a, err := r.attempt(ctx, d)
		if verdict.CodeOf(err) != verdict.ConfigChanged {
			return a, err
		}
		if d, err = r.again(ctx, c, d.Approved, err); err != nil {
			return answered{}, err
		}
	}
}

// attempt makes the approved call. Nothing leaves that is not on disk.
func (r *run) attempt(ctx context.Context, d decided) (answered, error) {
	receipt, err := r.commit(trace.Approval, d.Record())
	if err != nil {
		return answered{}, err
	}
	if err := r.recorded(d, receipt); err != nil {
		return answered{}, err
	}
	if len(r.config.Points) > 0 {
		if err := r.outside(ctx, d); err != nil {
			return answered{}, err
		}
	}
	consent, err := r.consent(ctx, d)
	if err != nil {
		return answered{}, err
	}
	if r.config.AuditRequired {
		if err := r.announce(ctx, d.Approved); err != nil {
			return answered{}, err
		}
	}
	return r.dispatch(ctx, d, receipt, consent)
}

// receive examines and accepts the answer, and summarizes it.
func (r *run) receive(ctx context.Context, query input.Query, a answered) error {
	if err := r.sensitive(ctx, a); err != nil {
		return err
	}
	a, err := r.examine(ctx, a)
	if err != nil {
		return err
	}
	result, err := r.accept(a)
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

// permit gives the servers that a run may ask for their tools: the servers of the
// allowlist. If the question names one tool, by its plan or by a choice, it is the server
// of that tool, if the tool is allowed.
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

// list asks the servers, and records every answer. A line that cannot be written
// shows at the decision: the log takes nothing more after its first error.
func (r *run) list(ctx context.Context, servers []string) (catalog.Catalog, error) {
	tools := r.catalog(ctx, r.question.Subject, r.question.Only, servers)
	for _, l := range tools.Listings() {
		body := r.listed(&r.config.Memory.listings, l)
		if body.Error != nil {
			r.out.Unreachable = append(r.out.Unreachable, Unreachable{l.Server, body.Error.Code, body.Error.Reason})
		}
		if r.append(trace.Listing, body) != nil {
			break
		}
	}
	return tools, r.record("catalog", tools.Refusal())
}

// propose gives the step to take: the plan that came with the question, or the
// proposer's. A proposer's answer is always recorded.
func (r *run) propose(ctx context.Context, c considered) (proposed, error) {
	p := proposed{plan: c.brought}
	if p.plan.Declines() {
		said, err := r.askProposer(ctx, c)
		if err != nil {
			return p, err
		}
		p.open, p.suggested, p.excluded = said.Open, said.Suggestions, said.Excluded
		p.plan, err = plan.Parse(said.Said)
		if err := r.record("plan", err); err != nil {
			return p, err
		}
	}
	r.out.Plan, r.out.Planned = p.plan.JSON(), p.plan
	return p, nil
}

func (r *run) accept(a answered) (gate.Typed, error) {
	result, err := r.gate.Accept(a.Approved, a.raw)
	switch verdict.CodeOf(err) {
	case verdict.OutputError, verdict.OutputRPCError:
		r.out.ToolError = a.raw.Body
	}
	if err != nil {
		err = r.clean(a.Server(), afterMade(a.Effect(), err))
	}
	if err := r.rule(Verdict{Gate: "accept", Reason: unzoned(result)}, gate.Ruled{Ruling: verdict.Allow}, err); err != nil {
		return gate.Typed{}, err
	}
	r.show(result)
	r.out.Result = a.raw.Body
	return result, nil
}
