// Package replay runs a recorded question again, with the trace in place of
// model, servers and clock, and no network.
//
// Every verdict is computed anew by the same gates; what planner, writer and
// servers said is read from the trace. It vouches that the recorded verdicts
// follow from the recorded words and the policy. It does not vouch that those
// words were ever said: verify the trace first.
//
// `ask trace replay` calls it.
package replay

import (
	"context"
	"fmt"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/trace"
)

// Options of [Run].
type Options struct {
	// Policy takes the place of the recorded one; nil replays under that.
	Policy *host.Policy
	// Types are the Go types that the run checked results against.
	Types map[string]func(value []byte) error
}

// Difference is one verdict that came out otherwise. Was or Now is empty where
// only one of the runs got as far as the gate.
type Difference struct {
	Gate string        `json:"gate"`
	Was  host.Decision `json:"was"`
	Now  host.Decision `json:"now"`
}

// Report is what a replay found.
type Report struct {
	Outcome     host.Outcome // of the replay; it names no trace
	Differences []Difference // in the order of the gates
	Complete    bool         // the trace had an end
}

// Run replays the trace that events are; see [trace.Read].
func Run(ctx context.Context, events []trace.Event, opt Options) (Report, error) {
	t, err := load(events)
	if err != nil {
		return Report{}, err
	}
	policy := opt.Policy
	if policy == nil {
		recorded, err := host.RecordedPolicy(t.begin.Policy)
		if err != nil {
			return Report{}, verdict.Fail(verdict.TraceBroken, err, "%v", err)
		}
		policy = &recorded
	}
	h, err := host.New(host.Config{
		Policy: *policy, Source: t, Caller: t, Proposer: t, Writer: t, Traces: discard{},
		Planner: t.begin.Planner, Types: opt.Types, Now: t.now, NewRunID: t.runID,
	})
	if err != nil {
		return Report{}, err
	}
	question, options, err := t.question()
	if err != nil {
		return Report{}, verdict.Fail(verdict.TraceBroken, err, "the recorded question: %v", err)
	}
	out := h.Ask(ctx, question, options...)
	out.TracePath, out.TraceDigest = "", ""
	return Report{Outcome: out, Differences: t.compare(out), Complete: t.ended}, nil
}

// Begin is a trace's first body: what was asked, of which servers and under
// which policy.
func Begin(events []trace.Event) (trace.BeginBody, error) {
	t, err := load(events)
	if err != nil {
		return trace.BeginBody{}, err
	}
	return t.begin, nil
}

// compare holds the recomputed decisions against the recorded ones, by gate,
// verdict and code: a reason's wording may change with a version. What a
// killed run did not record is not compared.
func (t *tape) compare(out host.Outcome) []Difference {
	var diffs []Difference
	for i := range max(len(t.decisions), len(out.Decisions)) {
		was, now := at(t.decisions, i), at(out.Decisions, i)
		if was.Gate == "" && !t.ended {
			break
		}
		if was.Gate != now.Gate || was.Verdict != now.Verdict || was.Code != now.Code {
			diffs = append(diffs, Difference{gateOf(was, now), was, now})
		}
	}
	if len(diffs) == 0 && t.ended && (t.outcome.Type != out.Type.String() || t.outcome.Call != out.Call) {
		diffs = append(diffs, Difference{
			"outcome",
			host.Decision{Gate: "outcome", Verdict: t.outcome.Type, Code: t.outcome.Code, Reason: "call " + t.outcome.Call},
			host.Decision{Gate: "outcome", Verdict: out.Type.String(), Reason: "call " + out.Call},
		})
	}
	return diffs
}

func at(ds []host.Decision, i int) host.Decision {
	if i < len(ds) {
		return ds[i]
	}
	return host.Decision{}
}

func gateOf(was, now host.Decision) string {
	if was.Gate != "" {
		return was.Gate
	}
	return now.Gate
}

// load reads the bodies that a replay needs.
func load(events []trace.Event) (*tape, error) {
	t := &tape{listings: map[string]trace.ListingBody{}}
	for i, e := range events {
		if (i == 0) != (e.Kind == trace.Begin) {
			return nil, verdict.Fail(verdict.TraceBroken, nil, "line %d: a trace has one begin line, its first", i+1)
		}
		if err := t.read(e); err != nil {
			return nil, verdict.Fail(verdict.TraceBroken, err, "line %d: the body has %v", i+1, err)
		}
	}
	if len(events) == 0 {
		return nil, verdict.Fail(verdict.TraceIncomplete, nil, "the trace is empty")
	}
	if t.begin.Format != trace.Format {
		return nil, verdict.Fail(verdict.TraceBroken, nil, "the trace is of format %d, and this version replays format %d", t.begin.Format, trace.Format)
	}
	t.start = events[0].Time
	return t, nil
}

func (t *tape) read(e trace.Event) error {
	switch e.Kind {
	case trace.Begin:
		return decode(e, &t.begin)
	case trace.Verdict:
		var v trace.VerdictBody
		err := decode(e, &v)
		t.decisions = append(t.decisions, host.Decision(v))
		return err
	case trace.Listing:
		var l trace.ListingBody
		err := decode(e, &l)
		t.listings[l.Server] = l
		return err
	case trace.Proposal:
		t.proposal = new(trace.SaidBody)
		return decode(e, t.proposal)
	case trace.Result:
		t.result = new(trace.ResultBody)
		return decode(e, t.result)
	case trace.Writing:
		t.writing = new(trace.SaidBody)
		return decode(e, t.writing)
	case trace.Outcome:
		return decode(e, &t.outcome)
	case trace.End:
		t.ended = true
	case trace.Approval: // recomputed by the gate
	default:
		return fmt.Errorf("the unknown kind %q", e.Kind)
	}
	return nil
}

func decode(e trace.Event, v any) error { return schema.Decode(e.Body, v, bodyLimits) }

// bodyLimits fit the largest line that a run writes.
var bodyLimits = schema.Limits{Bytes: 64 << 20, Depth: 80, Exponent: 400, Digits: 128}
