package host_test

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/planner"
)

// again runs the test in a process of its own.
func again(t *testing.T, env ...string) {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), env...)
	if out, err := child.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func limitFiles(t *testing.T, n uint64) {
	t.Helper()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	limit.Cur = n
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
}

// A process that may open few files refuses questions; it does not run out of them.
func TestACrowdDoesNotRunOutOfOpenFiles(t *testing.T) {
	t.Parallel()
	if os.Getenv("CROWD") == "" {
		again(t, "CROWD=1")
		return
	}
	const files, questions = 64, 3000
	limitFiles(t, files)
	b := newBench(t)
	h, begun, dir := crowd(t, b, host.Bounds{}, func(context.Context) (planner.Proposal, error) {
		return planner.Proposal{Said: []byte(fetch)}, nil
	})
	var ended tally
	var wait sync.WaitGroup
	for range questions {
		wait.Go(func() { ended.add(h.Ask(t.Context(), host.Question{Text: "Show policy-002"})) })
	}
	wait.Wait()
	want := maps.Clone(ended.by)
	want[""] = questions - want[verdict.RunBusy]
	maps.DeleteFunc(want, func(c verdict.Code, _ int) bool { return c != "" && c != verdict.RunBusy })
	if diff := cmp.Diff(want, ended.by); diff != "" {
		t.Error(diff)
	}
	if n := ended.by[""]; n == 0 || n != int(begun.Load()) || n != traces(t, dir) || n != b.calls() {
		t.Errorf("%d answers, %d runs, %d traces, %d calls", n, begun.Load(), traces(t, dir), b.calls())
	}
}
