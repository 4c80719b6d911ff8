package main

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/config"
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

func (q *questionFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&q.contextFrom, "context-from", "", "read context from `FILE`, or from stdin with -")
	cmd.Flags().BoolVar(&q.summarize, "summarize", false, "summarize the result")
	cmd.Flags().BoolVar(&q.explain, "explain", false, "say how the embedded planner chose")
}

func (a *app) runCommand() *cobra.Command {
	q := &questionFlags{}
	cmd := &cobra.Command{
		Use:   `run "question"`,
		Short: "Ask one question",
		Args:  exactly(1, `run takes one question, in quotes`),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.ask(cmd.Context(), args[0], q)
		},
	}
	q.register(cmd)
	return cmd
}

func (a *app) ask(ctx context.Context, text string, q *questionFlags) error {
	opts, err := a.questionOptions(q)
	if err != nil {
		return err
	}
	w, err := a.wire(func(s config.Settings) (proposer, error) { return a.planner(s, q.explain) })
	if err != nil {
		return err
	}
	return a.answer(ctx, w, text, opts)
}

// answer runs the question, ends the servers and prints the outcome.
func (a *app) answer(ctx context.Context, w *wired, text string, opts []host.Option) error {
	ctx, cancel := context.WithTimeout(ctx, w.settings.Timeout.V)
	defer cancel()
	if w.settings.Summarize.V {
		opts = append(opts, host.WithSummary())
	}
	out := w.host.Ask(ctx, text, opts...)
	if err := w.close(); err != nil {
		a.say("a server did not end cleanly: %v", err)
	}
	return a.show(out)
}

func (a *app) questionOptions(q *questionFlags) ([]host.Option, error) {
	var opts []host.Option
	if q.contextFrom != "" {
		text, err := a.readBounded(q.contextFrom, input.MaxContext)
		if err != nil {
			return nil, err
		}
		opts = append(opts, host.WithContext(text))
	}
	if q.summarize {
		opts = append(opts, host.WithSummary())
	}
	if a.dryRun {
		opts = append(opts, host.DryRun())
	}
	return opts, nil
}

// readBounded reads a named file, or stdin for "-": the one place that reads
// stdin, and only when asked. One byte over the limit is kept, so that the
// input gate refuses the text for its length.
func (a *app) readBounded(path string, max int) (string, error) {
	r := a.in
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return "", verdict.Fail(verdict.UsageArgument, err, "%s: %v", path, errors.Unwrap(err))
		}
		defer f.Close()
		r = f
	}
	b, err := io.ReadAll(io.LimitReader(r, int64(max)+1))
	if err != nil {
		return "", verdict.Fail(verdict.UsageArgument, err, "%s cannot be read: %v", path, err)
	}
	return string(b), nil
}
