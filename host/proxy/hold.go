package proxy

import (
	"context"
	"fmt"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/inbox"
	"github.com/onestep-run/onestep/host/session"
)

// ask makes the call of a request. A client that gave a token gets progress, and
// one that has to be approved waits for that.
func (f *face) ask(ctx context.Context, r *request, q host.Question) host.Outcome {
	// A client that cancels ends the call, until an approval was used up for it: what
	// a person approved is carried out, and its result kept for the next same call.
	ctx, keepOn, end := f.until(ctx)
	defer end()
	q.Hold = &inbox.Hold{For: f.Hold, Used: keepOn, Waiting: f.Waiting}
	if token := member(r.params["_meta"], "progressToken"); token != nil && isID(token) {
		t := &teller{line: f.line, token: token, words: func(text string) string { return f.Host.Words(f.Server, text) }}
		ctx = session.WithProgress(ctx, t.report)
		q.Hold.Waiting = func(h inbox.Holding) {
			if f.Waiting != nil {
				f.Waiting(h)
			}
			t.wait("A person has to approve this call: ask approve " + escape.Line(h.RunID, 128))
		}
	}
	out := f.Host.Ask(ctx, q)
	r.unwanted = func() { f.Host.Undelivered(out) } // the next call that is the same gets it
	return out
}

// until is a context that ends with the request's, or once keepOn was called with
// the client's alone.
func (f *face) until(request context.Context) (ctx context.Context, keepOn func(), end context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(request))
	cancelled := context.AfterFunc(request, cancel)
	gone := context.AfterFunc(f.line.there, cancel)
	return ctx, func() { cancelled() }, func() { cancelled(); gone(); cancel() }
}

// teller sends the progress of one request.
type teller struct {
	line  *line
	token jsontext.Value
	words func(string) string // a server's, as a client may get them

	mu   sync.Mutex
	last float64 // that was sent
	base float64 // of what was sent before the server's own began
	some bool
}

// report sends what the server reports. The protocol wants each value above the last.
func (t *teller) report(p session.Progress) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if total := p.Total; total != 0 {
		p.Total += t.base
	}
	t.send(p.Done+t.base, p.Total, t.words(p.Message))
}

// wait sends that a person is waited for.
func (t *teller) wait(message string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.base++
	t.send(t.base, 0, message)
}

func (t *teller) send(done, total float64, message string) {
	if t.some && done <= t.last {
		return
	}
	t.last, t.some = done, true
	b := fmt.Appendf(nil, `{"jsonrpc":"2.0","method":%q,"params":{"progressToken":%s,"progress":%s`, noteProgress, t.token, number(done))
	if total != 0 {
		b = fmt.Appendf(b, `,"total":%s`, number(total))
	}
	if message != "" {
		b = fmt.Appendf(b, `,"message":%s`, quoted(message))
	}
	t.line.put(append(b, "}}"...))
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
