package main

import (
	"context"
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
		given := 0
		h := restingHost(answering{}, func() { given++ })
		waited := func(d time.Duration, want int) {
			t.Helper()
			time.Sleep(d) // of the bubble's clock
			synctest.Wait()
			if given != want {
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
