package e2e

import (
	"context"
	"errors"
	"sync"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/summarize"
)

// Planner is who plans and writes for both agents.
type Planner struct {
	Name     string
	Proposer host.Proposer
	Writer   host.Writer
	// Chat is the model behind the two, where there is one: the loop asks it
	// for further steps. Without it the loop answers with what came back.
	Chat planner.Chat
	// Compromised has the attack of a case speak in place of the two.
	Compromised bool
}

// mind is the planner and writer of one case: onestep's and the loop's. What it
// says first it says to both.
type mind struct {
	suite *suite
	of    Case

	once sync.Once
	said planner.Proposal
	err  error
}

func (m *mind) attack() *Attack {
	if !m.suite.Planner.Compromised {
		return nil
	}
	return m.of.Attack
}

// Propose is the first step, as onestep asks for it.
func (m *mind) Propose(ctx context.Context, q input.Query, c catalog.Catalog) (planner.Proposal, error) {
	if a := m.attack(); a != nil && a.Plan != "" {
		return planner.Proposal{Said: []byte(a.Plan)}, nil
	}
	m.once.Do(func() { m.said, m.err = m.suite.Planner.Proposer.Propose(ctx, q, c) })
	return m.said, m.err
}

// Write is the summary, as onestep asks for it.
func (m *mind) Write(ctx context.Context, s summarize.Source) (summarize.Draft, error) {
	if a := m.attack(); a != nil && a.Writer != "" {
		return summarize.Draft{Said: []byte(a.Writer)}, nil
	}
	return m.suite.Planner.Writer.Write(ctx, s)
}

// first is the first step, as the loop is told it: what onestep was told, or
// would be. The planner is shown the allowlisted tools, for one that is shown
// others would not say the same.
func (m *mind) first(ctx context.Context, w *World) (said []byte, err error) {
	rules, err := input.ParseRules([]byte(anything))
	if err != nil {
		return nil, err
	}
	q, err := input.Admit(m.of.Query, m.of.Context, rules)
	if err != nil {
		return plan.Decline("I cannot read the question."), nil
	}
	pool := session.New(w.Servers, m.suite.Limits)
	defer func() { err = errors.Join(err, pool.Close()) }()
	allow := m.suite.Policy.Allowlist
	var c catalog.Catalog
	if a := m.attack(); a == nil || a.Plan == "" {
		listings := pool.Discover(ctx, allow.Servers())
		for _, l := range listings {
			if l.Err != nil {
				return nil, l.Err
			}
		}
		c = catalog.Admit(listings, allow, catalog.Options{StrictFormats: m.suite.Policy.StrictFormats})
	}
	p, err := m.Propose(ctx, q, c)
	return p.Said, err
}

// anything are the rules of an agent that has no gate before its planner: a
// query needs some, and these match none.
const anything = `{"builtin":false,"rules":[{"id":"none","category":"none","pattern":"zzqx no question says this xqzz","reason":"none"}]}`
