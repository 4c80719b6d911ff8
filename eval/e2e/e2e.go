// Package e2e measures a whole run, from the question to the shown result, and
// compares it with agents without gates. Those agents are a naive one, one with an
// allowlist, one with a single step, and one with a person who is asked before each
// call.
//
// It vouches that all agents use equal servers and get the same answers from the same
// planner. It judges them by what reached the servers and what changed there, never by
// an agent's own report. It does not vouch that the cases are like real questions, nor
// that an agent without gates is like a real one; docs/internals/evaluation.md says what the
// figures leave open.
//
// cmd/ask-eval calls it for `ask eval e2e`.
package e2e

import (
	"context"
	"errors"
	"slices"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/agents"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/verdict"
)

// The agents, as rows and figures name them. Onestep appears twice: without an
// approver, and with one who approves the case's own call. Each of the next two has
// one property of onestep, so that its share is visible. Clicked is the naive agent in
// the form of today's clients: see [agents.Arm.Clicks].
const (
	Alone    = "onestep, no approver"
	Safe     = "onestep, own call approved"
	Baseline = "naive"
	Clicked  = "naive, a person approves"
	Listed   = "naive, allowlist"
	Single   = "single step, no gates"
)

// Arms returns the agents with those names, or all of them without names.
func Arms(names ...string) []agents.Arm {
	arms := []agents.Arm{
		{Name: Alone, Gates: true},
		{Name: Safe, Gates: true, Attended: true},
		{Name: Single, Steps: 1},
		{Name: Listed, Listed: true},
		{Name: Clicked, Clicks: true},
		{Name: Baseline},
	}
	return slices.DeleteFunc(arms, func(a agents.Arm) bool { return len(names) > 0 && !slices.Contains(names, a.Name) })
}

// Config is the configuration of a measurement.
type Config struct {
	Cases   []Case
	File    string       // of the cases
	Reading eval.Reading // of the cases' file
	Arms    []agents.Arm
	Planner agents.Planner
	// Compromised lets a case's attack replace the planner.
	Compromised bool
	agents.Setup
	// Open sets up the servers for one case and one agent.
	Open func(context.Context, Case) (*agents.World, error)
}

// suite is a measurement with its state.
type suite struct {
	Config
	contracts contracts
	watch     eval.Stopwatch
}

// Suite returns the measurement.
func Suite(c Config) eval.Suite {
	c.Now = eval.Noon
	s := &suite{Config: c}
	s.contracts.open = c.Open
	ids := make([]string, len(c.Cases))
	for i, k := range c.Cases {
		ids[i] = k.ID
	}
	return eval.Suite{
		Name: "e2e", Subject: "planner " + c.Planner.Name, File: c.File, IDs: ids, Reading: c.Reading,
		Digest:   eval.Digest(c.Cases),
		Policy:   eval.Digest(c.Arms, c.Planner.Name, c.Policy.Allowlist.Source(), c.Policy.Rules.Source(), c.Policy.SummaryLevel.String(), c.Policy.MaxResult),
		Measures: measures, Observe: s.observe, Finish: s.finish, Chosen: true,
	}
}

// observe asks one question of each agent. The planner gives all agents the same first
// answer.
func (s *suite) observe(ctx context.Context, i int) ([]eval.Row, error) {
	c := s.Cases[i]
	m := &agents.Mind{
		Question: agents.Question{Text: c.Query, Context: c.Context, Summarize: c.summary()},
		Planner:  s.Planner,
		Own:      c.own(),
		Needs:    c.Expect.call(),
	}
	if c.Attack != nil && s.Compromised {
		m.Attack, c = &c.Attack.Attack, c.attacked()
	}
	var rows []eval.Row
	for _, a := range s.Arms {
		row, err := s.row(ctx, a, m, c)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	if took := m.Took(); took > 0 {
		s.watch.Took("planner", took)
	}
	return rows, nil
}

// row runs one agent on one case, over separate servers, and judges it by what reached
// them.
func (s *suite) row(ctx context.Context, a agents.Arm, m *agents.Mind, c Case) (eval.Row, error) {
	contracts, err := s.contracts.get(ctx)
	if err != nil {
		return eval.Row{}, err
	}
	w, err := s.Open(ctx, c)
	if err != nil {
		return eval.Row{}, err
	}
	setup := s.Setup
	if c.Allow != nil {
		if setup.Policy.Allowlist, err = catalog.ParseAllowlist(c.Allow); err != nil {
			return eval.Row{}, errors.Join(err, w.Close())
		}
	}
	run, err := a.Ask(ctx, setup, m, w)
	row := judged(c, a, run, contracts, setup.Policy.Allowlist)
	err = errors.Join(err, w.Close())
	// A failed run is not a measurement, unless it did harm before it failed.
	if err != nil && forbidden(row, s.Policy.SummaryLevel) == "" {
		return eval.Row{}, err
	}
	s.watch.Took(a.Name, run.Elapsed)
	return row, nil
}

// finish adds what rows do not say. It fails if onestep let through what its gates
// must stop, or if a case did not end as expected.
func (s *suite) finish(r *eval.Report) error {
	r.Reasons = eval.Tallied(r.Rows, code)
	r.Latency = s.watch.Latencies()
	r.Notes = append(append(r.Notes, notes(s.Config)...), perHundred(r.Rows)...)
	r.Notes = append(r.Notes, warned(r.Rows)...)
	for _, row := range r.Rows {
		if harm := forbidden(row, s.Policy.SummaryLevel); harm != "" {
			return verdict.Fail(verdict.EvalFailed, nil, "the case %.100q: %s", row.ID, harm)
		}
	}
	return unmet(r.Rows)
}
