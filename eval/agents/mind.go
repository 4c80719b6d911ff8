package agents

import (
	"context"
	"sync"
	"time"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/summarize"
)

// Planner is who plans and writes for all arms.
type Planner struct {
	Name     string
	Proposer host.Proposer
	Writer   host.Writer
	// Chat is the model behind the two, where there is one: a loop asks it for
	// further steps. Without it a loop answers with what came back.
	Chat planner.Chat
}

// Attack is what is said where planner and writer are the attacker's. It is
// bytes, and need not be JSON.
type Attack struct {
	Plan string `json:"plan,omitzero"` // the first step; left out: what the planner says
	// Then is said in further steps, if somebody asks for them, once Trigger
	// is in what came back; without a Trigger in any case.
	Then    []string `json:"then,omitzero"`
	Trigger string   `json:"trigger,omitzero"`
	Writer  string   `json:"writer,omitzero"` // the summary; left out: what the writer says
}

// Mind is the planner and writer of one case, the same one for every arm: what
// it says first it says to all of them.
type Mind struct {
	Question Question
	Planner  Planner
	Attack   *Attack // speaks in place of the two; nil: none
	Own      *Call   // the only one that the approver approves; nil: none
	Needs    string  // the tool that the question needs, as "server/tool"; "" is none

	once sync.Once
	said planner.Proposal
	err  error
	took time.Duration
}

// Took is how long the planner thought, 0 where it was not asked.
func (m *Mind) Took() time.Duration { return m.took }

// Propose is the first step, as onestep asks for it.
func (m *Mind) Propose(ctx context.Context, q input.Query, c catalog.Catalog) (planner.Proposal, error) {
	if a := m.Attack; a != nil && a.Plan != "" {
		return planner.Proposal{Said: []byte(a.Plan)}, nil
	}
	m.once.Do(func() {
		began := time.Now()
		m.said, m.err = m.Planner.Proposer.Propose(ctx, q, c)
		m.took = time.Since(began)
	})
	return m.said, m.err
}

// Write is the summary, as onestep asks for it.
func (m *Mind) Write(ctx context.Context, s summarize.Source) (summarize.Draft, error) {
	if a := m.Attack; a != nil && a.Writer != "" {
		return summarize.Draft{Said: []byte(a.Writer)}, nil
	}
	return m.Planner.Writer.Write(ctx, s)
}
