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

// ask makes the call of a request. A client that gave a token gets progress. A call that
// needs an approval waits for it.
func (u *upstream) ask(ctx context.Context, r *request, q host.Question) host.Outcome {
	// A client that cancels ends the call, until an approval was used up for it. An
	// approved call is carried out, and its result kept for the next same call.
	ctx, keepOn, end := u.until(ctx)
	defer end()
	q.Hold = &inbox.Hold{For: u.Hold, Used: keepOn, Waiting: u.Waiting}
	if token := member(r.params["_meta"], "progressToken"); token != nil && isID(token) {
		n := &notifier{to: r.from, token: token, words: func(text string) string { return u.Host.Words(r.tool.Server, text) }}
		ctx = session.WithProgress(ctx, n.report)
		q.Hold.For = max(u.Hold, u.LongHold)
		q.Hold.Waiting = func(h inbox.Holding) {
			if u.Waiting != nil {
				u.Waiting(h)
			}
			n.wait("A person has to approve this call: ask approve " + escape.Line(h.RunID, 128))
		}
	}
	out := u.Host.Ask(ctx, q)
	r.unwanted = func() { u.Host.Undelivered(out) } // the next call that is the same gets it
	return out
}

// until is a context that ends with the request's. Once keepOn was called, it ends with the
// client's connection alone.
func (u *upstream) until(request context.Context) (ctx context.Context, keepOn func(), end context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(request))
	cancelled := context.AfterFunc(request, cancel)
	gone := context.AfterFunc(u.there, cancel)
	return ctx, func() { cancelled() }, func() { cancelled(); gone(); cancel() }
}

// notifier sends the progress of one request.
type notifier struct {
	to    caller
	token jsontext.Value
	words func(string) string // a server's, as a client may get them

	mu   sync.Mutex
	last float64 // that was sent
	base float64 // sent before the server's own progress began
	some bool
}

// report sends the server's progress. The protocol wants each value above the last.
func (n *notifier) report(p session.Progress) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if total := p.Total; total != 0 {
		p.Total += n.base
	}
	n.send(p.Done+n.base, p.Total, n.words(p.Message))
}

// wait sends the message that a person has to approve the call.
func (n *notifier) wait(message string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.base++
	n.send(n.base, 0, message)
}

func (n *notifier) send(done, total float64, message string) {
	if n.some && done <= n.last {
		return
	}
	n.last, n.some = done, true
	b := fmt.Appendf(nil, `{"progressToken":%s,"progress":%s`, n.token, number(done))
	if total != 0 {
		b = fmt.Appendf(b, `,"total":%s`, number(total))
	}
	if message != "" {
		b = fmt.Appendf(b, `,"message":%s`, quoted(message))
	}
	n.to.notify(noteProgress, append(b, '}'))
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
