package main

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/proxy"
)

// answering answers at once.
type answering struct{ proxy.Host }

func (answering) Ask(context.Context, host.Question) host.Outcome { return host.Outcome{} }

func (answering) Catalog(context.Context, string, ...string) catalog.Catalog {
	return catalog.Catalog{}
}

// Memory is given back once after a start, and once after requests that have ended.
func TestMemoryIsGivenBackAtRest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var given atomic.Int64
		h := restingHost(answering{}, func() { given.Add(1) })
		waited := func(d time.Duration, want int64) {
			t.Helper()
			time.Sleep(d) // of the bubble's clock
			synctest.Wait()
			if given := given.Load(); given != want {
				t.Errorf("memory was given back %d times, want %d", given, want)
			}
		}
		waited(restAfter, 1)
		for range 3 {
			h.Ask(t.Context(), host.Question{})
			waited(restAfter-1, 1)
			h.Catalog(t.Context(), "")
			waited(restAfter-1, 1)
		}
		waited(time.Hour, 2)
	})
}
