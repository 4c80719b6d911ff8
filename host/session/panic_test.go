package session_test

import (
	"context"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/host/session"
)

// faulty is a transport that panics when a call is written to it.
type faulty struct {
	mcp.Transport
	mcp.Connection
}

func (f *faulty) Connect(ctx context.Context) (_ mcp.Connection, err error) {
	f.Connection, err = f.Transport.Connect(ctx)
	return f, err
}

func (f *faulty) Write(ctx context.Context, m jsonrpc.Message) error {
	if r, ok := m.(*jsonrpc.Request); ok && r.Method == "tools/call" {
		panic("a defect of the transport")
	}
	return f.Connection.Write(ctx, m)
}

// A defect below us ends one question. That its call may have left shows on the
// approval, and the pool still closes.
func TestAPanicInTheCallLeavesTheApprovalSpent(t *testing.T) {
	t.Parallel()
	s := piped("", logFile(t))
	sound := s.InProcess
	s.InProcess = func(ctx context.Context) (mcp.Transport, error) {
		inner, err := sound(ctx)
		return &faulty{Transport: inner}, err
	}
	p := session.New([]session.Server{s}, long)
	a := approve(t, discover(t, p), "srv", "echo", `{"text":"hello"}`)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("nothing panicked")
			}
		}()
		_, _, _ = p.Call(t.Context(), a.approved, a.receipt, gate.Consent{})
	}()
	if !a.approved.Redeemed() {
		t.Error("the approval could be used again")
	}
	must(t, p.Close())
}
