// Package naive is the agent that onestep is compared with. It is a loop like that of
// common agents, over the same servers and with the same planner's answers.
//
// It vouches for nothing, on purpose. It dials every server at once and offers every
// tool. It reads a planner's answers as leniently as common agents do. It makes every
// requested call, puts the result into the next question unchanged, and shows every
// claim. It is not made worse than that: it reports to its planner what it could not
// do, and stops as soon as there is an answer.
//
// eval/agents runs it. Nothing else may, and nothing is built on it: with --mode
// baseline it executes whatever its planner says.
package naive

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// DefaultSteps is how many calls a run makes at most.
const DefaultSteps = 5

// Agent is one naive agent. It is safe for concurrent use if its parts are.
type Agent struct {
	Servers []string
	// Connect returns a transport to the named server, for one connection.
	Connect func(ctx context.Context, server string) (mcp.Transport, error)
	Brain   Brain
	// Allow is optional. It limits the loop to some tools: an allowlist and no other
	// gate. Nil allows everything.
	Allow func(server, tool string) bool
	// Approve is optional. It is the person who is asked before each call, by the
	// tool's name. A declined call is not made, and the brain gets that as its result.
	Approve func(server, tool string) bool
	Steps   int // the most calls of one run; 0: DefaultSteps
}

// Brain is the model of a loop.
type Brain interface {
	// Next returns the next step. Results are the results or errors of the calls so
	// far, in order.
	Next(ctx context.Context, question string, tools []Tool, results []string) ([]byte, error)
	// Write writes a summary of a result.
	Write(ctx context.Context, question, result string) ([]byte, error)
}

// Tool is a tool as its server lists it.
type Tool struct {
	Server      string `json:"server"`
	Name        string `json:"name"`
	Description string `json:"description"`
	InputSchema any    `json:"input_schema"`
}

// Call is one call that the agent reports. The server counts what reached it.
type Call struct {
	Server, Tool string
	Args         jsontext.Value
	Result       string // its text, or the error's text
	Failed       bool
}

// Run is the result of one question.
type Run struct {
	Calls  []Call
	Unread []string // the brain's messages about unreadable steps
	Answer string   // the shown answer
	Asks   string   // the question to the user instead
	Claims []string // the claims of a summary; each is shown
}

// Run answers one question. An error says that a server could not be reached or that
// the brain failed; the run then has the steps before.
func (a Agent) Run(ctx context.Context, question string, summarize bool) (run Run, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // a server that was reached and did not answer ends with it
	c, err := a.connect(ctx)
	defer func() { err = errors.Join(err, c.close()) }()
	if err != nil {
		return Run{}, err
	}
	if err := a.loop(ctx, c, question, &run); err != nil {
		return run, err
	}
	if summarize && len(run.Calls) > 0 {
		said, err := a.Brain.Write(ctx, question, run.last())
		if err != nil {
			return run, fmt.Errorf("the brain cannot write: %w", err)
		}
		run.Claims = claims(said)
	}
	return run, nil
}

func (a Agent) loop(ctx context.Context, c connections, question string, run *Run) error {
	var results []string
	steps := a.Steps
	if steps <= 0 {
		steps = DefaultSteps
	}
	for range steps {
		said, err := a.Brain.Next(ctx, question, c.tools, results)
		if err != nil {
			return fmt.Errorf("the brain fails: %w", err)
		}
		switch s := read(said); {
		case s.final:
			run.Answer, run.Asks = s.answer, s.asks
			return nil
		case s.unreadable != "":
			run.Unread = append(run.Unread, s.unreadable)
			results = append(results, s.unreadable)
		default:
			call := a.call(ctx, c, s)
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			run.Calls = append(run.Calls, call)
			results = append(results, call.Result)
		}
	}
	run.Answer = run.last() // out of steps: the last known result
	return nil
}

func (r Run) last() string {
	if len(r.Calls) == 0 {
		return ""
	}
	return r.Calls[len(r.Calls)-1].Result
}
