package session

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/trace"
)

const (
	noteProgress = "notifications/progress"
	noteLog      = "notifications/message"
	maxNotes     = 1000   // passed on from one connection
	maxReports   = 10_000 // reports and messages of one call that count
	maxLogs      = 1000   // messages of one call that are kept
	maxLogger    = 64     // bytes
)

// Levels are the levels of a message (RFC 5424), least severe first.
var Levels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

type notice struct {
	Token    jsontext.Value `json:"progressToken"`
	Progress jsontext.Value `json:"progress"`
	Total    jsontext.Value `json:"total"`
	Message  string         `json:"message"`
	Level    string         `json:"level"`
	Logger   string         `json:"logger"`
	Data     jsontext.Value `json:"data"`
}

// note passes on a server's progress report or log message: one line of its words,
// bounded, escaped and without secrets. It is for the user who waits; no decision uses
// it. x is the exchange of the stream that it came on, or nil.
func (c *conn) note(x *exchange, method string, params jsontext.Value) {
	var n notice
	if params == nil || schema.DecodeOpen(params, &n, c.wire.limits) != nil {
		return
	}
	var text string
	switch method {
	case noteProgress:
		c.progressed(n)
		text = "progress " + string(n.Progress)
		if n.Total != nil {
			text += " of " + string(n.Total)
		}
		text = strings.TrimSuffix(text+": "+n.Message, ": ")
	case noteLog:
		c.logged(x, n)
		text = fmt.Sprintf("log %s: %s", n.Level, textOf(n.Data))
	}
	if c.server.Notice == nil || text == "" || c.notes.Add(1) > maxNotes {
		return
	}
	text = c.line(text, maxQuote)
	c.strays.note(text)
	c.server.Notice(c.server.Name, text)
}

func (s *strays) note(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.notes) < shownStrays {
		s.notes = append(s.notes, text)
	}
}

// textOf decodes a JSON string, and returns any other value as written.
func textOf(v jsontext.Value) string {
	if words, err := jsontext.AppendUnquote(nil, v); err == nil && v.Kind() == '"' {
		return string(words)
	}
	return string(v)
}

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

// progressed passes a report on to the call that asked for it.
func (c *conn) progressed(n notice) {
	found, _ := c.progress.Load(textOf(n.Token))
	if call, is := found.(*watched); is {
		done, _ := strconv.ParseFloat(string(n.Progress), 64) // 0 if the server gives none
		total, _ := strconv.ParseFloat(string(n.Total), 64)
		call.report(Progress{done, total, c.line(n.Message, maxQuote)})
	}
}

// journal records what a server logs during one call.
type journal struct {
	reports atomic.Int32

	mu      sync.Mutex
	kept    []trace.LogBody
	leftOut int
}

func (j *journal) add(one trace.LogBody) {
	counts := j.reports.Add(1) <= maxReports
	j.mu.Lock()
	defer j.mu.Unlock()
	if !counts || len(j.kept) == maxLogs {
		j.leftOut++
		return
	}
	j.kept = append(j.kept, one)
}

func (j *journal) skip() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.leftOut++
}

func (j *journal) contents() ([]trace.LogBody, int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.kept), j.leftOut
}

// logged keeps a message for its call: the call of the stream that it came on, or the
// only one under way. With several calls under way the call is unknown. A message that
// speaks of one call's withheld result must not go with another's, so it is left out of
// all.
func (c *conn) logged(x *exchange, n notice) {
	if n.Data == nil {
		return
	}
	if !slices.Contains(Levels, n.Level) {
		n.Level = "info"
	}
	calls := c.wire.calls()
	switch {
	case x.call():
	case len(calls) == 1:
		x = calls[0]
	default:
		for _, call := range calls {
			call.journal.skip()
		}
		return
	}
	x.journal.add(trace.LogBody{Level: n.Level, Logger: c.line(n.Logger, maxLogger), Text: c.line(textOf(n.Data), maxQuote)})
}

// calls returns the calls under way.
func (w *wire) calls() (all []*exchange) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.open {
		if p.exchange.call() {
			all = append(all, p.exchange)
		}
	}
	return all
}
