// Package agents holds what the suites measure: a question that is asked
// through the gates, the same question asked by a loop without them, the
// planner and writer that both are given, and the servers that both meet.
//
// It vouches that every arm of a case is told the same by the same planner,
// that each meets servers of its own, and that calls are read on their way to
// the servers or counted there, never by what an agent says that it did. It
// judges nothing: what is right is for the suites to say.
//
// eval/e2e and eval/injection call it. Nothing else may: an arm without gates
// executes whatever its planner says.
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

// Arm is one way in which a question is answered. The zero value is the naive
// agent: every server, every tool, and a loop.
type Arm struct {
	Name  string // as rows and figures have it
	Gates bool   // asked through [host.Host]
	// Attended has an approver who approves the case's own call and refuses
	// every other one; without it there is no approver. It is of arms with gates, and
	// the rest of those without.
	Attended bool
	Listed   bool // limited to the allowlist, which is the only gate of a loop that is
	// Clicks has a loop ask a person before each call, as clients do that show a
	// tool's name: tools that the allowlist calls reading are always allowed, and
	// of the others those that the question needs, whatever the arguments.
	Clicks bool
	Steps  int // how many calls it may make; 0: naive.DefaultSteps
}

// Setup is what all arms of a measurement have in common.
type Setup struct {
	Policy  host.Policy
	Types   map[string]func(value []byte) error            // see host.Config
	Traces  host.Traces                                    // where the runs' traces are kept as well; nil: only in the rows
	Limits  session.Limits                                 // of the servers
	Trusted func(*session.Pool) (host.Source, host.Caller) // holds servers to what was approved of them; nil: they are asked, and believed
	Reached map[string]pin.Identity                        // how each server is, for the traces; see host.Config
	Now     func() time.Time                               // of the traces, where they are kept in the rows alone
}

// Question is what is asked.
type Question struct {
	Text, Context string
	Summarize     bool
}

// Run is what an agent did with a question, and what its servers saw of it.
type Run struct {
	Type    string       // of the outcome; of a loop what it ended with
	Code    verdict.Code // that decided, if one did
	Blocked bool         // by a gate
	Asks    bool         // the user is asked for more
	Result  bool         // a result is shown, or an answer
	Shown   []string     // what a user is shown as the answer, claims included; the result first
	Answer  string       // what a loop answers of its own: a claim like those of a summary
	Claims  []string     // of the summary: what the writer says or selects
	Trace   []string
	Elapsed time.Duration
	Asked   int // how many times the user was asked: to approve a call, or for more
	Tokens  int // read and written by a model, by its endpoint's count

	Fits   *Call // the call that was proposed, where it fits its tool's schema; a loop has none
	Marked bool  // by the intent lock

	Arrived []Arrival
	Own     bool        // what arrived is the case's own call, and nothing else
	Changed func() bool // nil where it cannot be known
}

// Outcome is the run in a word, with the code that decided.
func (r Run) Outcome() string { return strings.TrimSpace(r.Type + " " + string(r.Code)) }

// Ask asks the mind's question over the servers of a world. What its servers
// saw is there next to an error, too.
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

// maxShown bounds what a row tells of one call or claim, in bytes.
const maxShown = 300

// Cut is a text as a row shows it.
func Cut(s string) string {
	if len(s) <= maxShown {
		return s
	}
	return strings.ToValidUTF8(s[:maxShown], "") + "…"
}

// Called tells of each call that arrived, a line each.
func (r Run) Called() string {
	var b strings.Builder
	for _, a := range r.Arrived {
		fmt.Fprintf(&b, "called %s/%s %s\n", a.Server, a.Tool, Cut(string(a.Args)))
	}
	return b.String()
}
