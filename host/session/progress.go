package session

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// Progress is a server's report on a call that it works on.
type Progress struct {
	Done    float64
	Total   float64 // 0 if the server gives none
	Message string  // the server's words: one line, escaped, bounded and without secrets
}

type progressKey struct{}

// WithProgress is a context in which a call asks its server to report progress to
// receive. Each report gives the call its whole CallTimeout again, up to CallLimit in
// all.
func WithProgress(ctx context.Context, receive func(Progress)) context.Context {
	return context.WithValue(ctx, progressKey{}, receive)
}

// ProgressOf returns the function that [WithProgress] put into a context, if any.
func ProgressOf(ctx context.Context) (receive func(Progress), wanted bool) {
	receive, wanted = ctx.Value(progressKey{}).(func(Progress))
	return receive, wanted
}

// maxReports is how many reports and messages of one call count.
const maxReports = 10_000

// watched is a call with progress reports.
type watched struct {
	receive func(Progress)

	reports *atomic.Int32 // number of reports and log messages for this call

	mu    sync.Mutex
	timer *time.Timer
	ends  time.Time // by CallLimit
	limit time.Duration
}

// watching is the context of a call. It ends at the limit of each answer. If the caller
// wants progress, reports extend the limit, and w is not nil.
func (c *conn) watching(ctx context.Context) (_ context.Context, w *watched, done context.CancelFunc) {
	receive, wanted := ProgressOf(ctx)
	if !wanted {
		ctx, done := within(ctx, c.patience())
		return ctx, nil, done
	}
	limit := c.patience()
	ctx, cancel := context.WithCancelCause(ctx)
	w = &watched{receive: receive, reports: new(atomic.Int32), limit: limit.limit, ends: time.Now().Add(max(c.limits.CallLimit, limit.limit))}
	w.timer = time.AfterFunc(limit.limit, func() { cancel(limit) })
	return ctx, w, func() { w.timer.Stop(); cancel(context.Canceled) }
}

// report passes one report on, and extends the call.
func (w *watched) report(p Progress) {
	w.mu.Lock()
	counts := w.reports.Add(1) <= maxReports
	if left := time.Until(w.ends); counts && left > 0 && w.timer.Stop() {
		w.timer.Reset(min(w.limit, left))
	}
	w.mu.Unlock()
	if counts {
		w.receive(p)
	}
}

// expect sends the reports with a token to a call, until forget is called.
func (c *conn) expect(token string, w *watched) (forget func()) {
	c.progress.Store(token, w)
	return func() { c.progress.Delete(token) }
}

// progressed passes a report on to the call that asked for it.
func (c *conn) progressed(method string, params jsontext.Value) {
	var p struct {
		Token    string  `json:"progressToken"`
		Progress float64 `json:"progress"`
		Total    float64 `json:"total"`
		Message  string  `json:"message"`
	}
	if method != noteProgress || schema.DecodeOpen(params, &p, c.wire.limits) != nil {
		return
	}
	if w, known := c.progress.Load(p.Token); known {
		if w, is := w.(*watched); is {
			w.report(Progress{p.Progress, p.Total, c.line(p.Message, maxQuote)})
		}
	}
}
