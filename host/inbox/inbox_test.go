package inbox_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/inbox"
)

func at(now time.Time) func() time.Time { return func() time.Time { return now } }

// Of many equal calls one gets the result, before it expires.
func TestAResultIsDeliveredOnce(t *testing.T) {
	t.Parallel()
	var in inbox.Inbox
	now := time.Now()
	in.Return("key", inbox.Result{Run: "r1", Body: []byte("body"), Expires: now.Add(time.Minute)}, now)
	var late inbox.Call
	if err := late.Join(t.Context(), &in, "key", false, at(now.Add(time.Hour))); err != nil || late.Waits() {
		t.Errorf("a result that expired waits, %v", err)
	}
	var got, refused atomic.Int32
	var all sync.WaitGroup
	var joined sync.WaitGroup
	joined.Add(20)
	for range 20 {
		all.Go(func() {
			var c inbox.Call
			err := c.Join(t.Context(), &in, "key", false, at(now))
			joined.Done()
			joined.Wait()
			if err != nil || !c.Waits() {
				t.Errorf("no result waits, %v", err)
				return
			}
			switch code := verdict.CodeOf(c.Deliver()); {
			case code == verdict.CallHanded && string(c.Delivered().Body) == "body":
				got.Add(1)
			case code == verdict.ApprovalSpent && c.Delivered() == nil:
				refused.Add(1)
			default:
				t.Errorf("%s", code)
			}
		})
	}
	all.Wait()
	if got.Load() != 1 || refused.Load() != 19 {
		t.Errorf("%d got it, %d did not", got.Load(), refused.Load())
	}
}

// A call that expires uses no approval afterwards, and a zero call has none.
func TestACallThatExpiresUsesNothing(t *testing.T) {
	t.Parallel()
	var c inbox.Call
	if run, digest := c.Uses(); run != "" || digest != "" || c.Waits() || c.Delivered() != nil {
		t.Error("the zero call has an approval or a result")
	}
	if err := c.Expire(t.Context(), nil, time.Now()); err != nil {
		t.Error(err)
	}
	if err := c.Close(t.Context(), nil, ""); err != nil {
		t.Error(err)
	}
	c.Asked()
}

// One run at a time asks for a call. A run whose time ends while it waits asks for nothing.
func TestOneRunAtATimeAsks(t *testing.T) {
	t.Parallel()
	var in inbox.Inbox
	var first, other, second inbox.Call
	now := at(time.Now())
	if err := first.Join(t.Context(), &in, "key", true, now); err != nil {
		t.Fatal(err)
	}
	if err := other.Join(t.Context(), &in, "another", true, now); err != nil {
		t.Errorf("another call waits: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := second.Join(ctx, &in, "key", true, now); err == nil {
		t.Error("two runs ask at once")
	}
	second.Asked() // ends no other run's turn
	if err := second.Join(ctx, &in, "key", true, now); err == nil {
		t.Error("the turn of another run was ended")
	}
	first.Asked()
	if err := second.Join(t.Context(), &in, "key", true, now); err != nil {
		t.Error(err)
	}
}

// What is kept of results is bounded.
func TestResultsAreBounded(t *testing.T) {
	t.Parallel()
	var in inbox.Inbox
	now := time.Now()
	body := make([]byte, 20<<20)
	for _, key := range []string{"a", "b"} {
		in.Return(key, inbox.Result{Run: key, Body: body, Expires: now.Add(time.Minute)}, now)
	}
	for key, want := range map[string]bool{"a": true, "b": false} {
		var c inbox.Call
		if err := c.Join(t.Context(), &in, key, false, at(now)); err != nil || c.Waits() != want {
			t.Errorf("%s waits: %v, %v", key, c.Waits(), err)
		}
	}
}
