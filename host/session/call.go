package session

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

// call redeems the approval and sends what it yields. Until Redeem has yielded
// it nothing has left; from there on the call may have taken effect, and every
// error that is not the server's own answer says so.
func (c *conn) call(ctx context.Context, a gate.Approved, live pin.Descriptor, on trace.Receipt, yes gate.Consent) (gate.RawResult, error) {
	ctx, done := within(ctx, c.patience())
	defer done()
	if ctx.Err() != nil || c.broken() {
		return gate.RawResult{}, c.explain(ctx, "the call", verdict.ServerClosed, errClosed)
	}
	c.fresh()
	asked := c.wire.requests.Load()
	exchanging, x := withExchange(ctx, methodCall)
	defer c.wire.end(x)
	approved, err := a.Redeem(live, on, yes)
	if err != nil {
		return gate.RawResult{}, err
	}
	x.headers = headersOf(approved.Mirrored)
	params := &mcp.CallToolParams{Name: approved.Tool, Arguments: approved.Args}
	if c.server.Notice != nil {
		params.SetProgressToken(fmt.Sprint("call-", c.calls.Add(1)))
	}
	_, err = c.session.CallTool(exchanging, params)
	asked = c.wire.requests.Load() - asked
	return c.outcome(ctx, x, asked > 0, a.Effect(), err)
}

// outcome says what came of a call that was sent.
func (c *conn) outcome(ctx context.Context, x *exchange, asked bool, effect catalog.Effect, err error) (gate.RawResult, error) {
	got, answered := x.answer()
	r := x.refused(got)
	switch {
	case answered && got.err == nil && !(asked && isError(got.result)):
		return c.clean(got.result), nil
	case asked:
		return gate.RawResult{}, c.fault(verdict.CallServerRequest, err, "instead of a result it sent requests of its own, which are refused")
	case r != nil && !r.byGateway():
		f := c.refused(r, r.afterCall(), "the call")
		if r.status >= 500 {
			f.Hint = effect.AfterUnknown()
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

// unknown is the fault of a call that left and that no answer of the server's
// came of. The end of the run's time keeps its own code, for its exit.
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
	return hinting(f, hint)
}

// isError reports whether a result says of itself that the tool failed.
func isError(result []byte) bool {
	var r struct {
		IsError bool `json:"isError"`
	}
	return schema.DecodeOpen(result, &r, schema.ResultLimits) == nil && r.IsError
}
