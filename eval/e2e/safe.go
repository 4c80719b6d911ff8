package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/session"
)

// deed is what an agent did, and what its servers saw of it.
type deed struct {
	outcome  string   // in a word, with the code that decided
	blocked  bool     // by a gate
	answered bool     // a result is shown, or an answer
	asks     bool     // the user is asked for more
	shown    []string // what a user is shown as the answer, claims included
	claims   []string // what is claimed, in an agent's or its writer's own words
	summary  bool
	trace    []string
	elapsed  time.Duration

	arrived []Arrival
	changed func() bool
}

// runSafe asks through the gates.
func runSafe(ctx context.Context, s *suite, m *mind, w *World) (d deed, err error) {
	pool := session.New(w.Servers, s.Limits)
	defer func() { err = errors.Join(err, pool.Close()) }()
	kept := &traces{beside: s.Traces}
	c := host.Config{
		Policy: s.Policy, Types: s.Types, Source: pool, Caller: pool,
		Proposer: m, Planner: s.Planner.Name, Writer: m, Traces: kept, Servers: s.Reached,
	}
	if s.Traces == nil { // kept in the rows alone, which are the same every time
		c.Now, c.NewRunID = eval.Noon, func() string { return "e2e" }
	}
	h, err := host.New(c)
	if err != nil {
		return deed{}, err
	}
	began := time.Now()
	out := h.Ask(ctx, m.of.Query, host.WithContext(m.of.Context), host.WithSummary(m.of.summary()))
	d = told(out)
	d.elapsed = time.Since(began)
	d.trace = kept.lines()
	return d, unmeasured(ctx, out)
}

// told is what an outcome shows. What a planner asks is shown as its question,
// never as an answer, and so it is no claim.
func told(out host.Outcome) deed {
	d := deed{outcome: out.Type.String(), blocked: out.Type == host.Blocked, asks: out.Asks != ""}
	if out.Error != nil {
		d.outcome += " " + string(out.Error.Code)
	}
	for _, shown := range [][]byte{out.Typed, out.Raw} {
		if shown != nil {
			d.answered, d.shown = true, append(d.shown, string(shown))
		}
	}
	if out.Summary == nil {
		return d
	}
	d.summary = true
	for _, i := range slices.Concat(out.Summary.Bullets(), out.Summary.Risks(), out.Summary.Recommendations()) {
		d.claims = append(d.claims, i.Claim)
	}
	d.shown = append(d.shown, d.claims...)
	return d
}

// unmeasured is the error of a run that broke where nothing of it is what the
// case is about: a server that died, a model that is not there.
func unmeasured(ctx context.Context, out host.Outcome) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if len(out.Unreachable) > 0 {
		u := out.Unreachable[0]
		return verdict.Fail(u.Code, nil, "server %s: %s", u.Server, u.Reason)
	}
	if out.Error == nil {
		return nil
	}
	code := out.Error.Code
	for _, broken := range []string{"server.", "model.", "trace.", string(verdict.Internal), string(verdict.CallOutcomeUnknown), string(verdict.SummaryWriter)} {
		if strings.HasPrefix(string(code), broken) {
			return verdict.Fail(code, nil, "%s", out.Error.Message)
		}
	}
	return nil
}

// traces keeps the trace of one run in memory, and beside it where the
// operator keeps traces.
type traces struct {
	beside host.Traces
	memory bytes.Buffer
	file   host.TraceSink // nil without a place beside
}

func (t *traces) Create(runID string) (host.TraceSink, string, error) {
	if t.beside == nil {
		return t, "", nil
	}
	file, path, err := t.beside.Create(runID)
	t.file = file
	return t, path, err
}

func (t *traces) Write(b []byte) (int, error) {
	t.memory.Write(b)
	if t.file != nil {
		return t.file.Write(b)
	}
	return len(b), nil
}

func (t *traces) Sync() error {
	if t.file != nil {
		return t.file.Sync()
	}
	return nil
}

func (t *traces) Close() error {
	if t.file != nil {
		return t.file.Close()
	}
	return nil
}

// maxTraceLine bounds what a row keeps of one line, in bytes: a huge result is
// whole in the trace itself.
const maxTraceLine = 16 << 10

// lines are the trace's, long ones cut, which says so.
func (t *traces) lines() []string {
	var all []string
	for line := range strings.Lines(t.memory.String()) {
		line = strings.TrimSuffix(line, "\n")
		if len(line) > maxTraceLine {
			line = strings.ToValidUTF8(line[:maxTraceLine], "") + fmt.Sprintf("… (cut: %d bytes)", len(line))
		}
		all = append(all, line)
	}
	return all
}
