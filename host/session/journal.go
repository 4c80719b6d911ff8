package session

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/trace"
)

// maxLogs is how many messages of one call are kept. All count towards maxReports.
const maxLogs = 1000

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

func (j *journal) read() ([]trace.LogBody, int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.kept), j.leftOut
}

// Levels are the levels of a message (RFC 5424), least severe first.
var Levels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

const maxLogger = 64 // bytes

// logged keeps a message for its call: the call of the stream that it came on, or the
// only one under way. With several calls under way the call is unknown. A message that
// speaks of one call's withheld result must not go with another's, so it is left out of
// all.
func (c *conn) logged(x *exchange, method string, params jsontext.Value) {
	var p struct {
		Level  string         `json:"level"`
		Logger string         `json:"logger"`
		Data   jsontext.Value `json:"data"`
	}
	if method != noteLog || params == nil || schema.DecodeOpen(params, &p, c.wire.limits) != nil || p.Data == nil {
		return
	}
	if !slices.Contains(Levels, p.Level) {
		p.Level = "info"
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
	x.journal.add(trace.LogBody{Level: p.Level, Logger: c.line(p.Logger, maxLogger), Text: c.line(textOf(p.Data), maxQuote)})
}

// textOf decodes a JSON string, and returns any other value as written.
func textOf(v jsontext.Value) string {
	if words, err := jsontext.AppendUnquote(nil, v); err == nil && v.Kind() == '"' {
		return string(words)
	}
	return string(v)
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
