package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/desk/runs"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/proxy"
)

func (a *app) wrap(cmd *cobra.Command) action {
	var given givenFlags
	given.Apply(cmd.Flags())
	hold := cmd.Flags().Duration("hold", 0, "how long a call waits for a person's approval: a `DURATION` shorter than the client waits; by default client_hold of the configuration")
	return func(ctx context.Context, args []string) error {
		args, err := a.server(&given, args)
		if err != nil {
			return err
		}
		if len(args) != 1 {
			return cli.Usage(verdict.UsageArgument, "wrap takes one NAME of a server, or the flags that describe one")
		}
		return a.serveWrapped(ctx, args[0], given.review(args[0]), *hold)
	}
}

// lookEvery is how often the approvals are checked for changes.
const lookEvery = time.Second

func (a *app) serveWrapped(ctx context.Context, name, review string, hold time.Duration) error {
	d, err := a.desk()
	if err != nil {
		return err
	}
	// A run lasts as long as its one call may, plus time to start the server.
	d.Settings.Timeout.V = max(d.Settings.Timeout.V, d.Settings.CallLimit.V+2*d.Settings.StartTimeout.V)
	with := d.With
	with.Mode, with.Servers = setup.Plans, []string{name}
	h, err := setup.Host(d.Settings, with)
	if err != nil {
		return err
	}
	defer d.End(h)
	// When the client is gone a write fails, and this process continues: it still records
	// running calls, and ends servers.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ticks := time.NewTicker(lookEvery)
	defer ticks.Stop()
	err = proxy.Serve(ctx, os.Stdin, os.Stdout, proxy.Options{
		Host: h, Server: name, Subject: subject(), Conversation: ofWrap + rand.Text(), Labelled: clientProcess(), Version: a.Version, Review: review, Hold: cmp.Or(hold, d.Settings.ClientHold.V),
		New:        func(ctx context.Context) []string { return h.New(ctx, name) },
		Known:      func(ctx context.Context) []string { return h.Known(ctx, name) },
		Waiting:    a.waiting(ctx, d.Settings.Notify.V),
		Quarantine: runs.Released{Desk: runs.At(d), Server: name}, Ticks: ticks.C, Changes: fingerprint(d.Settings.StateFile.V, h.Files),
	})
	if err != nil && ctx.Err() == nil {
		return verdict.Fail(verdict.Internal, err, "the client's pipe failed: %v", err)
	}
	return nil
}

// fingerprint changes whenever the database or a file that affects decisions is written. A
// database has a log next to it.
func fingerprint(state string, deciding func() []string) func() string {
	return func() (all string) {
		for _, path := range append(deciding(), state, state+"-wal") {
			if is, err := os.Stat(path); err == nil {
				all += fmt.Sprintf("%d %d ", is.Size(), is.ModTime().UnixNano())
			} else {
				all += "- "
			}
		}
		return all
	}
}
