package inbox

import (
	"context"
	"time"

	"github.com/onestep-run/onestep/gate/approval"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Hold has a call that needs an approval wait for one from another process. Its
// approval is pending meanwhile, and stays so afterwards until it expires: the
// same call of the same conversation then waits for it again, or uses it.
type Hold struct {
	For time.Duration
	// Waiting is called when the wait begins, and every five seconds; nil calls nothing.
	Waiting func(Holding)
	// Used is called once an approval was used up, before the call leaves. From then on its
	// result is owed to the asker, or to their next call. nil calls nothing.
	Used func()
	// Clock is the run's time limit, which pauses meanwhile; nil pauses nothing.
	Clock interface {
		Pause()
		Resume()
	}
}

// Waits reports whether a call waits at all.
func (h *Hold) Waits() bool { return h != nil && h.For > 0 }

// Spent reports that the approval was used up.
func (h *Hold) Spent() {
	if h != nil && h.Used != nil {
		h.Used()
	}
}

// Holding is a call that waits.
type Holding struct {
	RunID  string // the run to approve, which may be an earlier one
	Server string
	Tool   string
	Digest string // of the approval
	Waited time.Duration
}

// reportEvery is how often Waiting is called.
const reportEvery = 5 * time.Second

// Sink is a sink of a trace that releases a resource while its run waits for a
// person. After Wait nothing is written before Resume has returned nil.
type Sink interface {
	Wait() error
	Resume(ctx context.Context) error
}

// Wait is how a call waits for its approval.
type Wait struct {
	Hold         *Hold
	State        Approvals
	Sink         any // of the run's trace; see [Sink]
	Now          func() time.Time
	Server, Tool string
}

// For waits until an approval is not pending any more, or the hold ends, and gives its
// state then. Meanwhile the result of the same call may be delivered in its place.
func (w Wait) For(ctx context.Context, c *Call, is approval.Approval) (_ approval.Approval, err error) {
	if is.State != approval.Pending || !w.Hold.Waits() {
		return is, nil
	}
	if sink, waits := w.Sink.(Sink); waits {
		if err := sink.Wait(); err != nil {
			return is, unwritable(err)
		}
		defer func() {
			if lost := sink.Resume(context.WithoutCancel(ctx)); lost != nil {
				err = unwritable(lost)
			}
		}()
	}
	if w.Hold.Clock != nil {
		w.Hold.Clock.Pause()
		defer w.Hold.Clock.Resume()
	}
	return w.watch(ctx, c, is)
}

func (w Wait) watch(ctx context.Context, c *Call, is approval.Approval) (approval.Approval, error) {
	held, end := context.WithTimeout(ctx, w.Hold.For)
	defer end()
	began := time.Now()
	for reported := -reportEvery; ; {
		if waited := time.Since(began); w.Hold.Waiting != nil && waited-reported >= reportEvery {
			w.Hold.Waiting(Holding{RunID: is.RunID, Server: w.Server, Tool: w.Tool, Digest: is.Digest, Waited: waited})
			reported = waited
		}
		next, err := w.State.Next(held, is.RunID)
		switch {
		case ctx.Err() != nil:
			return is, ctx.Err()
		case held.Err() != nil:
			return w.State.Approval(ctx, is.RunID)
		case c.substitute(w.Now()):
			return is, w.replace(ctx, c, is)
		}
		is = next
		if waits := is.State == approval.Pending && is.Live(w.Now()); err != nil || !waits {
			return is, err
		}
	}
}

// substitute reports whether the result of the same call has arrived: the asker's
// earlier call ended meanwhile.
func (c *Call) substitute(now time.Time) bool {
	if c.inbox == nil {
		return false
	}
	c.result = c.inbox.result(c.key, now)
	return c.result != nil
}

// replace voids an approval that is still awaited, and delivers the result of the
// same call in its place.
func (w Wait) replace(ctx context.Context, c *Call, is approval.Approval) error {
	_, err := w.State.Move(ctx, is.RunID, is.Digest, approval.Step{To: approval.Superseded, Now: w.Now()})
	if err != nil {
		return err // decided at this very moment: the result stays for the next call
	}
	return c.Deliver()
}

func unwritable(err error) error {
	return verdict.Fail(verdict.TraceUnwritable, err, "the trace cannot be written: %v", err)
}
