package setup

import (
	"context"
	"fmt"
	"strings"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/trace"
)

// Waits is told what is waited for, as it begins, and gives who is told that
// it is over.
type Waits func(what string) (over func())

func (w Waits) begin(what string) (over func()) {
	if w == nil {
		return func() {}
	}
	return w(what)
}

// Pool is the connections of a host, which reports when it waits for a server.
type Pool struct {
	*session.Pool
	waits Waits
}

// Discover lists what the servers offer.
func (p *Pool) Discover(ctx context.Context, subject string, names []string) []catalog.Listing {
	defer p.waits.begin(waitingFor(names))()
	return p.Pool.Discover(ctx, subject, names)
}

func waitingFor(names []string) string {
	if len(names) == 1 {
		return "server " + names[0]
	}
	return fmt.Sprintf("%d servers: %s", len(names), strings.Join(names, ", "))
}

// Call makes the one call.
func (p *Pool) Call(ctx context.Context, a gate.Approved, on trace.Receipt, yes gate.Consent) (gate.RawResult, pin.Descriptor, error) {
	defer p.waits.begin(a.Server() + "/" + a.Tool())()
	return p.Pool.Call(ctx, a, on, yes)
}

// Close ends them.
func (p *Pool) Close() error {
	defer p.waits.begin("the servers to end")()
	return p.Pool.Close()
}

// waitedChat is a model, and who is told that it is waited for.
type waitedChat struct {
	planner.Chat
	name  string
	waits Waits
}

// Complete has the model answer.
func (c waitedChat) Complete(ctx context.Context, r planner.Request) (planner.Reply, error) {
	defer c.waits.begin("the model " + c.name)()
	return c.Chat.Complete(ctx, r)
}
