package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

// exchange is one request of ours and its answer. It travels in a context,
// through the SDK, to the wire and to the HTTP transport below.
type exchange struct {
	method   string
	like     *judged // the page that was listed at this place before, or nil
	written  atomic.Bool
	posted   atomic.Bool
	resumed  atomic.Int32
	mirrored []schema.Mirrored // arguments of the call that headers repeat, over HTTP
	answers  chan answer
	refusal  atomic.Pointer[refusal] // how the server refused it
	stop     context.CancelFunc      // ends the exchange, and the SDK's reading of the answer's stream
	journal  journal
}

type answer struct {
	result []byte
	around // its message; empty if the server is inside this program
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

// begin lets each exchange send one request. A call without an exchange is an error.
func (x *exchange) begin(method string) error {
	switch {
	case x == nil && method == methodCall:
		return errors.New("a call that was not approved")
	case x == nil:
		return nil
	case x.method != method:
		return errors.New("the request of another method")
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

func (x *exchange) refused(got answer) *refusal {
	if got.err != nil {
		return &refusal{rpc: got.err}
	}
	return x.refusal.Load()
}

func (x *exchange) answer() (answer, bool) {
	select {
	case a := <-x.answers:
		return a, true
	default:
		return answer{}, false
	}
}

// call redeems the approval and sends the request that it yields. Before Redeem returns
// nothing has left. Afterwards the call may have taken effect, and every error except the
// server's own answer says so.
func (c *conn) call(ctx context.Context, a gate.Approved, live pin.Descriptor, on trace.Receipt, yes gate.Consent) (gate.RawResult, error) {
	ctx, watched, done := c.watching(ctx)
	defer done()
	if ctx.Err() != nil || c.broken() {
		return gate.RawResult{}, c.explain(ctx, "the call", verdict.ServerClosed, errClosed)
	}
	c.closeIdle()
	asked := c.wire.requests.Load()
	exchanging, x := withExchange(ctx, methodCall)
	defer c.wire.end(x)
	approved, err := a.Redeem(live, on, yes)
	if err != nil {
		return gate.RawResult{}, err
	}
	if c.meeting != nil {
		c.meeting.called.Store(true)
	}
	x.mirrored = approved.Mirrored
	params := &mcp.CallToolParams{Name: approved.Tool, Arguments: approved.Args}
	if c.server.Notice != nil || watched != nil {
		token := fmt.Sprint("call-", c.calls.Add(1))
		if c.joins { // tokens are unique within a session
			token = fmt.Sprint(token, "-", c.number)
		}
		params.SetProgressToken(token)
		if watched != nil {
			watched.reports = &x.journal.reports
			c.progress.Store(token, watched)
			defer c.progress.Delete(token)
		}
	}
	_, err = c.session.CallTool(exchanging, params)
	asked = c.wire.requests.Load() - asked
	raw, err := c.outcome(ctx, x, asked > 0, a.Effect(), err)
	raw.Requests = int(asked)
	raw.Logs, raw.LeftOut = x.journal.contents()
	return raw, err
}

func (c *conn) outcome(ctx context.Context, x *exchange, asked bool, effect catalog.Effect, err error) (gate.RawResult, error) {
	got, answered := x.answer()
	r := x.refused(got)
	result := answered && got.err == nil
	switch {
	case asked && (!result || isError(got.result)):
		return gate.RawResult{}, c.fault(verdict.CallServerRequest, err, "instead of a result it sent its own requests, which are refused")
	case result:
		return c.clean(got.result)
	case r != nil && r.isAnswer():
		return c.failure(r)
	case r != nil && !r.byGateway():
		f := c.refused(r, r.afterCall(), "the call")
		switch {
		case r.status >= 500:
			f.Hint = effect.AfterUnknown()
		case r.forgotten():
			f.Hint = "the server had forgotten the session, and the call may have run: " + effect.AfterUnknown() + "; the next call opens a new session"
		case r.status == http.StatusNotFound: // of the session, the path or the tool, before or after the call ran
			f.Hint = "the call may have run; " + effect.AfterUnknown()
		}
		return gate.RawResult{}, f
	case r != nil:
		why := c.refused(r, r.code(), "the call")
		return gate.RawResult{}, unknown(effect, "the call left, and a gateway answered in the place of the server", why, "")
	}
	const left = "the call left and no answer came back"
	why := c.explain(ctx, "the call", verdict.ServerClosed, err)
	switch why.Code {
	case verdict.RunTimeout, verdict.ServerTimeout:
		return gate.RawResult{}, unknown(effect, left, why, "to wait longer the next time, "+why.Hint)
	case verdict.ServerTooLarge:
		return gate.RawResult{}, unknown(effect, "the call left, and what came back was not read", why, why.Hint)
	}
	return gate.RawResult{}, unknown(effect, left, why, "")
}

// failure turns a JSON-RPC error in place of a result into a result of the tool with
// isError set. Its message is treated like any result. The server's log and stray output
// are not included.
func (c *conn) failure(r *refusal) (gate.RawResult, error) {
	text := fmt.Sprintf("error %d: %s", r.rpc.Code, cmp.Or(r.rpc.Message, "(it has no message)"))
	if r.status != 0 {
		text = fmt.Sprintf("HTTP %d %s: %s", r.status, http.StatusText(r.status), text)
	}
	quoted, err := jsontext.AppendQuote(nil, strings.ToValidUTF8(text, "\uFFFD"))
	if err != nil {
		return gate.RawResult{}, c.fault(verdict.OutputInvalid, err, "its error is not text")
	}
	raw, err := c.clean(fmt.Appendf(nil, `{"content":[{"type":"text","text":%s}],"isError":true}`, quoted))
	raw.RPC = &r.rpc.Code
	return raw, err
}

// unknown is the fault of a call that left without an answer from the server. The end of
// the run's time keeps its own code, which has its own exit code.
func unknown(effect catalog.Effect, what string, why *verdict.Fault, hint string) *verdict.Fault {
	code := verdict.CallOutcomeUnknown
	if why.Code == verdict.RunTimeout {
		code = why.Code
	}
	f := verdict.Fail(code, why, "%s: %s", what, why.Reason)
	switch {
	case hint == "":
		hint = effect.AfterUnknown()
	case !effect.Reads:
		hint = effect.AfterUnknown() + "; " + hint
	}
	return f.WithHint(hint)
}

func isError(result []byte) bool {
	var r struct {
		IsError bool `json:"isError"`
	}
	return schema.DecodeOpen(result, &r, schema.ResultLimits) == nil && r.IsError
}
