package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/desk/clients"
	"github.com/onestep-run/onestep/config/desk/review"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/launch"
	"github.com/onestep-run/onestep/host/proxy"
)

func (a *app) listClients(*cobra.Command) action { return a.onClients(&clients.Placed{}, a.showParts) }

func (a *app) showClient(cmd *cobra.Command) action {
	var p clients.Placed
	environmentFlag(cmd, &p)
	return a.onClients(&p, a.showParts)
}

func (a *app) wrapClients(cmd *cobra.Command) action {
	var p clients.Placed
	cmd.Flags().BoolVar(&p.Approve, "one-dialog", false, "have Codex leave approvals to ask")
	cmd.Flags().DurationVar(&p.Hold, "hold", 0, "how long a call of these servers waits for your approval: a `DURATION` shorter than the client waits; by default client_hold of the configuration")
	cmd.Flags().BoolVar(&p.Hooks, "hooks", false, "install the client's hooks, which report your messages to ask")
	return a.changesClients(cmd, &p)
}

func (a *app) unwrapClients(cmd *cobra.Command) action {
	return a.changesClients(cmd, &clients.Placed{Unwrap: true})
}

func environmentFlag(cmd *cobra.Command, p *clients.Placed) {
	cmd.Flags().StringVar(&p.Environment, "environment", "", "the part of the file about a `PROJECT`, as Claude Code names it")
}

// changesClients adds the flags of a command that changes files of clients.
func (a *app) changesClients(cmd *cobra.Command, p *clients.Placed) action {
	environmentFlag(cmd, p)
	cmd.Flags().BoolVar(&p.All, "all", false, "every client with a user file on this machine")
	yes := cmd.Flags().Bool("yes", false, "write without being asked")
	return a.onClients(p, func(ctx context.Context, d desk.Desk, p clients.Placed) error {
		if p.All == (p.From != "") || p.All && p.Environment != "" {
			return cli.Usage(verdict.UsageArgument, "%s takes a CLIENT or a FILE, and SERVERs of it, or --all", cmd.Name())
		}
		if p.Hold < 0 {
			return cli.Usage(verdict.UsageFlag, "--hold takes a time above zero, not %v", p.Hold)
		}
		return a.changeClients(ctx, d, p, *yes)
	})
}

// onClients calls do with the client and the servers that the arguments name.
func (a *app) onClients(p *clients.Placed, do func(context.Context, desk.Desk, clients.Placed) error) action {
	return a.onDesk(func(ctx context.Context, d desk.Desk, args []string) (err error) {
		if len(args) > 0 {
			p.From, p.Servers = args[0], args[1:]
		}
		if p.Dir, err = os.Getwd(); err != nil {
			return verdict.Fail(verdict.Internal, err, "the working directory is not known: %v", err)
		}
		return do(ctx, d, *p)
	})
}

func (a *app) showParts(_ context.Context, d desk.Desk, p clients.Placed) error {
	return result(a, "clients", func(a *app, found []clients.Part) {
		for _, c := range found {
			head := strings.TrimSpace(c.Client + "  " + c.File + "  " + c.Environment)
			if c.Shared {
				head += "  (shared with others)"
			}
			a.Print("%s", head)
			printTable(a, c.Servers, func(s clients.Server) []string {
				text := described(s.How, s.As, s.Why)
				if p.From != "" && s.Kept != "" {
					text = described(text, "", "the old entry is kept in "+s.Kept)
				}
				return []string{"  server " + escape.Line(s.Name, 128), s.State, escape.Line(text, cli.MaxLine)}
			})
			if c.Hooks != nil {
				a.Print("%s", escape.Line("  hooks "+c.Hooks.State+"  "+c.Hooks.File, cli.MaxLine))
			}
		}
		if len(found) == 0 {
			a.Say("No other client's file was found in its default place; name one: `ask clients wrap FILE`")
		}
	})(clients.At(d).Parts(p))
}

// described is how a server is reached, its name here if that differs, and why it is left.
func described(how, as, why string) string {
	if as != "" {
		as = "called " + as + " here"
	}
	return strings.Join(slices.DeleteFunc([]string{how, as, why}, func(s string) bool { return s == "" }), "; ")
}

// program is the command with which a client starts this program. It is the program's name if
// that is in PATH and started it, otherwise its path.
func program() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", verdict.Fail(verdict.Internal, err, "the path of this program is not known: %v", err)
	}
	if found, err := exec.LookPath("ask"); err == nil && filepath.Base(os.Args[0]) == os.Args[0] {
		one, errA := os.Stat(self)
		other, errB := os.Stat(found)
		if errA == nil && errB == nil && os.SameFile(one, other) {
			return "ask", nil
		}
	}
	return self, nil
}

func (a *app) changeClients(ctx context.Context, d desk.Desk, p clients.Placed, yes bool) (err error) {
	if p.Program, err = program(); err != nil {
		return err
	}
	plan, err := clients.At(d).Plan(p)
	if err == nil && plan.Asks() && a.asksBeforeWriting(yes) {
		a.Say("Codex asks you before it calls a tool that may change something. So does ask: you would be asked twice.")
		if p.Approve, err = a.confirm(ctx, "Have Codex leave approvals to ask?", "codex"); err == nil {
			plan, err = clients.At(d).Plan(p)
		}
	}
	if err != nil {
		return err
	}
	done, err := a.change(ctx, d, p, plan, yes)
	switch {
	case err != nil || !done.Changed:
		return err
	case !done.Moves():
		return nil
	case p.Unwrap:
		a.Say("%s keeps its entries: `ask servers remove NAME` takes one out.", done.File)
		return nil
	}
	a.sayProposed(d, done.Servers)
	return a.reviewWrapped(ctx, done)
}

// asksBeforeWriting reports whether a person is asked before files are written.
func (a *app) asksBeforeWriting(yes bool) bool {
	return !yes && !a.DryRun && a.canAsk()
}

// confirm requires a y. Input typed before the question was shown does not count. If that
// input cannot be dropped, confirm requires the word.
func (a *app) confirm(ctx context.Context, question, word string) (bool, error) {
	in := a.keyboard()
	want, prompt := "y", question+" [y/N] "
	if dropTyped(in) != nil {
		want, prompt = word, question+" To do it, type "+word+": "
	}
	answer, _ := a.prompt(ctx, bufio.NewReader(in), prompt)
	return answer == want, ctx.Err()
}

// change shows a plan and carries it out after a person's yes or with --yes. Without either
// it writes nothing.
func (a *app) change(ctx context.Context, d desk.Desk, p clients.Placed, plan clients.Change, yes bool) (done clients.Change, err error) {
	verb := map[bool]string{false: "wrap", true: "unwrap"}[p.Unwrap]
	if !a.JSON {
		a.showChange(plan, verb)
	}
	done = plan
	switch {
	case plan.Empty():
		if !a.JSON {
			a.Say("nothing to %s", verb)
		}
	case a.DryRun:
	case yes:
		done, err = clients.At(d).Change(ctx, p, nil)
	case !a.asksBeforeWriting(yes):
		err = verdict.Fail(verdict.ApprovalNeeded, nil, "nothing was written: there is no terminal to ask at").
			WithHint("read what would change, then run the command at a terminal, or with --yes")
	default:
		var sure bool
		if sure, err = a.confirm(ctx, "Write this?", verb); err == nil && !sure {
			err = verdict.Deny(verdict.ApprovalRefused, "the answer was not yes; nothing was written")
		}
		if err == nil {
			done, err = clients.At(d).Change(ctx, p, &plan)
		}
	}
	done.Error = host.FailureOf(err)
	return done, a.Report(done, err, func() { a.sayWritten(done) })
}

func (a *app) sayWritten(c clients.Change) {
	for _, e := range c.Clients {
		switch {
		case !c.Changed:
		case e.Gone():
			a.Say("removed %s; a copy is in %s", e.File, e.Backup)
		case e.Backup != "":
			a.Say("wrote %s; its old content is in %s", e.File, e.Backup)
		case e.Hooks != nil:
			a.Say("wrote %s", e.File)
		}
	}
	if c.Changed && len(c.Servers) > 0 {
		a.Say("added %s to %s", strings.Join(c.Servers, ", "), c.File)
	}
}

// showChange prints the change of each entry, and the entries that stay.
func (a *app) showChange(c clients.Change, verb string) {
	for _, e := range c.Clients {
		if e.Hooks != nil || len(e.Servers)+len(e.Left) > 0 {
			fmt.Fprintln(a.Out, a.Bold(a.Out, escape.Line(e.File, cli.MaxLine)))
		}
		for _, m := range e.Servers {
			a.Print("%s", strings.TrimSpace(escape.Line("@@ server "+m.Name, 160)+"  "+m.Environment))
			if m.As != "" && verb == "wrap" {
				a.Say("%s", clients.Renamed(m.Name, m.As))
			}
			a.diffLines("- ", m.Removed)
			a.diffLines("+ ", m.Added)
			for _, note := range m.Notes {
				a.Say("%s", note)
			}
		}
		if e.Hooks != nil {
			a.Print("@@ hooks")
			a.diffLines("- ", e.Hooks.Removed)
			a.diffLines("+ ", e.Hooks.Added)
		}
		if e.Hooks != nil && e.Hooks.Note != "" {
			a.Say("%s", e.Hooks.Note)
		}
		a.sayUnpassed(e, verb)
		for _, l := range e.Left {
			if l.Name == "" {
				a.Say("left out: %s", l.Why)
				continue
			}
			a.Say("server %s is not changed: %s", escape.Line(l.Name, 64), l.Why)
			if l.Snippet != "" {
				a.diffLines("  ", strings.Split(l.Snippet, "\n"))
			}
		}
		if e.Shared && len(e.Servers) > 0 {
			a.sayShared(e, verb)
		}
	}
}

// sayUnpassed prints the variables that a client's servers no longer receive.
func (a *app) sayUnpassed(e clients.FileChange, verb string) {
	started := slices.ContainsFunc(e.Servers, func(m clients.Moved) bool { return m.Started })
	set := launch.Unpassed(nil)
	if verb != "wrap" || !started || len(set) == 0 {
		return
	}
	a.Say("Behind ask a server sees PATH, HOME, LANG and its env alone, and not %s, which are set here; \"env\": {\"NAME\": \"${NAME}\"} in its entry passes one on.", launch.Some(set))
}

// sayShared explains the effect of a change of a shared file.
func (a *app) sayShared(e clients.FileChange, verb string) {
	a.Say("%s is shared: others who use it get the change.", e.File)
	if verb == "wrap" {
		a.Say("They need ask, and servers of these names in the user's own servers file.")
	}
	for _, m := range e.Servers {
		switch fields := strings.Join(m.Secrets, ", "); {
		case fields == "":
		case verb == "wrap":
			a.Say("server %s: %s seems to be a secret that others could read: it moves out of this file, but the file's history may keep it. Replace it.", m.Name, fields)
		default:
			a.Say("server %s: %s seems to be a secret: others get it with this file.", m.Name, fields)
		}
	}
}

func (a *app) diffLines(mark string, lines []string) {
	for _, line := range lines {
		fmt.Fprintln(a.Out, mark+escape.Line(strings.ReplaceAll(line, "\t", "    "), cli.MaxLine))
	}
}

// reviewWrapped leads to the review, since a client sees no tool before it. Commands of a
// file that others share start only from an explicit review command.
func (a *app) reviewWrapped(ctx context.Context, c clients.Change) error {
	s, err := a.reviewable()
	if err != nil {
		return err
	}
	if slices.ContainsFunc(c.Clients, func(e clients.FileChange) bool { return len(e.Servers) > 0 }) {
		a.Say("%s", proxy.NotForwarded)
	}
	own, shared := clients.Unreviewed(ctx, s, c)
	if a.keyboard() != nil && !a.JSON && len(own) > 0 {
		err = a.review(ctx, s, own, review.Extent{Unlisted: true})
		own = nil
	}
	if names := append(own, shared...); len(names) > 0 {
		a.Say("next: `ask servers review %s --all-tools` starts or dials the wrapped servers, and asks which tools you approve", strings.Join(names, " "))
	}
	return err
}
