//go:build linux && (amd64 || arm64)

package confine

import (
	"testing"
	"testing/synctest"
	"time"
)

// Opens are compared together after a rest, and at once for a caller that settles.
func TestOpensAreComparedTogether(t *testing.T) {
	t.Parallel()
	for name, over := range map[string]func(*supervisor){
		"after the rest": func(*supervisor) { time.Sleep(rest) },
		"settled":        (*supervisor).settle,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &supervisor{records: make(chan record, recordsMax), hurry: make(chan struct{}, 1)}
				go s.compareAll()
				own := record{path: "/proc/self/maps"}
				s.records <- own
				synctest.Wait()
				s.records <- own
				s.records <- own
				synctest.Wait()
				if n := len(s.records); n != 2 {
					t.Errorf("%d opens wait", n)
				}
				over(s)
				synctest.Wait()
				if n := len(s.records); n != 0 {
					t.Errorf("%d opens wait still", n)
				}
				close(s.records)
				s.wake()
			})
		})
	}
}
