package gate

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Approve approves at most one call for one question, in three steps: make the
// plan concrete, decide on what it would be, then spend the question and mint
// the permit. A plan that declines is not approved, and neither is a question's
// second plan.
func (g *Gate) Approve(q input.Query, c catalog.Catalog, p plan.Plan) (Approved, error) {
	m, err := g.materialise(q, c, p)
	if err != nil {
		return Approved{}, err
	}
	decided := decide(m)
	if decided.Ruling == verdict.Refuse {
		return Approved{}, decided.denial()
	}
	return spend(q, m, decided)
}

// materialised is one call as it would leave, with the record of it. Nothing
// is decided yet.
type materialised struct {
	call   Call
	tool   catalog.Tool
	marked []string // JSON Pointers of the arguments that only the context holds
	record jsontext.Value
}

// materialise is pure: the tool is in the catalog, the arguments are canonical
// and fit its schema, and the same question, catalog and plan make the same record.
func (g *Gate) materialise(q input.Query, c catalog.Catalog, p plan.Plan) (m materialised, err error) {
	if p.Declines() {
		return m, verdict.Deny(verdict.CallUnapproved, "the plan declines")
	}
	if m.tool, err = c.Tool(p.Server(), p.Tool()); err != nil {
		return m, err
	}
	args, err := schema.Canonical(p.Args())
	if err != nil {
		return m, verdict.Deny(verdict.PlanJSON, "the plan's args has %v", err)
	}
	fits, err := g.validators.of(schema.Input, m.tool.Input())
	if err != nil {
		return m, err
	}
	if err := fits.Check(args); err != nil {
		return m, misfit(verdict.SchemaArguments, err)
	}
	m.call = Call{Server: m.tool.Server(), Tool: m.tool.Name(), Args: args}
	m.marked = fromContext(q, args)
	m.record, err = m.format2()
	return m, err
}

// Decision is what the rules say of a call. Its zero value refuses.
type Decision struct {
	Ruling verdict.Ruling
	Rules  []Rule // those that decided; none where nothing stands against the call
}

// Rule is one rule that decided, and why.
type Rule struct {
	Code   verdict.Code
	Reason string
}

// decide looks at the record of a call, and at nothing else. What is left for
// it to refuse, the allowlist and the schema have refused.
func decide(materialised) Decision { return Decision{Ruling: verdict.Allow} }

// denial is a refusal by its first rule, with the others named.
func (d Decision) denial() error {
	if len(d.Rules) == 0 {
		return verdict.Deny(verdict.CallUnapproved, "no rule allows the call")
	}
	no := verdict.Deny(d.Rules[0].Code, "%s", d.Rules[0].Reason)
	for _, r := range d.Rules {
		no.Rules = append(no.Rules, string(r.Code))
	}
	return no
}

// spend uses the question up and mints its one permit.
func spend(q input.Query, m materialised, d Decision) (Approved, error) {
	if !q.Spend() {
		return Approved{}, verdict.Deny(verdict.CallUnapproved, "the question was never admitted, or it has had its call")
	}
	return Approved{&permit{materialised: m, decided: d}}, nil
}

// misfit gives a schema's refusal the code of the gate that asked.
func misfit(code verdict.Code, err error) error {
	var d *verdict.Denial
	if errors.As(err, &d) {
		return &verdict.Denial{Code: code, Reason: d.Reason, Hint: d.Hint}
	}
	return verdict.Deny(code, "%v", err)
}
