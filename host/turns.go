package host

import (
	"context"
	"runtime"

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

// turns are the places of a host. A channel lets waiting questions go on in the
// order in which they came.
type turns struct {
	taken chan struct{} // by questions that run or wait
	runs  chan struct{} // by questions that run
	quiet chan struct{} // by the one caller of Quiet
}

func (b Bounds) turns() turns {
	if b.AtOnce <= 0 {
		b.AtOnce = atOnce()
	}
	if b.Queue == 0 {
		b.Queue = perTurn * b.AtOnce
	}
	return turns{make(chan struct{}, b.AtOnce+max(b.Queue, 0)), make(chan struct{}, b.AtOnce), make(chan struct{}, 1)}
}

func (r *run) enter(ctx context.Context) error {
	select {
	case r.turns.taken <- struct{}{}:
	default:
		return verdict.Fail(verdict.RunBusy, nil, "%d questions run or wait on this host, and it takes no more", cap(r.turns.taken))
	}
	select {
	case r.turns.runs <- struct{}{}: // a free turn is taken even if the context has ended
	default:
		select {
		case r.turns.runs <- struct{}{}:
		case <-ctx.Done():
			<-r.turns.taken
			return verdict.Fail(verdict.RunBusy, ctx.Err(), "the time of the question ended while it waited for its turn: %v", ctx.Err())
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
	select {
	case h.turns.quiet <- struct{}{}: // two that each hold some turns would wait for good
		defer func() { <-h.turns.quiet }()
	case <-ctx.Done():
		return ctx.Err()
	}
	for range cap(h.turns.runs) {
		select {
		case h.turns.runs <- struct{}{}:
			defer func() { <-h.turns.runs }() //nolint:gocritic // all turns are held until f returns
		case <-ctx.Done():
			return ctx.Err()
		}
	}
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
		<-r.turns.runs
		<-r.turns.taken
	}
}
