package host_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/runs"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/trace"
)

// proposer is a function that proposes.
type proposer func(ctx context.Context) (planner.Proposal, error)

func (p proposer) Propose(ctx context.Context, _ input.Query, _ catalog.Catalog) (planner.Proposal, error) {
	return p(ctx)
}

// crowd is a host with its traces on a disk, which counts the runs that begin.
func crowd(t *testing.T, b *bench, bounds host.Bounds, propose proposer) (h *host.Host, begun *atomic.Int32, dir string) {
	t.Helper()
	begun, dir = &atomic.Int32{}, t.TempDir()
	b.config.Proposer, b.config.Bounds, b.config.Traces = propose, bounds, runs.Dir(dir)
	b.config.NewRunID = func() string { return fmt.Sprintf("run%d", begun.Add(1)) }
	h, err := host.New(b.config)
	if err != nil {
		t.Fatal(err)
	}
	return h, begun, dir
}

// tally counts outcomes by their code, "" where the question was answered.
type tally struct {
	mu sync.Mutex
	by map[verdict.Code]int
}

func (c *tally) add(out host.Outcome) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by == nil {
		c.by = map[verdict.Code]int{}
	}
	code := verdict.Code("")
	if out.Error != nil {
		code = out.Error.Code
	}
	c.by[code]++
}

func traces(t *testing.T, dir string) int {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return len(found)
}

func TestNoMoreQuestionsRunThanTheBoundsAllow(t *testing.T) {
	t.Parallel()
	const atOnce, questions = 4, 500
	b := newBench(t)
	var running, most, came atomic.Int32
	all := make(chan struct{})
	h, _, _ := crowd(t, b, host.Bounds{AtOnce: atOnce, Queue: questions}, func(context.Context) (planner.Proposal, error) {
		n := running.Add(1)
		defer running.Add(-1)
		for was := most.Load(); n > was && !most.CompareAndSwap(was, n); was = most.Load() {
		}
		if came.Add(1) == atOnce {
			close(all)
		}
		<-all // as many as may do run at once
		return planner.Proposal{Said: []byte(fetch)}, nil
	})
	var ended tally
	var wait sync.WaitGroup
	for range questions {
		wait.Go(func() { ended.add(h.Ask(t.Context(), host.Question{Text: "Show policy-002"})) })
	}
	wait.Wait()
	if diff := cmp.Diff(map[verdict.Code]int{"": questions}, ended.by); diff != "" {
		t.Error(diff)
	}
	if n := most.Load(); n != atOnce {
		t.Errorf("%d questions ran at once", n)
	}
	if n := b.calls(); n != questions {
		t.Errorf("%d calls", n)
	}
}

// refusal is what a test compares of a question that never had its turn.
type refusal struct {
	Type      host.Type
	Code      verdict.Code
	Exit      int
	Retryable bool
	Call      string
	RunID     string
	Trace     string
}

func refused(out host.Outcome) refusal {
	r := refusal{Type: out.Type, Exit: out.Exit(), Call: out.Call, RunID: out.RunID, Trace: out.TracePath}
	if out.Error != nil {
		r.Code, r.Retryable = out.Error.Code, out.Error.Retryable
	}
	return r
}

var busy = refusal{Type: host.Failed, Code: verdict.RunBusy, Exit: 2, Retryable: true, Call: string(host.None)}

func TestAQuestionBeyondTheQueueIsRefusedAndBeginsNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		bounds host.Bounds
		taken  int
	}{
		"a queue":  {host.Bounds{AtOnce: 2, Queue: 3}, 5},
		"no queue": {host.Bounds{AtOnce: 2, Queue: -1}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const questions = 3000
			b := newBench(t)
			release := make(chan struct{})
			h, begun, dir := crowd(t, b, c.bounds, func(context.Context) (planner.Proposal, error) {
				<-release
				return planner.Proposal{Said: []byte(fetch)}, nil
			})
			ended := make(chan host.Outcome)
			for range questions {
				go func() { ended <- h.Ask(t.Context(), host.Question{Text: "Show policy-002"}) }()
			}
			for range questions - c.taken {
				if diff := cmp.Diff(busy, refused(<-ended)); diff != "" {
					t.Error(diff)
				}
			}
			if n := begun.Load(); n > 2 {
				t.Errorf("%d runs began while two had a turn", n)
			}
			close(release)
			var rest tally
			for range c.taken {
				rest.add(<-ended)
			}
			if diff := cmp.Diff(map[verdict.Code]int{"": c.taken}, rest.by); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff([]int{c.taken, c.taken, c.taken}, []int{int(begun.Load()), traces(t, dir), b.calls()}); diff != "" {
				t.Errorf("runs, traces, calls: %s", diff)
			}
		})
	}
}

func TestAQuestionWhoseTimeEndsInTheQueueIsRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	inside, release := make(chan struct{}), make(chan struct{})
	h, begun, dir := crowd(t, b, host.Bounds{AtOnce: 1, Queue: 1}, func(context.Context) (planner.Proposal, error) {
		inside <- struct{}{}
		<-release
		return planner.Proposal{Said: []byte(fetch)}, nil
	})
	first := make(chan host.Outcome)
	go func() { first <- h.Ask(t.Context(), host.Question{Text: "Show policy-002"}) }()
	<-inside
	for range 3 { // each gives its place in the queue back
		ctx, cancel := context.WithCancel(t.Context())
		second := make(chan host.Outcome)
		go func() { second <- h.Ask(ctx, host.Question{Text: "Show policy-002"}) }()
		cancel()
		out := <-second
		if diff := cmp.Diff(busy, refused(out)); diff != "" {
			t.Error(diff)
		}
		if !strings.Contains(out.Error.Message, "while it waited") {
			t.Errorf("it was not in the queue: %s", out.Error.Message)
		}
	}
	if diff := cmp.Diff([]int{1, 1}, []int{int(begun.Load()), traces(t, dir)}); diff != "" {
		t.Errorf("runs, traces: %s", diff)
	}
	close(release)
	if out := <-first; out.Error != nil {
		t.Errorf("%+v", out.Error)
	}
	go func() { <-inside }()
	if out := h.Ask(t.Context(), host.Question{Text: "Show policy-002"}); out.Error != nil {
		t.Errorf("the next one: %+v", out.Error)
	}
}

func TestEveryEndOfARunGivesItsTurnBack(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	h, _, _ := crowd(t, b, host.Bounds{AtOnce: 1, Queue: -1}, func(context.Context) (planner.Proposal, error) { panic("a defect") })
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context //nolint:containedctx // a row of a table
		q    host.Question
		want verdict.Code
	}{
		"a panic":            {t.Context(), host.Question{Text: "Show policy-002"}, verdict.Internal},
		"a refusal":          {t.Context(), host.Question{}, verdict.InputEmpty},
		"a bad question":     {t.Context(), host.Question{Text: "x", Subject: "a\nb"}, verdict.UsageArgument},
		"an unknown binding": {t.Context(), host.Question{Text: "x", Follows: &trace.RunBody{}}, verdict.UsageArgument},
		"an interrupt":       {gone, host.Question{Text: "Show policy-002"}, verdict.CallInterrupted},
	} {
		for range 2 {
			if out := h.Ask(c.ctx, c.q); out.Error == nil || out.Error.Code != c.want {
				t.Errorf("%s: %+v, want %s", name, out.Error, c.want)
			}
		}
	}
}

// A host that never stops removes old traces while its questions wait: next to a
// run that is refused.
func TestABusyHostPrunesItsTraces(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	h, _, dir := crowd(t, b, host.Bounds{AtOnce: 4, Queue: 500}, func(context.Context) (planner.Proposal, error) {
		return planner.Proposal{Said: []byte(fetch)}, nil
	})
	var ended tally
	var wait sync.WaitGroup
	ask := func() { ended.add(h.Ask(t.Context(), host.Question{Text: "Show policy-002"})) }
	for range 50 {
		wait.Go(ask)
	}
	var pruned atomic.Int32
	for range 4 {
		wait.Go(func() {
			err := h.Quiet(t.Context(), func() error {
				p, err := runs.Dir(dir).Prune(t.Context(), time.Now().Add(time.Hour), func(string) bool { return false }, false)
				pruned.Add(int32(len(p.Traces)))
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if diff := cmp.Diff(map[verdict.Code]int{"": 50}, ended.by); diff != "" {
		t.Error(diff)
	}
	if n := int(pruned.Load()) + traces(t, dir); n != 50 {
		t.Errorf("%d traces were pruned, %d are left", pruned.Load(), traces(t, dir))
	}
	over, end := context.WithCancel(t.Context())
	end()
	if err := h.Quiet(t.Context(), func() error { return h.Quiet(over, func() error { return nil }) }); err == nil {
		t.Error("a call whose time is over, within another, waits for no turn")
	}
}
