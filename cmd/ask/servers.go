package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/cmd/cli/show"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/artifact"
	"github.com/onestep-run/onestep/host/confine"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/host/store"
)

func (a *app) listServers(ctx context.Context, s servers.Servers, _ []string) error {
	a.reportIgnored()
	all := s.List(ctx)
	a.printServers(all)
	a.note(s)
	a.sayUnreviewed(ctx, s)
	return a.sayWaiting(all)
}

func (a *app) testServers(ctx context.Context, s servers.Servers, names []string) (end error) {
	a.note(s, names...)
	err := s.Test(ctx, names, func(all []servers.Server) {
		a.printServers(all)
		end = a.sayWrong(all)
	})
	return cmp.Or(err, end)
}

func (a *app) serverLog(_ context.Context, s servers.Servers, args []string) error {
	lines, err := s.Logged(args[0])
	return a.Report(cli.Object{"server", args[0], "lines", append([]session.LogLine{}, lines...)}, err, func() {
		for _, l := range lines {
			text := show.Marked(escape.Line(l.Text, a.Out.Limit(cli.MaxLine)))
			if l.Started {
				text = "started"
			}
			fmt.Fprintf(a.Out, "%s  %s\n", l.Time.Local().Format(time.DateTime), text)
		}
		if len(lines) == 0 {
			a.Say("No log of %s: only a server that is started here has one, and it was not started yet. `ask servers test %s` does.", args[0], args[0])
		}
	})
}

// note reports probable mistakes in the servers file, for the named servers or for all.
func (a *app) note(s servers.Servers, names ...string) {
	for _, n := range s.Notes {
		if !n.Out && (len(names) == 0 || slices.Contains(names, n.Server)) {
			a.Say("%s", n)
		}
	}
}

// sayWrong prints what to do for each server that could not be used. The exit code is the
// highest of theirs.
func (a *app) sayWrong(rows []servers.Server) error {
	exit := 0
	for _, r := range rows {
		if r.Error == nil {
			continue
		}
		exit = max(exit, r.Error.Code.Entry().Exit)
		a.Next(r.Name, r.Error.Hint)
	}
	return ended(exit)
}

// sayWaiting names the servers with an allowed tool that is not approved in its current form.
func (a *app) sayWaiting(all []servers.Server) error {
	exit := 0
	for _, s := range all {
		if n := len(s.Trust.Waiting(s.Allowed)); n > 0 {
			exit = verdict.ApprovalNeeded.Entry().Exit
			a.Say("%d of the allowed tools of %s wait: `ask servers review %s`", n, s.Name, s.Name)
		}
	}
	return ended(exit)
}

// sayUnreviewed names the servers that were not reviewed yet, and the next step.
func (a *app) sayUnreviewed(ctx context.Context, s servers.Servers) {
	names, err := s.NotReviewed(ctx)
	if err != nil {
		a.Say("the approvals cannot be read: %v", err)
	}
	if len(names) > 0 {
		a.Say("not reviewed yet: %s. Next: `%s`", strings.Join(names, ", "), servers.ToReview(names))
	}
}

// ended is the end of a command that has printed everything.
func ended(exit int) error {
	if exit == 0 {
		return nil
	}
	return cli.Ended(exit)
}

func (a *app) printServers(all []servers.Server) {
	var rows [][]string
	for _, s := range all {
		state := fmt.Sprintf("%d allowed", len(s.Allowed))
		switch {
		case s.Error != nil:
			state = string(s.Error.Code) + ": " + cli.InALine(s.Error.Message)
		case s.Artifact != nil:
			state = s.Artifact.String()
			if s.Listed != nil {
				state += ", starts and lists " + verdict.Count(*s.Listed, "tool")
			}
		case s.Listed != nil:
			state = fmt.Sprintf("MCP %s, %d listed, %s", s.Protocol, *s.Listed, state)
		case s.Trust != nil:
			state += ", " + trustLine(s.Trust)
		}
		if s.Login != nil {
			state += "; " + escape.Line(s.Login.String(), 300)
		}
		rows = append(rows, []string{s.Name, escape.Line(s.How, 200), state})
	}
	_ = a.Result("servers", all, func() { a.Table(rows) })
	for _, s := range all {
		for _, no := range s.Never {
			a.Say("%s/%s cannot be called: %s", s.Name, escape.Line(no.Tool, 128), no.Why)
		}
	}
}

// trustLine summarizes the stored data about a server.
func trustLine(t *servers.Trust) string {
	parts := []string{fmt.Sprintf("%d approved", len(t.Approved))}
	if n := len(t.Held); n > 0 {
		parts = append(parts, fmt.Sprintf("%d held for review", n))
	}
	if n := len(t.Health); n > 0 && t.Health[n-1].Code != "" {
		parts = append(parts, healthText(t.Health[n-1]))
	}
	if t.Starts != nil && t.Starts.Floating != "" {
		parts = append(parts, "floating")
	}
	return strings.Join(parts, ", ")
}

func healthText(h store.Health) string {
	what := h.Code
	switch verdict.Code(h.Code) {
	case "":
		what = "answers"
	case verdict.ServerAuth:
		what = "needs login"
	}
	return what + " since " + h.At.Format(time.DateOnly)
}

// how describes a decision that was typed as a command.
func (a *app) how() string {
	if a.keyboard() != nil {
		return gate.AtTerminal
	}
	return gate.ByDigest
}

// exportPins prints the file unchanged: it is for a repository, and is not a command's
// document.
func (a *app) exportPins(ctx context.Context, s servers.Servers, names []string) error {
	if len(names) == 0 {
		names = s.Names()
	}
	file, some, err := s.Export(ctx, names)
	if err != nil {
		return err
	}
	if !some {
		a.Say("nothing of %s is approved: with this file none of its tools can be called", strings.Join(names, ", "))
	}
	a.JSONText(a.Out, file)
	return nil
}

func (a *app) fetchServers(cmd *cobra.Command) action {
	var how artifact.How
	f := cmd.Flags()
	f.BoolVar(&how.Again, "again", false, "fetch existing packages again, with today's dependencies")
	before := f.String("before", "", "leave out releases of a `DATE` such as 2026-06-01 or later, also of dependencies")
	unstarted := f.Bool("no-start", false, "start none of them: nothing that is fetched is run")
	f.StringArrayVar(&how.Hosts, "host", nil, "a `HOST:PORT` that packages may come from, besides those that npm and pip are configured for")
	return a.onServers((*app).servers, func(ctx context.Context, s servers.Servers, args []string) (err error) {
		if how.Before, err = day(*before); err != nil {
			return err
		}
		for _, host := range how.Hosts {
			if err := confine.CheckHost(host); err != nil {
				return cli.Usage(verdict.UsageFlag, "--host %s %v", escape.Line(host, 100), err)
			}
		}
		a.note(s)
		all, err := s.Fetch(ctx, args, os.Environ(), how, !*unstarted)
		a.printServers(all)
		return cmp.Or(err, a.sayWrong(all))
	})
}

// day is the beginning of a day, in UTC.
func day(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return t, cli.Usage(verdict.UsageFlag, "--before takes a day such as 2026-06-01")
	}
	return t, nil
}

// addedTime bounds the fetch of a package after its server was added: the entry is written,
// and the fetch can be repeated.
const addedTime = 2 * time.Minute

// fetchAdded fetches the packages of newly added servers. A failure leaves the entry
// unchanged.
func (a *app) fetchAdded(ctx context.Context, d desk.Desk, names []string) error {
	if names = servers.At(d).Launched(names); len(names) == 0 {
		return nil
	}
	s, err := a.servers()
	if err != nil {
		return err
	}
	for _, name := range names {
		limited, cancel := context.WithTimeoutCause(ctx, addedTime, fmt.Errorf("it was not there in %s", addedTime))
		all, err := s.Fetch(limited, []string{name}, os.Environ(), artifact.How{}, false)
		cancel()
		if err := cmp.Or(ctx.Err(), err); err != nil {
			return err
		}
		a.sayFetched(all[0])
	}
	return nil
}

func (a *app) sayFetched(s servers.Server) {
	switch {
	case s.Error != nil:
		a.Say("%s was added, and its package is not fetched yet: %s", s.Name, cli.InALine(s.Error.Message))
		a.Next(s.Name, s.Error.Hint+"; `ask servers fetch "+s.Name+"` fetches it later")
	case s.Artifact.Packaged():
		a.Say("%s is started from the fetched %s", s.Name, escape.Line(s.Artifact.Name+"@"+s.Artifact.Version, 300))
	default:
		a.Say("%s is started by its launcher, from whatever the registry has that day: %s", s.Name, escape.Line(s.Artifact.Floating, 300))
	}
}
