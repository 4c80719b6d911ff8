package host

import (
	"context"
	"runtime"

	"golang.org/x/sync/semaphore"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/disk"
)

// Bounds are how many questions a host takes at once. A question beyond both is
// refused with [verdict.RunBusy], as is a question whose context ends while it
// waits: it has not begun, and has no trace. A question keeps its turn while a
// person is asked. So a host with an [Approver] that takes minutes may want more
// turns.
type Bounds struct {
	AtOnce int // questions that run; 0 means 32 for each CPU, but at most one for eight files that the process may open
	Queue  int // questions that wait, first come first served; 0 means 16 for each that runs, less than 0 none
}

// Each run has a few open descriptors: its trace, its lock, perhaps an object and a
// connection. It needs about a tenth of a megabyte besides its result.
const (
	perCPU       = 32
	perOpenFiles = 8
	perTurn      = 16
)

// atOnce is how many questions run on a host that does not say.
func atOnce() int {
	n := perCPU * runtime.GOMAXPROCS(0)
	if files := disk.OpenFiles(); files > 0 {
		n = min(n, files/perOpenFiles)
	}
	return max(n, 1)
}

// turns are the places of a host. A semaphore lets waiting questions go on in the order in
// which they came.
type turns struct {
	places, atOnce int64
	taken          *semaphore.Weighted // by questions that run or wait
	runs           *semaphore.Weighted // by questions that run
}

func (b Bounds) turns() turns {
	if b.AtOnce <= 0 {
		b.AtOnce = atOnce()
	}
	if b.Queue == 0 {
		b.Queue = perTurn * b.AtOnce
	}
	places, runs := int64(b.AtOnce+max(b.Queue, 0)), int64(b.AtOnce)
	return turns{places, runs, semaphore.NewWeighted(places), semaphore.NewWeighted(runs)}
}

func (r *run) enter(ctx context.Context) error {
	if !r.turns.taken.TryAcquire(1) {
		return verdict.Fail(verdict.RunBusy, nil, "%d questions run or wait on this host, and it takes no more", r.turns.places)
	}
	if !r.turns.runs.TryAcquire(1) { // a free turn is taken even if the context has ended
		if err := r.turns.runs.Acquire(ctx, 1); err != nil {
			r.turns.taken.Release(1)
			return verdict.Fail(verdict.RunBusy, err, "the time of the question ended while it waited for its turn: %v", err)
		}
	}
	r.ends.turn = true
	return nil
}

// Quiet calls f while no question runs: new questions wait for their turn. A
// program that never stops removes old traces this way, with [runs.Dir.Prune],
// which fails with trace.busy next to a run.
//
// [runs.Dir.Prune]: https://pkg.go.dev/github.com/onestep-run/onestep/host/runs#Dir.Prune
func (h *Host) Quiet(ctx context.Context, f func() error) error {
	if err := h.turns.runs.Acquire(ctx, h.turns.atOnce); err != nil {
		return err
	}
	defer h.turns.runs.Release(h.turns.atOnce)
	return f()
}

func (r *run) exit() {
	r.approval.call.Asked()
	if r.ends.release != nil {
		r.ends.release()
	}
	if r.reading != nil {
		r.give(r.reading)
	}
	if r.ends.turn {
		r.turns.runs.Release(1)
		r.turns.taken.Release(1)
	}
}
