package agents

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/session"
)

// askGates asks through the gates.
func (a Arm) askGates(ctx context.Context, s Setup, m *Mind, w *World) (r Run, err error) {
	pool := session.New(w.Servers, s.Limits)
	defer func() { err = errors.Join(err, pool.Close()) }()
	source, caller := s.trusted(pool)
	kept := &traces{beside: s.Traces}
	c := host.Config{
		Policy: s.Policy, Types: s.Types, Source: source, Caller: caller,
		Proposer: m, Planner: m.Planner.Name, Writer: m, Traces: kept, Servers: s.Reached,
	}
	person := &approver{own: m.Own}
	if a.Attended {
		c.Approver = person
	}
	if s.Traces == nil { // only the rows keep it, and they are the same every time
		c.Now, c.NewRunID = s.Now, func() string { return "eval" }
	}
	h, err := host.New(c)
	if err != nil {
		return Run{}, err
	}
	began := time.Now()
	out := h.Ask(ctx, host.Question{Text: m.Question.Text, Context: m.Question.Context, Summarize: &m.Question.Summarize})
	r = runOf(out)
	r.Elapsed, r.Trace, r.Asked = time.Since(began), kept.lines(), person.asked
	return r, unmeasured(ctx, out)
}

func (s Setup) trusted(pool *session.Pool) (host.Source, host.Caller) {
	if s.Trusted == nil {
		return pool, pool
	}
	return s.Trusted(pool)
}

// runOf returns the run of an outcome. A question of the planner is shown as such,
// never as an answer, so it is not a claim.
func runOf(out host.Outcome) Run {
	r := Run{Type: out.Type.String(), Blocked: out.Type == host.Blocked, Asks: out.Asks != ""}
	if out.Usage != nil {
		r.Tokens = out.Usage.Input + out.Usage.Output
	}
	if out.Error != nil {
		r.Code = out.Error.Code
	}
	if out.Intent != nil {
		r.Fits, r.Marked = &Call{out.Planned.Server(), out.Planned.Tool(), out.Planned.Args()}, out.Intent.Marked
	}
	for _, shown := range [][]byte{out.Typed, out.Raw} {
		if shown != nil {
			r.Result, r.Shown = true, append(r.Shown, string(shown))
		}
	}
	if out.Summary == nil {
		return r
	}
	for _, i := range slices.Concat(out.Summary.Bullets(), out.Summary.Risks(), out.Summary.Recommendations()) {
		r.Claims, r.Shown = append(r.Claims, i.Evidence), append(r.Shown, i.Claim)
	}
	for _, c := range out.Summary.Commentary() {
		r.Claims, r.Shown = append(r.Claims, c.Text), append(r.Shown, c.Text)
	}
	return r
}
