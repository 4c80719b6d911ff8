package store_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/onestep-run/onestep/host/store"
)

// The first read and the first write of an open state check its tables. Neither waits for
// what the other holds.
func TestFirstReadsAndWritesDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	_, path := fresh(t)
	decide(t, opened(t, path), 0, decision(kb, "search", "approved"))
	for round := range 30 {
		s := store.Of(path, clock)
		if _, err := s.All(t.Context()); err != nil { // opens it
			t.Fatal(err)
		}
		start := make(chan struct{})
		var all sync.WaitGroup
		for n := range 4 {
			all.Go(func() {
				<-start
				if _, err := s.Seen(t.Context(), kb); err != nil {
					t.Error(err)
				}
			})
			all.Go(func() {
				<-start
				d := decision(desk, fmt.Sprintf("t%d-%d", round, n), "approved")
				d.Place.Entry = fmt.Sprintf("sha256:%d-%d", round, n)
				if err := s.Decide(t.Context(), 0, []store.Decision{d}); err != nil {
					t.Error(err)
				}
			})
		}
		close(start)
		all.Wait()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
