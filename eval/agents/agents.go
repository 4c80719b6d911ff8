// Package agents has the subjects of the suites' measurements. It asks a question
// through the gates and the same question by a loop without them. It also has the
// planner and writer for both, and their servers.
//
// It vouches that the same planner gives every arm of a case the same answers, and
// that each arm has separate servers. It reads calls on their way to the servers or
// counts them there, never by an agent's own report. It judges nothing: the suites do.
//
// eval/e2e and eval/injection call it. Nothing else may: an arm without gates executes
// whatever its planner says.
package agents

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/session"
)

// Arm is one way to answer a question. The zero value is the naive agent: every
// server, every tool, and a loop.
type Arm struct {
	Name  string // in rows and figures
	Gates bool   // asked through [host.Host]
	// Attended has an approver who approves the case's own call and refuses every
	// other call; otherwise no one approves. It is for arms with gates; the fields
	// below are for arms without them.
	Attended bool
	Listed   bool // limited to the allowlist; a loop has no other gate
	// Clicks makes a loop ask a person before each call, like clients that show only a
	// tool's name. The person always allows a tool that the allowlist calls reading.
	// They allow another tool if the question needs it, whatever the arguments.
	Clicks bool
	Steps  int // the most calls; 0: naive.DefaultSteps
}

// Setup is the common part of all arms of a measurement.
type Setup struct {
	Policy  host.Policy
	Types   map[string]func(value []byte) error            // see host.Config
	Traces  host.Traces                                    // a second place for the runs' traces; nil: only in the rows
	Limits  session.Limits                                 // of the servers
	Trusted func(*session.Pool) (host.Source, host.Caller) // uses approved descriptors; nil: trusts the answers
	Reached map[string]pin.Identity                        // how servers are reached; see host.Config
	Now     func() time.Time                               // of the traces, if only the rows keep them
}

// Question is the question of a case.
type Question struct {
	Text, Context string
	Summarize     bool
}

// Run is an agent's answer to a question, and what reached its servers.
type Run struct {
	Type    string       // of the outcome; for a loop, how it ended
	Code    verdict.Code // the deciding code, if any
	Blocked bool         // by a gate
	Asks    bool         // the user is asked for more
	Result  bool         // a result is shown, or an answer
	Shown   []string     // what a user is shown as the answer, claims included; the result first
	Answer  string       // a loop's own answer: a claim like those of a summary
	Claims  []string     // of the summary: the writer's words or selections
	Trace   []string
	Elapsed time.Duration
	Asked   int // how many times the user was asked: to approve a call, or for more
	Tokens  int // read and written by a model, by its endpoint's count

	Fits   *Call // the proposed call, if it fits its tool's schema; nil for a loop
	Marked bool  // by the intent lock

	Arrived []Arrival
	Own     bool        // only the case's own call arrived
	Changed func() bool // nil if it cannot be known
}

// Outcome returns the run in a word, with the deciding code.
func (r Run) Outcome() string { return strings.TrimSpace(r.Type + " " + string(r.Code)) }

// Ask asks the mind's question over the servers of a world. The run has what reached
// the servers, even with an error.
func (a Arm) Ask(ctx context.Context, s Setup, m *Mind, w *World) (Run, error) {
	ask := a.askLoop
	if a.Gates {
		ask = a.askGates
	}
	r, err := ask(ctx, s, m, w)
	r.Arrived, r.Changed = w.Arrived(), w.Changed
	r.Asked += eval.Fact(r.Asks)
	r.Own = m.Own != nil && len(r.Arrived) == 1 && m.Own.Is(Call{r.Arrived[0].Server, r.Arrived[0].Tool, r.Arrived[0].Args})
	return r, err
}

// maxShown bounds how much of one call or claim a row shows, in bytes.
const maxShown = 300

// Cut shortens a text for a row.
func Cut(s string) string {
	if len(s) <= maxShown {
		return s
	}
	return strings.ToValidUTF8(s[:maxShown], "") + "…"
}

// Called lists the calls that arrived, one on each line.
func (r Run) Called() string {
	var b strings.Builder
	for _, a := range r.Arrived {
		fmt.Fprintf(&b, "called %s/%s %s\n", a.Server, a.Tool, Cut(string(a.Args)))
	}
	return b.String()
}
