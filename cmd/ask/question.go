package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk/runs"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/config/desk/tools"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/inbox"
)

// runFlags are the flags of every call that this process may make.
func (a *app) runFlags(f *cli.FlagSet) {
	a.saveFlag(f)
	f.DurationVar(&a.hold, "hold", 0, "without a terminal, wait as long as `DURATION` for ask approve or ask approvals --watch elsewhere")
	f.StringVar(&a.conversation, "conversation", "", "the `ID` of the conversation that the call is part of, for grants and labels (else ASK_CONVERSATION)")
}

// saveFlag chooses a folder for the attachments of a result.
func (a *app) saveFlag(f *cli.FlagSet) {
	f.StringVar((*string)(&a.folder), "save", "", "write images and other attachments of the result to new files in `DIR`")
}

func (a *app) runQuestion(cmd *cobra.Command) action {
	ask := a.asks(cmd.Flags())
	return func(ctx context.Context, args []string) error { return ask(ctx, args[0]) }
}

// asks adds the flags of a question, and returns what asks it.
func (a *app) asks(f *cli.FlagSet) func(context.Context, string) error {
	contextFrom := f.String("context-from", "", "read context from `FILE`, or from stdin with -")
	summarize := f.Bool("summarize", false, "summarize the result")
	explain := f.Bool("explain", false, "show how the embedded planner chose")
	a.runFlags(f)
	return func(ctx context.Context, text string) error {
		conversation, err := a.conversing()
		if err != nil {
			return err
		}
		if text == fromStdin && *contextFrom == fromStdin {
			return cli.Usage(verdict.UsageFlag, "the question and --context-from cannot both be read from stdin")
		}
		with := a.Options()
		if *explain {
			with.Explain = a.explain
		}
		return a.answer(ctx, with, false, func(ctx context.Context, s config.Settings, _ *setup.Ready) (host.Question, error) {
			text, err := a.question(ctx, text)
			if err != nil {
				return host.Question{}, err
			}
			asked := host.Question{Text: text, Facts: gate.Facts{Conversation: conversation}}
			if *summarize || s.Summarize.V {
				asked.Summarize = new(true)
			}
			if *contextFrom != "" {
				asked.Context, err = a.readBounded(ctx, *contextFrom, input.MaxContext)
			}
			return asked, err
		})
	}
}

// fromStdin is the argument for the text on stdin.
const fromStdin = "-"

// question is the given question, or the text on stdin, without its last line end.
func (a *app) question(ctx context.Context, given string) (string, error) {
	if given != fromStdin {
		return given, nil
	}
	text, err := a.readBounded(ctx, fromStdin, input.MaxQuestion+len("\r\n"))
	if text = strings.TrimRight(text, "\r\n"); err == nil && text == "" {
		err = cli.Usage(verdict.UsageArgument, "there is no question on stdin")
	}
	return text, err
}

// answer makes a host, reads the question, asks it, prints the outcome and then ends the
// servers. The user does not wait for that end. The time limit starts before the reading.
// With unasked the call was approved by being written out.
func (a *app) answer(ctx context.Context, with setup.Options, unasked bool,
	read func(context.Context, config.Settings, *setup.Ready) (host.Question, error),
) error {
	d, err := a.desk()
	if err != nil {
		return err
	}
	s := d.Settings
	if with.Explain != nil && setup.NamesModel(s.Model.V) {
		return cli.Usage(verdict.UsageFlag, "--explain is for the embedded planner: a model does not say how it chose")
	}
	if err := a.folder.Make(); err != nil {
		return err
	}
	ctx, limit := setup.WithLimit(ctx, s.Timeout.V)
	defer limit.End()
	if with.Approver, err = runs.At(d).Approver(unasked, a.person(limit)); err != nil {
		return err
	}
	if ask := with.Ask; ask != nil {
		with.Ask = func(i config.Input) (string, error) {
			limit.Pause()
			defer limit.Resume()
			return ask(i)
		}
	}
	h, err := setup.Host(s, with)
	if err != nil {
		return err
	}
	a.first = a.owed("first", unused(s.TraceDir.V))
	if a.first && h.Planner == setup.Embedded {
		a.Say("Planning with the embedded planner; --model PROVIDER/MODEL chooses a language model.")
	}
	for _, n := range h.Inventory.Notes {
		if !n.Out && slices.Contains(h.Inventory.Allowlist.Servers(), n.Server) {
			a.Say("%s", n)
		}
	}
	if changed := a.owed("servers", serversChanged(s)); changed || h.Inventory.Allowlist.Refusal() != nil {
		a.sayUnreviewed(ctx, servers.Servers{Inventory: h.Inventory, Desk: d})
	}
	q, err := read(ctx, s, h)
	if err != nil {
		return errors.Join(err, h.Close())
	}
	q.Subject, q.DryRun = cmp.Or(q.Subject, subject()), a.DryRun
	if a.hold > 0 {
		q.Hold = &inbox.Hold{For: a.hold, Waiting: a.waiting(ctx, s.Notify.V)}
	}
	end := a.converse(ctx, h, q, limit)
	d.End(h)
	return end
}

// owed reports whether a note with this name is due now, or was due when -q hid it. A file in
// the state directory remembers a hidden note.
func (a *app) owed(note string, due bool) bool {
	paths, err := config.FindPaths(a.Env)
	if err != nil {
		return due
	}
	file := filepath.Join(paths.State, "note_"+note)
	switch {
	case !a.Quiet:
		due = os.Remove(file) == nil || due
	case due && os.MkdirAll(paths.State, 0o700) == nil:
		_ = os.WriteFile(file, nil, 0o600) // without it only the note is lost
	}
	return due
}

// unused reports whether a directory has no trace. A user who asks for the first time is
// shown the planner and the place of the record.
func unused(traces string) bool {
	dir, err := os.Open(traces)
	if err != nil {
		return true
	}
	defer dir.Close()
	for {
		names, err := dir.Readdirnames(64) // there may be many thousands
		if slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, "trace_") }) {
			return false
		}
		if err != nil {
			return true
		}
	}
}

// serversChanged reports whether the servers file was written after the last trace. Then this
// is the first question after servers were added or imported.
func serversChanged(s config.Settings) bool {
	file, err := os.Stat(s.Servers.V)
	if err != nil {
		return false
	}
	traces, err := os.Stat(s.TraceDir.V)
	return err != nil || file.ModTime().After(traces.ModTime())
}

// readBounded reads a named file, or stdin for "-". It is the one place that reads stdin, and
// only on request. It keeps one byte over the limit, so that the input gate refuses the text
// for its length.
func (a *app) readBounded(ctx context.Context, path string, max int) (string, error) {
	r := a.In
	if path == fromStdin {
		a.In = strings.NewReader("") // stdin must not also answer a question
	} else {
		f, err := os.Open(path)
		if err != nil {
			return "", verdict.Fail(verdict.UsageArgument, err, "%s: %v", path, errors.Unwrap(err))
		}
		defer f.Close()
		r = f
	}
	b, err := reading(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(r, int64(max)+1)) })
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		err = verdict.Fail(verdict.RunTimeout, err, "%s did not end within the time for the run (timeout); no call left", path)
	case errors.Is(err, context.Canceled):
		err = verdict.Fail(verdict.CallInterrupted, err, "interrupted while reading %s", path)
	case err != nil:
		err = verdict.Fail(verdict.UsageArgument, err, "%s cannot be read: %v", path, err)
	}
	return string(b), err
}

// callFlags are the flags of one call.
type callFlags struct {
	args, file string
	whole      bool // the arguments are one JSON object
	summarize  bool
	yes        bool
}

// callTool passes an operator's own plan through the same gates.
func (a *app) callTool(cmd *cobra.Command) action {
	var c callFlags
	f := cmd.Flags()
	f.StringVar(&c.args, "args", "", "the arguments, as one `JSON` object, or - to read it from stdin")
	f.StringVar(&c.file, "args-file", "", "read the arguments from `FILE`, or from stdin with -")
	f.BoolVar(&c.summarize, "summarize", false, "summarize the result")
	f.BoolVar(&c.yes, "yes", false, "approve the call of a tool that is not listed under read, without a prompt")
	a.runFlags(f)
	cmd.MarkFlagsMutuallyExclusive("args", "args-file")
	return func(ctx context.Context, args []string) error {
		if len(args) == 0 {
			return cli.Usage(verdict.UsageArgument, "call takes SERVER/TOOL, and the tool's arguments")
		}
		c.whole = f.Changed("args") || f.Changed("args-file")
		return a.call(ctx, args[0], args[1:], c)
	}
}

func (a *app) call(ctx context.Context, name string, typed []string, c callFlags) error {
	server, tool, err := tools.SplitName(name)
	if err != nil {
		if inv, bad := a.servers(); bad == nil {
			_, _, err = inv.SplitName(name)
		}
		return err
	}
	given, err := tools.ReadArguments(typed)
	if err != nil {
		return err
	}
	conversation, err := a.conversing()
	if err != nil {
		return err
	}
	if c.whole && len(given) > 0 {
		return cli.Usage(verdict.UsageArgument, "the arguments are either NAME=VALUE or one JSON object, not both")
	}
	with := a.Options()
	with.Mode, with.Servers = setup.Plans, []string{server} // the tools of other servers are not needed
	return a.answer(ctx, with, c.yes, func(ctx context.Context, s config.Settings, h *setup.Ready) (host.Question, error) {
		planned := func(ctx context.Context) ([]byte, error) {
			text, err := a.argsFrom(ctx, h, server, tool, given)
			return plan.Call(server, tool, text), err
		}
		if a.again = planned; c.whole {
			a.again = nil
			planned = func(ctx context.Context) ([]byte, error) {
				text, err := a.argsOf(ctx, c)
				return plan.Call(server, tool, text), err
			}
		}
		wants := c.summarize || s.Summarize.V
		text, err := planned(ctx)
		return host.Question{Plan: text, Summarize: &wants, Facts: gate.Facts{Conversation: conversation}}, err
	})
}

// argsOf is the one given JSON object.
func (a *app) argsOf(ctx context.Context, c callFlags) (args jsontext.Value, err error) {
	if c.args == fromStdin {
		c.file = fromStdin
	}
	if c.file != "" {
		if c.args, err = a.readBounded(ctx, c.file, schema.PlanLimits.Bytes); err != nil {
			return nil, err
		}
	}
	return jsontext.Value(c.args), arguments(c.args)
}

// arguments reports an error unless text is one JSON object: anything else is a mistake on
// the command line. The gates check the content.
func arguments(text string) error {
	if err := schema.Check([]byte(text), schema.PlanLimits); err != nil {
		return cli.Usage(verdict.UsageArgument, "the arguments have %v", err)
	}
	if jsontext.Value(text).Kind() != '{' {
		return cli.Usage(verdict.UsageArgument, "the arguments are not a JSON object")
	}
	return nil
}

// argsFrom reads the arguments by the approved schema of the tool. It asks no server, even
// with --live: the input gate has not allowed the run yet.
func (a *app) argsFrom(ctx context.Context, h *setup.Ready, server, tool string, given tools.Arguments) (args jsontext.Value, err error) {
	read := func(c catalog.Catalog) (err error) {
		t, missing := c.Tool(server, tool)
		if missing != nil {
			args = given.Texts()
			return nil //nolint:nilerr // the gate refuses it, with the arguments as texts
		}
		if args, err = given.Typed(t.Input().Params()); err != nil {
			return err
		}
		return arguments(string(args))
	}
	if !a.Live {
		return args, read(h.Catalog(ctx, subject(), server))
	}
	d, err := a.desk()
	if err != nil {
		return nil, err
	}
	d.With.Live = false
	err = d.List(ctx, []string{server}, read)
	return args, err
}

// Prefixes of ids that no flag and no variable may give. They are for a process of ask wrap,
// which nothing else can name, and for the client that started it.
const (
	ofWrap   = "wrap-"
	ofClient = "client-"
)

// conversing is the given conversation, "" for the run alone.
func (a *app) conversing() (string, error) {
	id := a.conversation
	if id == "" {
		id, _ = a.Env("ASK_CONVERSATION")
	}
	if strings.HasPrefix(id, ofWrap) || strings.HasPrefix(id, ofClient) {
		return "", cli.Usage(verdict.UsageFlag, "a conversation's name cannot begin with %s or %s: ask wrap uses those", ofWrap, ofClient)
	}
	return id, nil
}

// clientProcess identifies the process that started this one, so that all servers that a
// client wraps share its labels. If the start time is not known, later processes with the
// same id share them too: a label then lasts too long, and never too short.
func clientProcess() string {
	pid := os.Getppid()
	return fmt.Sprintf("%s%d-%s", ofClient, pid, startOf(pid))
}
