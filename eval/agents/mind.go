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

// Planner is the planner and writer for all arms.
type Planner struct {
	Name     string
	Proposer host.Proposer
	Writer   host.Writer
	// Chat is the model behind the two, if they use one: a loop asks it for further
	// steps. Without it a loop answers with the result of its call.
	Chat planner.Chat
}

// Attack is what planner and writer say if the attacker controls them. It is bytes,
// and need not be JSON.
type Attack struct {
	Plan string `json:"plan,omitzero"` // the first step; if absent, the planner's own
	// Then are the further steps, if the agent asks for any. They begin once Trigger
	// is in a result, or at once without a Trigger.
	Then    []string `json:"then,omitzero"`
	Trigger string   `json:"trigger,omitzero"`
	Writer  string   `json:"writer,omitzero"` // the summary; if absent, the writer's own
}

// Mind is the planner and writer of one case. It gives every arm the same first step.
type Mind struct {
	Question Question
	Planner  Planner
	Attack   *Attack // replaces the two; nil: none
	Own      *Call   // the only call that the approver approves; nil: none
	Needs    string  // the tool that the question needs, as "server/tool"; "" for none

	once sync.Once
	said planner.Proposal
	err  error
	took time.Duration
}

// Took returns how long the planner took, 0 if it was not asked.
func (m *Mind) Took() time.Duration { return m.took }

// Propose returns the first step, as onestep asks for it.
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

// Write returns the summary, as onestep asks for it.
func (m *Mind) Write(ctx context.Context, s summarize.Source) (summarize.Draft, error) {
	if a := m.Attack; a != nil && a.Writer != "" {
		return summarize.Draft{Said: []byte(a.Writer)}, nil
	}
	return m.Planner.Writer.Write(ctx, s)
}
