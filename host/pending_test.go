package host_test

import (
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

func TestAnApprovalHasItsTime(t *testing.T) {
	t.Parallel()
	for name, shift := range map[string]time.Duration{"a minute late": 16 * time.Minute, "before it was asked for": -time.Minute} {
		b, _ := writing(t, writes1)
		now := time.Now()
		b.config.Now = func() time.Time { return now }
		q := asked(t, b)
		now = now.Add(shift)
		out := b.put(t, q)
		if out.Error == nil || out.Error.Code != verdict.ApprovalExpired || out.Exit() != 4 || b.calls() != 0 {
			t.Errorf("%s: %s %+v, %d calls", name, out.Type, out.Error, b.calls())
		}
		replayed(t, b)
	}
}

// rounds is how often a race is run.
func rounds() int {
	if os.Getenv("ASK_CI") == "full" {
		return 2000
	}
	return 50
}

func TestOfManyApproversOneMakesTheCall(t *testing.T) {
	t.Parallel()
	for range min(rounds(), 50) { // each takes a whole run ten times
		b, _ := writing(t, writes1)
		q := asked(t, b)
		var all sync.WaitGroup
		var answered atomic.Int32
		for range 10 {
			config := b.config
			config.Traces = &disk{}
			h, err := host.New(config)
			if err != nil {
				t.Fatal(err)
			}
			all.Go(func() {
				out := h.Ask(t.Context(), q)
				if out.Call == host.Answered {
					answered.Add(1)
				} else if out.Error.Code != verdict.ApprovalSpent && out.Error.Code != verdict.ApprovalUnknown {
					t.Errorf("%+v", out.Error)
				}
			})
		}
		all.Wait()
		if n := b.calls(); n != 1 || answered.Load() != 1 {
			t.Fatalf("%d calls, %d answers", n, answered.Load())
		}
	}
}
