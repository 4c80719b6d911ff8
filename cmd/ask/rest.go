package main

import (
	"context"
	"runtime/debug"
	"time"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/proxy"
)

// restAfter is how long a client has asked for nothing when memory is given back.
const restAfter = 3 * time.Second

// resting is a host that gives memory back to the system while its client asks for nothing.
// The first call afterwards takes about a millisecond more.
type resting struct {
	proxy.Host
	timer *time.Timer
}

func restingHost(h proxy.Host, rest func()) resting {
	return resting{h, time.AfterFunc(restAfter, rest)}
}

func (r resting) Ask(ctx context.Context, q host.Question) host.Outcome {
	defer r.timer.Reset(restAfter)
	return r.Host.Ask(ctx, q)
}

func (r resting) Catalog(ctx context.Context, subject string, servers ...string) catalog.Catalog {
	defer r.timer.Reset(restAfter)
	return r.Host.Catalog(ctx, subject, servers...)
}

// giveBack gives back what a start or a call used and nothing uses now. A call that runs
// meanwhile only takes longer.
func giveBack() {
	debug.FreeOSMemory()
	unmapProgram()
}
