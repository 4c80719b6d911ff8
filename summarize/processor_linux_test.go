package summarize_test

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// processorTime is what this thread has used of a processor.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
