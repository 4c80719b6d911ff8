// Command ask answers one question with at most one tool call.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/user"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/desk/runs"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/demo"
	_ "github.com/onestep-run/onestep/host/heap" // first of all packages
	"github.com/onestep-run/onestep/host/launch"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/trace"
)

func main() {
	// Seal keeps servers from reading this process's environment, and AdoptOrphans ends their
	// daemons with it. Without the system's support neither holds; docs/threat-model.md
	// describes that.
	_ = launch.Seal()
	_ = launch.AdoptOrphans()
	boundMemory()
	a := &app{App: cli.New(version)}
	args := remainder(os.Args[1:])
	code := a.Main(args, a.rootOf(args))
	a.leave()
	os.Exit(code)
}

// app holds the commands of `ask`.
type app struct {
	*cli.App
	folder runs.Folder    // for the attachments of the one question
	hold   time.Duration  // how long its call waits for an approval from elsewhere
	first  bool           // no run has left a trace before this one
	again  replan         // optional
	states []*store.Store // of the inventories, to close

	edited       jsontext.Value // the arguments that a person wrote in place of the shown ones
	conversation string         // the conversation of the call; "" leaves it to the environment
	described    config.Servers // a server that the command line describes
	isDescribed  bool
}

// replan writes the plan of a question again after its tool was reviewed. Before the review
// no schema existed to read its arguments by.
type replan func(context.Context) ([]byte, error)

// desk is the installation that the settings describe, for the user of this process.
func (a *app) desk() (desk.Desk, error) {
	s, _, err := a.Settings()
	with := a.Options()
	if a.isDescribed {
		with.Registry = a.described
	}
	self, _ := os.Executable() // without it, no client's entry is recognized as starting this program
	return desk.Desk{Settings: s, With: with, By: subject(), Self: self, Say: a.Say, Debug: a.Debug}, err
}

// servers are the configured servers. None is started or dialled.
func (a *app) servers() (servers.Servers, error) {
	d, err := a.desk()
	if err != nil {
		return servers.Servers{}, err
	}
	s, err := servers.At(d).Open()
	if s.State != nil {
		a.states = append(a.states, s.State)
	}
	return s, err
}

// unlocked are the servers with stored decisions, without a file of pins.
func (a *app) unlocked() (servers.Servers, error) {
	if err := servers.At(desk.Desk{With: a.Options()}).Unlocked(); err != nil {
		return servers.Servers{}, err
	}
	return a.servers()
}

// reviewable are the servers that a person can decide on.
func (a *app) reviewable() (servers.Servers, error) {
	s, err := a.unlocked()
	if err == nil {
		err = s.Reviewable()
	}
	return s, err
}

// runs are the runs in which a name is looked up. A path needs no settings: a trace can be
// checked on a machine without a configuration.
func (a *app) runs(name string) (runs.Runs, error) {
	if runs.IsPath(name) {
		return "", nil
	}
	s, _, err := a.Settings()
	return runs.Runs(s.TraceDir.V), err
}

// leave closes the open files of commands. Every decision is on disk before.
func (a *app) leave() {
	for _, s := range a.states {
		_ = s.Close()
	}
}

// subject is the user who asks: the local user and this host's name, from the system.
// Variables such as USER are not used: every user can set them.
func subject() string {
	name := strconv.Itoa(os.Getuid())
	if u, err := user.Current(); err == nil && u.Username != "" {
		name = u.Username
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return escape.Line(name+"@"+host, 256)
}

// Version is set when a release is built.
var version = "development"

// questionOrWelcome asks a question, or shows a first user what to do.
func (a *app) questionOrWelcome(cmd *cobra.Command) action {
	ask := a.asks(cmd.Flags())
	wantsVersion := cmd.Flags().BoolP("version", "v", false, "print the version")
	return func(ctx context.Context, args []string) error {
		switch {
		case *wantsVersion:
			return a.showVersion(ctx, args)
		case len(args) == 0:
			return a.welcome()
		}
		text, err := rootQuestion(cmd, args)
		if err != nil {
			return err
		}
		a.Listen()
		return ask(ctx, text)
	}
}

// groups are the commands as the help shows them.
var groups = []struct{ title, commands string }{
	{"Ask", "run call tools resume demo"},
	{"Review", "approvals approve grants guard manifest policy quarantine"},
	{"Records", "trace conversations eval"},
	{"Set-up", "servers clients wrap hook models config doctor completion help version"},
}

func group(root *cobra.Command) {
	of := map[string]string{}
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for name := range strings.FieldsSeq(g.commands) {
			of[name] = g.title
		}
	}
	for _, c := range root.Commands() {
		c.GroupID = of[c.Name()]
	}
	root.SetHelpCommandGroupID(of["help"])
}

// isQuestion reports whether an argument cannot be a command.
func isQuestion(arg string) bool {
	return arg == "" || arg == fromStdin || strings.ContainsFunc(arg, func(r rune) bool {
		return unicode.IsSpace(r) || r == '?' || r == '？'
	})
}

// rootQuestion distinguishes a question from a mistyped command. A question is one argument
// with white space or a question mark, or follows "--"; - means the text on stdin.
func rootQuestion(cmd *cobra.Command, args []string) (string, error) {
	if after := cmd.ArgsLenAtDash() == 0; len(args) == 1 && (after || isQuestion(args[0])) {
		return args[0], nil
	}
	reason := "no such command: " + args[0] + cli.Likely(cmd, args[0])
	if len(args) > 1 {
		reason += " (a question is one argument: put it in quotes)"
	}
	return "", cli.Usage(verdict.UsageCommand, "%s", reason)
}

func (a *app) showVersion(context.Context, []string) error {
	return a.Report(cli.Object{
		"version", version, "go", runtime.Version(), "builtin_rules", input.BuiltInDigest(),
		"trace_format", trace.Format, "outcome_schema_version", host.OutcomeVersion,
	}, nil, func() { fmt.Fprintf(a.Out, "ask %s (%s, trace format %d)\n", version, runtime.Version(), trace.Format) })
}

// welcomeToDemo shows a first user what to ask.
func (a *app) welcomeToDemo(cmd *cobra.Command) action {
	cmd.Args = cli.Verb
	return func(context.Context, []string) error { return a.welcome() }
}

func (a *app) serveDemo(cmd *cobra.Command) action {
	address := cmd.Flags().String("http", "", "loopback `ADDRESS` to serve all three at, each under /NAME")
	return func(ctx context.Context, args []string) error {
		switch {
		case *address != "" && len(args) == 0:
			return a.serveHTTP(ctx, *address)
		case *address == "" && len(args) == 1:
			return a.serveStdio(ctx, args[0])
		}
		return cli.Usage(verdict.UsageArgument, "demo serve takes a server's name, one of %s, or --http ADDRESS", strings.Join(demo.New().Servers(), ", "))
	}
}

// Suggestions for a first user: questions, and next steps.
var (
	examples  = []string{`ask --demo "Summarize policy-002"`, `ask --demo "Get ticket INC0010001"`, `ask --demo "Which policies cover vendors?"`}
	nextSteps = []string{"ask servers import", "ask servers review --all"}
)

// welcome answers a user who asks nothing. Each command is on its own line, for copying.
func (a *app) welcome() error {
	return a.Report(cli.Object{"examples", examples, "next", nextSteps}, nil, func() {
		fmt.Fprintf(a.Out, "Ask the demo servers, without a key, a model or a network:\n\n%s\n\n", strings.Join(examples, "\n"))
		fmt.Fprintf(a.Out, "Then copy the servers of your clients, and approve their tools:\n\n%s\n\n", strings.Join(nextSteps, "\n"))
		a.Say("`ask help` lists the commands.")
	})
}

func (a *app) serveStdio(ctx context.Context, name string) error {
	d := demo.New()
	if !slices.Contains(d.Servers(), name) {
		return cli.Usage(verdict.UsageArgument, "no demo server %q; the names are %s", name, strings.Join(d.Servers(), ", "))
	}
	err := d.Serve(ctx, name, os.Stdin, os.Stdout)
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

func (a *app) serveHTTP(ctx context.Context, address string) error {
	host, _, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
		return cli.Usage(verdict.UsageFlag, "--http takes a loopback address, such as 127.0.0.1:8931")
	}
	d := demo.New()
	mux := http.NewServeMux()
	for _, name := range d.Servers() {
		h, err := d.Handler(name)
		if err != nil {
			return err
		}
		mux.Handle("/"+name, h)
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return cli.Usage(verdict.UsageFlag, "--http: %v", err)
	}
	for _, name := range d.Servers() {
		a.Say("http://%s/%s", l.Addr(), name)
	}
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() {
		if err := srv.Close(); err != nil {
			a.Say("the listener did not close: %v", err)
		}
	})
	defer stop()
	if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
