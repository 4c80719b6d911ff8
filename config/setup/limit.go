package setup

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/trace"
)

// Limit is the time limit of a run. It is paused while a person reads, which the
// deadline of a context does not allow. It has its own end: a context derived from it
// would take the end of an embedded context for an interrupt.
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

// WithLimit starts a limit, which is also the returned context. The caller calls End.
func WithLimit(parent context.Context, d time.Duration) (context.Context, *Limit) {
	l := &Limit{Context: parent, done: make(chan struct{}), left: d}
	l.unwatch = context.AfterFunc(parent, func() { l.finish(parent.Err()) })
	l.Resume()
	return l, l
}

// Deadline reports no deadline, because the limit can be paused.
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

// Resume restarts the clock.
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

// patient is an approver that stops the run's clock while a person decides.
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

// Waits receives the name of each wait as it begins, and returns the function to call
// at its end. Several waits may overlap. The start of a server begins with
// [session.StartsWith].
type Waits func(what string) (over func())

func (w Waits) begin(what string) (over func()) {
	if w == nil {
		return func() {}
	}
	return w(what)
}

// Pool is the connections of a host, which reports when it waits for a server.
type Pool struct {
	*session.Pool
	waits Waits
}

// Discover lists what the servers offer.
func (p *Pool) Discover(ctx context.Context, subject string, names []string) []catalog.Listing {
	defer p.waits.begin(waitingFor(names))()
	return p.Pool.Discover(ctx, subject, names)
}

func waitingFor(names []string) string {
	if len(names) == 1 {
		return "server " + names[0]
	}
	return fmt.Sprintf("%d servers: %s", len(names), strings.Join(names, ", "))
}

// Call makes the one call.
func (p *Pool) Call(ctx context.Context, a gate.Approved, on trace.Receipt, yes gate.Consent) (gate.RawResult, pin.Descriptor, error) {
	defer p.waits.begin(a.Server() + "/" + a.Tool())()
	return p.Pool.Call(ctx, a, on, yes)
}

// Close ends the connections.
func (p *Pool) Close() error {
	defer p.waits.begin("the servers to end")()
	return p.Pool.Close()
}

// waitedChat is a model that reports the waits for its answers.
type waitedChat struct {
	planner.Chat
	name  string
	waits Waits
}

// Complete gets an answer of the model.
func (c waitedChat) Complete(ctx context.Context, r planner.Request) (planner.Reply, error) {
	defer c.waits.begin("the model " + c.name)()
	return c.Chat.Complete(ctx, r)
}

// remembered asks a person for each input once, and for one input at a time. A review
// reaches a server several times, and several servers at once.
func remembered(ask config.Asker) config.Asker {
	if ask == nil {
		return nil
	}
	var mu sync.Mutex
	asked := map[string]func() (string, error){}
	return func(i config.Input) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		if asked[i.ID] == nil {
			asked[i.ID] = sync.OnceValues(func() (string, error) { return ask(i) })
		}
		return asked[i.ID]()
	}
}
