package store_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/approval"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Two hundred calls wait for their approvals, and are read together: each learns of its own
// decision, made through another store, and their number makes no more reads.
func TestCallsThatWaitAreReadTogether(t *testing.T) {
	t.Parallel()
	s, path := fresh(t)
	const calls = 200
	for i := range calls {
		askFor(t, s, waits(fmt.Sprint("run", i)))
	}
	other := opened(t, path)
	before, began := s.Reads(), time.Now()
	var all, first sync.WaitGroup
	first.Add(calls)
	for i := range calls {
		all.Go(func() {
			run := fmt.Sprint("run", i)
			is, err := s.Next(t.Context(), run)
			first.Done()
			for err == nil && is.State == approval.Pending {
				is, err = s.Next(t.Context(), run)
			}
			want := approval.Approved
			if i%2 == 1 {
				want = approval.Denied
			}
			if err != nil || is.RunID != run || is.State != want {
				t.Errorf("%s: %+v, %v", run, is, err)
			}
		})
	}
	first.Wait()
	for i := range calls {
		to := approval.Approved
		if i%2 == 1 {
			to = approval.Denied
		}
		moved(t, other, fmt.Sprint("run", i), to, "")
	}
	all.Wait()
	if n, most := s.Reads()-before, int64(time.Since(began)/(100*time.Millisecond))+1; n > most {
		t.Errorf("%d reads in %s", n, time.Since(began))
	}
}

// A wait ends with its caller, and what is not known is said.
func TestAWaitEnds(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	if _, err := s.Next(t.Context(), "run1"); verdict.CodeOf(err) != verdict.ApprovalUnknown {
		t.Error(err)
	}
	askFor(t, s, waits("run1"))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Next(ended, "run1"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if is, err := s.Next(t.Context(), "run1"); err != nil || is.RunID != "run1" {
		t.Errorf("%+v, %v", is, err)
	}
}
