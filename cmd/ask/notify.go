package main

import (
	"context"
	"os/exec"
	"runtime"
	"time"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/host/inbox"
)

// notifyWithin bounds how long the desktop may take to accept a notification.
const notifyWithin = 5 * time.Second

// waiting reports once that a call waits, and how to approve it. With desktop it also sends a
// notification. Neither contains arguments.
func (a *app) waiting(ctx context.Context, desktop bool) func(inbox.Holding) {
	return func(h inbox.Holding) {
		if h.Waited >= time.Second {
			return
		}
		a.Say("waiting for an approval: `ask approve %s` shows the call", h.RunID)
		if desktop {
			go a.notify(ctx, h)
		}
	}
}

// notify asks the desktop to show that a call waits. The texts are arguments of a program,
// and part of no script.
func (a *app) notify(ctx context.Context, h inbox.Holding) {
	title, body := "A call waits for your approval", escape.Line(h.Server+"/"+h.Tool+", run "+h.RunID, 400)
	ctx, cancel := context.WithTimeout(ctx, notifyWithin)
	defer cancel()
	cmd := exec.CommandContext(ctx, "notify-send", "--app-name=onestep", "--", title, body)
	if runtime.GOOS == "darwin" {
		cmd = exec.CommandContext(ctx, "osascript", "-e", "on run argv", "-e", "display notification (item 2 of argv) with title (item 1 of argv)", "-e", "end run", title, body)
	}
	if err := cmd.Run(); err != nil && a.Debug {
		a.Say("no notification was shown: %v", err)
	}
}
