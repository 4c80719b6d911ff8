package session

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// exchange is one request of ours and its answer. It travels in a context,
// through the SDK, to the wire and to the HTTP transport below.
type exchange struct {
	method  string
	written atomic.Bool
	posted  atomic.Bool
	resumed atomic.Int32
	headers map[string]string // that repeat arguments of the call, over HTTP
	answers chan answer
	refusal atomic.Pointer[refusal] // the HTTP status with which it was refused
	stop    context.CancelFunc      // ends it, and what the SDK still reads of the answer's stream
}

type answer struct {
	result []byte
	err    *jsonrpc.Error
}

type exchangeKey struct{}

func withExchange(ctx context.Context, method string) (context.Context, *exchange) {
	x := &exchange{method: method, answers: make(chan answer, 1)}
	ctx, x.stop = context.WithCancel(ctx)
	return context.WithValue(ctx, exchangeKey{}, x), x
}

func without(ctx context.Context) context.Context {
	return context.WithValue(ctx, exchangeKey{}, (*exchange)(nil))
}

func exchangeOf(ctx context.Context) *exchange {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	return x
}

func (x *exchange) call() bool { return x != nil && x.method == methodCall }

// begin lets one request pass for each exchange, and no call without one.
func (x *exchange) begin(method string) error {
	switch {
	case x == nil && method == methodCall:
		return errors.New("a call that nobody approved")
	case x == nil:
		return nil
	case x.method != method:
		return errors.New("another request than the one that was made")
	case !x.written.CompareAndSwap(false, true):
		return errors.New("a request may not be repeated")
	}
	return nil
}

func (x *exchange) put(a answer) {
	select {
	case x.answers <- a:
	default: // the first answer counts
	}
}

// refused is how the server refused it, or nil.
func (x *exchange) refused(got answer) *refusal {
	if got.err != nil {
		return &refusal{rpc: got.err}
	}
	return x.refusal.Load()
}

// answer is what came back, and whether anything did.
func (x *exchange) answer() (answer, bool) {
	select {
	case a := <-x.answers:
		return a, true
	default:
		return answer{}, false
	}
}
