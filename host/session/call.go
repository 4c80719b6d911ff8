package session

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/gate"
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
	_, err = c.session.CallTool(exchanging, &mcp.CallToolParams{Name: approved.Tool, Arguments: approved.Args})
	asked = c.wire.requests.Load() - asked
	return c.outcome(ctx, x, asked > 0, err)
}

// outcome says what came of a call that was sent.
func (c *conn) outcome(ctx context.Context, x *exchange, asked bool, err error) (gate.RawResult, error) {
	got, answered := x.answer()
	r := x.refused(got)
	switch {
	case answered && got.err == nil && !(asked && isError(got.result)):
		return c.clean(got.result), nil
	case asked:
		return gate.RawResult{}, c.fault(verdict.CallServerRequest, err, "instead of a result it sent requests of its own, which are refused")
	case r != nil:
		return gate.RawResult{}, c.refused(r, r.afterCall(), "the call")
	}
	why := c.explain(ctx, "the call", verdict.ServerClosed, err)
	f := verdict.Fail(verdict.CallOutcomeUnknown, why, "the call left and no answer came back: %s", why.Reason)
	if why.Code == verdict.ServerTimeout {
		f.Hint = f.Code.Entry().Remedy + "; to wait longer the next time, " + why.Hint
	}
	return gate.RawResult{}, f
}

// isError reports whether a result says of itself that the tool failed.
func isError(result []byte) bool {
	var r struct {
		IsError bool `json:"isError"`
	}
	return schema.DecodeOpen(result, &r, schema.ResultLimits) == nil && r.IsError
}
