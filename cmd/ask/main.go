// Command ask answers one question with at most one tool call.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/onestep-run/onestep/host/launch"
)

func main() {
	// So that a server's daemons can be ended with it. Where the system cannot,
	// they are not; docs/threat-model.md says so.
	_ = launch.AdoptOrphans()
	a := &app{in: os.Stdin, out: &stream{w: os.Stdout}, err: &stream{w: os.Stderr}, env: os.LookupEnv}
	os.Exit(a.main(os.Args[1:]))
}

// The exit codes of a process that was told to stop: 128 and the signal.
const (
	exitInterrupted = 130
	exitTerminated  = 143
)

// untilSignal gives a context that ends at the first interrupt or termination,
// and how to learn which it was. A second signal ends the process at once.
func untilSignal() (ctx context.Context, exit func() int) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	code := make(chan int, 1)
	go func() {
		s := <-signals
		signal.Stop(signals)
		if s == syscall.SIGTERM {
			code <- exitTerminated
		} else {
			code <- exitInterrupted
		}
		cancel()
	}()
	return ctx, func() int {
		if ctx.Err() == nil {
			return 0
		}
		return <-code
	}
}
