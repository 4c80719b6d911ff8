package learn

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/summarize"
)

// ask makes the calls, each as a separate question. A failing call is expected from a
// server with refused attempts. A call that does not leave is an error.
func (l *learner) ask(ctx context.Context, pool *session.Pool, calls []Call, who host.Approver) error {
	if len(calls) == 0 || l.proving {
		found := pool.Discover(ctx, "", []string{l.Name})[0]
		l.tools = nil
		for _, d := range found.Tools {
			if f, err := d.Fields(); err == nil {
				l.tools = append(l.tools, f.Name)
			}
		}
		if len(calls) == 0 || found.Err != nil {
			return found.Err
		}
	}
	policy := l.Policy
	var err error
	if policy.Allowlist, err = l.allowlist(); err != nil {
		return err
	}
	h, err := host.New(host.Config{
		Policy: policy, Source: pool, Caller: pool, Proposer: silent{}, Planner: "none", Writer: summarize.Extractive{},
		Traces: l.Traces, Approver: who, Now: l.Now,
	})
	if err != nil {
		return err
	}
	var left error
	for _, c := range calls {
		arguments := l.copies.text(cmp.Or(string(c.Arguments), "{}"))
		out := h.Ask(ctx, host.Question{Plan: plan.Call(l.Name, c.Tool, jsontext.Value(arguments)), Summarize: new(bool)})
		a := Answer{Tool: c.Tool, Type: out.Type.String(), Result: string(out.Result)}
		if out.Error != nil {
			a.Code = out.Error.Code
		}
		l.Answers = append(l.Answers, a)
		if out.Error != nil && out.Call == host.None && left == nil {
			left = verdict.Fail(out.Error.Code, nil, "%s: %s", c.Tool, out.Error.Message)
		}
	}
	return errors.Join(left, ctx.Err())
}

// allowlist allows the called tools, with the operator's classification.
func (l *learner) allowlist() (catalog.Allowlist, error) {
	changes := l.changes()
	list := map[string][]string{"read": {}, "write": {}}
	for _, tool := range slices.Sorted(maps.Keys(changes)) {
		kind := "read"
		if changes[tool] {
			kind = "write"
		}
		list[kind] = append(list[kind], tool)
	}
	b, err := json.Marshal(map[string]any{l.Name: list}, json.Deterministic(true))
	if err != nil {
		return catalog.Allowlist{}, err
	}
	return catalog.ParseAllowlist(b)
}

// silent proposes nothing, because every question has a plan.
type silent struct{}

func (silent) Propose(context.Context, input.Query, catalog.Catalog) (planner.Proposal, error) {
	return planner.Proposal{Said: plan.Decline("nothing is planned here")}, nil
}
