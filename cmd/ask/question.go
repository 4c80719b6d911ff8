package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// questionFlags are the flags of one question.
type questionFlags struct {
	contextFrom string
	summarize   bool
	explain     bool
}

func (q *questionFlags) register(f *cli.FlagSet) {
	f.StringVar(&q.contextFrom, "context-from", "", "read context from `FILE`, or from stdin with -")
	f.BoolVar(&q.summarize, "summarize", false, "summarize the result")
	f.BoolVar(&q.explain, "explain", false, "say how the embedded planner chose")
}

// saveFlag chooses a folder for what a result has besides text.
func (a *app) saveFlag(f *cli.FlagSet) {
	f.StringVar((*string)(&a.folder), "save", "", "write images and other attachments of the result to new files in `DIR`")
}

func (a *app) runCommand() *cobra.Command {
	q := &questionFlags{}
	return cli.Command{
		Use: `run "question"`, Short: "Ask one question", Takes: `run takes one question, in quotes`,
		Run: func(ctx context.Context, args []string) error { return a.ask(ctx, args[0], q) },
		Flags: func(f *cli.FlagSet) {
			q.register(f)
			a.saveFlag(f)
		},
	}.Cobra()
}

func (a *app) ask(ctx context.Context, text string, q *questionFlags) error {
	if text == fromStdin && q.contextFrom == fromStdin {
		return cli.Usage(verdict.UsageFlag, "the question and --context-from cannot both be read from stdin")
	}
	return a.answer(ctx, q.with(a), false, func(ctx context.Context, s config.Settings, _ *setup.Ready) (host.Question, error) {
		text, err := a.question(ctx, text)
		if err != nil {
			return host.Question{}, err
		}
		asked := host.Question{Text: text}
		if q.summarize || s.Summarize.V {
			asked.Summarize = new(true)
		}
		if q.contextFrom == "" {
			return asked, nil
		}
		asked.Context, err = a.readBounded(ctx, q.contextFrom, input.MaxContext)
		return asked, err
	})
}

// fromStdin is the argument that means the text on stdin.
const fromStdin = "-"

// question is the question as it was given, or as stdin has it, without the end
// of its last line.
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

// with has the embedded planner say how it chose, where that was asked for.
func (q *questionFlags) with(a *app) setup.Options {
	o := a.Options()
	if q.explain {
		o.Explain = a.explain
	}
	return o
}

// answer makes a host, reads the question, asks it, prints the outcome and then
// ends the servers: whoever asked does not wait for that. The time limit holds
// from before the reading. With unasked the call was approved as it was written out.
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
	if with.Approver, err = d.Approver(unasked, a.person(limit)); err != nil {
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
	a.first = unused(s.TraceDir.V)
	if a.first && h.Planner == setup.Embedded {
		a.Say("Planning with the embedded planner; --model PROVIDER/MODEL chooses a language model.")
	}
	for _, n := range h.Inventory.Notes {
		if !n.Out && slices.Contains(h.Inventory.Allowlist.Servers(), n.Server) {
			a.Say("%s", n)
		}
	}
	q, err := read(ctx, s, h)
	if err != nil {
		return errors.Join(err, h.Close())
	}
	q.Subject, q.DryRun = cmp.Or(q.Subject, subject()), a.DryRun
	end := a.converse(ctx, h, q, limit)
	d.End(h)
	return end
}

// unused reports whether a directory has no trace: a user who asks for the first
// time is shown who plans, and where the record is.
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

// readBounded reads a named file, or stdin for "-": the one place that reads
// stdin, and only when asked. One byte over the limit is kept, so that the
// input gate refuses the text for its length.
func (a *app) readBounded(ctx context.Context, path string, max int) (string, error) {
	r := a.In
	if path == fromStdin {
		a.In = strings.NewReader("") // nothing is left in it to answer a question with
	} else {
		f, err := os.Open(path)
		if err != nil {
			return "", verdict.Fail(verdict.UsageArgument, err, "%s: %v", path, errors.Unwrap(err))
		}
		defer f.Close()
		r = f
	}
	var b []byte
	var err error
	done := make(chan struct{})
	go func() { // a read cannot be told to stop; the process ends instead
		defer close(done)
		b, err = io.ReadAll(io.LimitReader(r, int64(max)+1))
	}()
	select {
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return "", verdict.Fail(verdict.RunTimeout, ctx.Err(), "%s did not end within the time for the run (timeout); no call left", path)
		}
		return "", verdict.Fail(verdict.CallInterrupted, ctx.Err(), "interrupted while reading %s", path)
	case <-done:
	}
	if err != nil {
		return "", verdict.Fail(verdict.UsageArgument, err, "%s cannot be read: %v", path, err)
	}
	return string(b), nil
}
