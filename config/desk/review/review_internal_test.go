package review

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// TestSomeServersAreAskedAtOnceAndNotAll, however many are reviewed.
func TestSomeServersAreAskedAtOnceAndNotAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var under, done atomic.Int32
		answer := make(chan struct{})
		go eachOf(50, func(int) {
			under.Add(1)
			<-answer
			under.Add(-1)
			done.Add(1)
		})
		synctest.Wait()
		if n := under.Load(); n != maxAtOnce {
			t.Errorf("%d servers are asked at the same time", n)
		}
		close(answer)
		synctest.Wait()
		if n := done.Load(); n != 50 {
			t.Errorf("%d of 50 were asked", n)
		}
	})
}
