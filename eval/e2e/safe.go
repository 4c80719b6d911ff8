package e2e

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/onestep-run/onestep/eval"
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
	kept := &eval.Traces{Beside: s.Traces}
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
	d.trace = kept.Lines()
	return d, eval.Unmeasured(ctx, out)
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
