package setup

import (
	"context"
	"sync"
	"time"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/host"
)

// Limit is the time limit of a run. It is paused while a person reads, which a
// context's own deadline cannot be. It has its own end: a context that is derived
// from it would take the end of an embedded one for an interrupt.
type Limit struct {
	context.Context //nolint:containedctx // the parent: its values
	done            chan struct{}
	unwatch         func() bool

	mu    sync.Mutex
	err   error
	timer *time.Timer
	left  time.Duration
	since time.Time
}

// WithLimit starts a limit, which is the context that it returns. The caller calls
// End.
func WithLimit(parent context.Context, d time.Duration) (context.Context, *Limit) {
	l := &Limit{Context: parent, done: make(chan struct{}), left: d}
	l.unwatch = context.AfterFunc(parent, func() { l.finish(parent.Err()) })
	l.Resume()
	return l, l
}

// Deadline is none: the limit can be paused.
func (*Limit) Deadline() (deadline time.Time, ok bool) { return time.Time{}, false }

// Done is closed at the end of the time.
func (l *Limit) Done() <-chan struct{} { return l.done }

// Err distinguishes the end of the time from an interrupt.
func (l *Limit) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

func (l *Limit) finish(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil {
		l.err = err
		close(l.done)
	}
}

// Resume starts it again.
func (l *Limit) Resume() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.since = time.Now()
	l.timer = time.AfterFunc(l.left, func() { l.finish(context.DeadlineExceeded) })
}

// Pause stops the clock.
func (l *Limit) Pause() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timer.Stop() {
		l.left = max(0, l.left-time.Since(l.since))
	}
}

// End ends the context.
func (l *Limit) End() {
	l.Pause()
	l.unwatch()
	l.finish(context.Canceled)
}

// patient is an approver during whose answer the run's clock is stopped.
type patient struct {
	host.Approver
	limit *Limit
}

// Approve asks the person.
func (p patient) Approve(ctx context.Context, r host.Request) (gate.Yes, error) {
	p.limit.Pause()
	defer p.limit.Resume()
	return p.Approver.Approve(ctx, r)
}
