package cli

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"syscall"
)

// stops are the signals that end a run in order. A hangup or an interrupt that
// is ignored when the program starts stays so: nohup means it, and so does a
// shell about what it puts into the background. (Of the others the Go runtime
// does not tell.)
func stops() []os.Signal {
	all := []os.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM}
	return slices.DeleteFunc(all, signal.Ignored)
}

// untilSignal gives a context that ends at the first such signal, and how to
// learn the exit code for it: 128 and its number, as shells have it. A second
// signal ends the process at once.
func untilSignal() (ctx context.Context, exit func() int) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	if all := stops(); len(all) > 0 { // Notify takes none for all that there are
		signal.Notify(signals, all...)
	}
	code := make(chan int, 1)
	go func() {
		s, _ := (<-signals).(syscall.Signal)
		signal.Stop(signals)
		code <- 128 + int(s)
		cancel()
	}()
	return ctx, func() int {
		if ctx.Err() == nil {
			return 0
		}
		return <-code
	}
}
