package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk/runs"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/inbox"
	"github.com/onestep-run/onestep/host/proxy"
	"github.com/onestep-run/onestep/host/talk"
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
		Host: restingHost(h, giveBack), Server: name, Subject: subject(), Conversation: ofWrap + rand.Text(), Labelled: clientProcess(), Version: a.Version, Review: review, Hold: cmp.Or(hold, d.Settings.ClientHold.V), LongHold: longHold(hold, d.Settings.ClientHold),
		New:        func(ctx context.Context) []string { return h.New(ctx, name) },
		Known:      func(ctx context.Context) []string { return h.Known(ctx, name) },
		Waiting:    a.waiting(ctx, d.Settings.Notify.V),
		Talks:      &talk.Tracer{Store: talksOf(d.With.Env), Words: d.Settings.RecordWords.V},
		Quarantine: runs.Released{Desk: runs.At(d), Server: name}, Ticks: ticks.C, Changes: fingerprint(d.Settings.StateFile.V, h.Files),
	})
	if err != nil && ctx.Err() == nil {
		return verdict.Fail(verdict.Internal, err, "the client's pipe failed: %v", err)
	}
	return nil
}

// longHold is how long a call waits whose client gets progress meanwhile, which restarts the
// client's own time limit. A time that the user set is for every call.
func longHold(flag time.Duration, set config.Value[time.Duration]) time.Duration {
	if flag > 0 || set.Origin.Kind != config.FromDefault {
		return 0
	}
	return 4 * time.Minute
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

// givenFlags describe a server outside of any file, by its command line or its URL.
type givenFlags struct {
	command, url, sse, name string
	rest                    bool // the arguments are the command
	env                     []string
}

// commandArgs is the flag that takes the rest of a command line.
const commandArgs = "--command-args"

func (g *givenFlags) Apply(f *cli.FlagSet) {
	f.StringVar(&g.name, "name", "", "the `NAME` in the allowlist of a server that is in no file")
	f.StringVar(&g.command, "command", "", "the `COMMAND` with its arguments that starts such a server, quoted as a shell has it")
	f.BoolVar(&g.rest, strings.TrimPrefix(commandArgs, "--"), false, "the rest of the line is such a command with its arguments")
	f.StringVar(&g.url, "url", "", "the `URL` of such a server, over streamable HTTP")
	f.StringVar(&g.sse, "sse-url", "", "the `URL` of such a server, over HTTP+SSE")
	f.StringArrayVar(&g.env, "env", nil, "a variable for it: NAME passes your own on, NAME=`VALUE` sets it")
}

// server puts the flags' server in the place of the servers file, and returns its name.
// Without such flags it changes nothing.
func (a *app) server(g *givenFlags, args []string) ([]string, error) {
	ways := 0
	for _, given := range []bool{g.command != "", g.url != "", g.sse != "", g.rest} {
		if given {
			ways++
		}
	}
	switch {
	case ways == 0 && g.name == "" && len(g.env) == 0:
		return args, nil
	case ways != 1:
		return nil, cli.Usage(verdict.UsageFlag, "describe the server with exactly one of --command, --command-args, --url and --sse-url")
	case !escape.Name(g.name):
		return nil, cli.Usage(verdict.UsageFlag, "--name gives the server's name in the allowlist: a name of A-Z a-z 0-9 _ . -")
	case !g.rest && len(args) > 0:
		return nil, cli.Usage(verdict.UsageArgument, "a server is either named or given by flags, not both")
	}
	words, err := args, error(nil)
	if g.command != "" {
		words, err = split(g.command)
	}
	if err != nil {
		return nil, err
	}
	spec := config.Spec{URL: g.url, Type: "http"}
	switch {
	case g.sse != "":
		spec = config.Spec{URL: g.sse, Type: "sse"}
	case len(words) > 0:
		spec = config.Spec{Command: words[0], Args: words[1:]}
	case g.url == "":
		return nil, cli.Usage(verdict.UsageFlag, "there is no command to start the server with")
	}
	if spec.Env, err = pairs(nil, g.env, "=", true); err != nil {
		return nil, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, verdict.Fail(verdict.ConfigUnreadable, err, "the working directory: %v", err)
	}
	a.described, err = config.NewServers(dir, map[string]config.Spec{g.name: spec})
	a.isDescribed = true
	return []string{g.name}, err
}

// review is the command that reviews the served server.
func (g *givenFlags) review(name string) string {
	if g.name == "" {
		return "ask servers review " + name
	}
	return "ask servers review --name " + name + " with the flags that it is wrapped with"
}

// remainder makes everything after --command-args an argument, including texts that look like
// flags.
func remainder(args []string) []string {
	i := slices.Index(args, commandArgs)
	switch {
	case i < 0, slices.Contains(args[:i], "--"):
		return args
	case i+1 < len(args) && args[i+1] == "--":
		return args
	}
	return slices.Insert(slices.Clone(args), i+1, "--")
}

// split splits a command line into words, with a shell's quotes and without expansion.
func split(line string) (words []string, err error) {
	var word strings.Builder
	open, quote := false, rune(0)
	escaped := false
	for _, r := range line {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			open, escaped = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			open, quote = true, r
		case strings.ContainsRune(" \t\n", r):
			if open {
				words = append(words, word.String())
			}
			word.Reset()
			open = false
		default:
			word.WriteRune(r)
			open = true
		}
	}
	if quote != 0 || escaped {
		return nil, cli.Usage(verdict.UsageFlag, "--command has an open quote")
	}
	if open {
		words = append(words, word.String())
	}
	return words, nil
}
