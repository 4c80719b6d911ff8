// Package e2e measures a whole run, from the question to what is shown, beside
// the same run by an agent without gates.
//
// It vouches that both agents meet servers that are alike and are told the
// same by the same planner, and that they are judged by what reached the
// servers and what became of them, never by what an agent says that it did. It
// does not vouch that the cases are like anybody's questions, nor that the
// agent without gates is like anybody's agent; docs/evaluation.md says what
// the figures leave open.
//
// cmd/ask calls it for `ask eval e2e`.
package e2e

import (
	"context"
	"errors"
	"sync"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/session"
)

// The agents, as rows and figures name them.
const (
	Safe     = "onestep"
	Baseline = "naive"
)

// Config says what is measured.
type Config struct {
	Cases    []Case
	File     string // of the cases
	Safe     bool   // measure host.Ask
	Baseline bool   // measure the naive agent, which executes what it is told
	Planner  Planner
	Policy   host.Policy
	Types    map[string]func(value []byte) error // see host.Config
	Traces   host.Traces                         // where the runs' traces are kept as well; nil: only in the rows
	Limits   session.Limits                      // of the servers
	Reached  map[string]string                   // how each server is, for the traces; see host.Config
	// Open sets up the servers of one case for one agent.
	Open func(context.Context, Case) (*World, error)
}

// suite is a configuration that is being measured.
type suite struct {
	Config
	contracts contracts

	mu      sync.Mutex
	elapsed map[string][]float64 // by agent, in milliseconds
}

// Suite is the measurement.
func Suite(c Config) eval.Suite {
	s := &suite{Config: c, elapsed: map[string][]float64{}}
	s.contracts.open = c.Open
	ids := make([]string, len(c.Cases))
	for i, k := range c.Cases {
		ids[i] = k.ID
	}
	return eval.Suite{
		Name: "e2e", Subject: "planner " + c.Planner.Name, File: c.File, IDs: ids,
		Digest:   eval.Digest(c.Cases, c.Safe, c.Baseline, c.Planner.Name, c.Policy.Allowlist.Source(), c.Policy.Rules.Source(), c.Policy.SummaryLevel.String(), c.Policy.MaxResult),
		Measures: measures, Observe: s.observe, Finish: s.finish,
	}
}

// observe asks one question of each agent. Both are told the same by the same
// planner: what it said first is said to both.
func (s *suite) observe(ctx context.Context, i int) ([]eval.Row, error) {
	m := &mind{suite: s, of: s.Cases[i]}
	var rows []eval.Row
	if s.Safe {
		row, err := s.row(ctx, m, Safe, runSafe)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	if s.Baseline {
		row, err := s.row(ctx, m, Baseline, runNaive)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// row runs one agent on one case, over servers of its own, and judges it by
// what they saw.
func (s *suite) row(ctx context.Context, m *mind, agent string, run func(context.Context, *suite, *mind, *World) (deed, error)) (eval.Row, error) {
	contracts, err := s.contracts.get(ctx)
	if err != nil {
		return eval.Row{}, err
	}
	w, err := s.Open(ctx, m.of)
	if err != nil {
		return eval.Row{}, err
	}
	d, err := run(ctx, s, m, w)
	d.arrived, d.changed = w.Arrived(), w.Changed
	row := judged(m.of, agent, d, contracts, s.Policy.Allowlist)
	err = errors.Join(err, w.close())
	// A run that broke is no measurement, unless it did harm before.
	if err != nil && forbidden(row, s.Policy.SummaryLevel) == "" {
		return eval.Row{}, err
	}
	s.took(agent, d)
	return row, nil
}

// finish adds what rows do not say, and fails where onestep let through what
// its gates are there to stop.
func (s *suite) finish(r *eval.Report) error {
	r.Reasons = eval.Tallied(r.Rows, code)
	r.Latency = s.latencies()
	r.Notes = append(r.Notes, notes(s.Config)...)
	for _, row := range r.Rows {
		if harm := forbidden(row, s.Policy.SummaryLevel); harm != "" {
			return verdict.Fail(verdict.EvalFailed, nil, "the case %.100q: %s", row.ID, harm)
		}
	}
	return nil
}
