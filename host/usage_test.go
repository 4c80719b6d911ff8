package host_test

import (
	"context"
	"testing"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/summarize"
	"github.com/onestep-run/onestep/trace"
)

// paid is a model on both sides of the call: it plans with two completions and
// writes with one, which can fail.
type paid struct {
	costs   [3]string
	writing error
}

func reply(in, out int, cost, raw string) planner.Reply {
	return planner.Reply{Raw: []byte(raw), Usage: planner.Usage{Input: in, Output: out, Cost: cost}}
}

func (p paid) Propose(context.Context, input.Query, catalog.Catalog) (planner.Proposal, error) {
	return planner.Proposal{Said: []byte(fetch), Replies: []planner.Reply{reply(10, 1, p.costs[0], `"first"`), reply(20, 2, p.costs[1], `"second"`)}}, nil
}

func (p paid) Write(ctx context.Context, s summarize.Source) (summarize.Draft, error) {
	d, err := summarize.Extractive{}.Write(ctx, s)
	if p.writing != nil {
		d.Said, err = nil, p.writing
	}
	d.Replies = []planner.Reply{reply(400, 30, p.costs[2], `"third"`)}
	return d, err
}

func TestWhatEveryCompletionTookIsInOutcomeAndTrace(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		model paid
		cost  string
		exit  int
	}{
		"all report a cost": {paid{costs: [3]string{"0.1", "0.2", "0.0000001"}}, "0.3000001", 0},
		"none does":         {paid{}, "", 0},
		"the writer not":    {paid{costs: [3]string{"0.1", "0.2", ""}}, "", 0},
		"the writer alone":  {paid{costs: [3]string{"", "", "0.5"}}, "", 0},
		"the writer fails":  {paid{[3]string{"1", "2", "3"}, verdict.Fail(verdict.SummaryWriter, nil, "cut off")}, "6", verdict.SummaryWriter.Entry().Exit},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.config.Proposer, b.config.Writer = row.model, row.model
			out := b.ask(t, "Summarize policy-002")
			if out.Exit() != row.exit || out.Usage == nil || *out.Usage != (planner.Usage{Input: 430, Output: 33, Cost: row.cost}) {
				t.Errorf("exit %d, usage %+v, want cost %q", out.Exit(), out.Usage, row.cost)
			}
			inTrace(t, b, trace.Proposal, `"first"`, `"second"`)
			inTrace(t, b, trace.Writing, `"third"`)
			replayed(t, b)
		})
	}
}

func TestTheEmbeddedPlannerAndWriterTakeNothing(t *testing.T) {
	t.Parallel()
	if out := newBench(t).ask(t, "Summarize policy-002"); out.Usage != nil || out.Summary == nil {
		t.Errorf("%+v", out.Usage)
	}
}

// recorded holds the replies of a trace's line to what the model answered.
func inTrace(t *testing.T, b *bench, kind trace.Kind, raws ...string) {
	t.Helper()
	events := b.events(t)
	for _, e := range events {
		if e.Kind != kind {
			continue
		}
		var body trace.SaidBody
		if err := e.Decode(&body); err != nil || len(body.Replies) != len(raws) {
			t.Fatalf("%s holds %d replies, %v", kind, len(body.Replies), err)
		}
		for i, r := range body.Replies {
			if raw, err := r.Raw.Get(); string(raw) != raws[i] || r.InputTokens == 0 || err != nil {
				t.Errorf("%s: reply %d is %s, %d tokens, %v", kind, i, raw, r.InputTokens, err)
			}
		}
		return
	}
	t.Errorf("the trace has no %s", kind)
}
