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
		Args:  cli.Exactly(1, `run takes one question, in quotes`),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.ask(cmd.Context(), args[0], q)
		},
	}
	q.register(cmd)
	a.saver.register(cmd)
	return cmd
}

func (a *app) ask(ctx context.Context, text string, q *questionFlags) error {
	return a.answer(ctx, q.with(a), func(ctx context.Context, s config.Settings) (host.Question, error) {
		asked := host.Question{Text: text}
		if q.summarize || s.Summarize.V {
			asked.Summarize = host.Yes
		}
		if q.contextFrom == "" {
			return asked, nil
		}
		var err error
		asked.Context, err = a.readBounded(ctx, q.contextFrom, input.MaxContext)
		return asked, err
	})
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
// from before the reading.
func (a *app) answer(ctx context.Context, with setup.Options,
	read func(context.Context, config.Settings) (host.Question, error),
) error {
	s, _, err := a.Settings()
	if err != nil {
		return err
	}
	if with.Explain != nil && setup.NamesModel(s.Model.V) {
		return cli.Usage(verdict.UsageFlag, "--explain is for the embedded planner: a model does not say how it chose")
	}
	if err := a.saver.ready(); err != nil {
		return err
	}
	ctx, limit := withLimit(ctx, s.Timeout.V)
	defer limit.end()
	if err := a.attend(&with, s, limit); err != nil {
		return err
	}
	h, err := setup.Host(s, with)
	if err != nil {
		return err
	}
	if h.Planner == setup.Embedded {
		a.Say("Planning with the embedded planner; --model PROVIDER/MODEL chooses a language model.")
	}
	for _, n := range h.Inventory.Notes {
		if !n.Out && slices.Contains(h.Inventory.Allowlist.Servers(), n.Server) {
			a.Say("%s", n)
		}
	}
	q, err := read(ctx, s)
	if err != nil {
		return errors.Join(err, h.Close())
	}
	q.Subject, q.DryRun = cmp.Or(q.Subject, subject()), a.DryRun
	end := a.converse(ctx, h, q, limit)
	a.showStrays(h)
	if err := h.Close(); err != nil {
		a.Say("a server did not end cleanly: %v", err)
	}
	return end
}

// attend sees to who is asked: for an approval, and for a value that only a
// person has. The time of the run stands still meanwhile.
func (a *app) attend(with *setup.Options, s config.Settings, limit *limit) error {
	switch others := s.Approvers.V == "other"; {
	case others && with.Approver != nil:
		return verdict.Deny(verdict.ApprovalRefused, "approvers = \"other\": nobody approves a call of their own with --yes")
	case !others && with.Approver == nil:
		with.Approver = a.person(limit)
	}
	if ask := with.Ask; ask != nil {
		with.Ask = func(i config.Input) (string, error) {
			limit.pause()
			defer limit.resume()
			return ask(i)
		}
	}
	return nil
}

// readBounded reads a named file, or stdin for "-": the one place that reads
// stdin, and only when asked. One byte over the limit is kept, so that the
// input gate refuses the text for its length.
func (a *app) readBounded(ctx context.Context, path string, max int) (string, error) {
	r := a.In
	if path == "-" {
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
			return "", verdict.Fail(verdict.UsageArgument, ctx.Err(), "%s did not end within the time limit of the run", path)
		}
		return "", verdict.Fail(verdict.CallInterrupted, ctx.Err(), "interrupted while reading %s", path)
	case <-done:
	}
	if err != nil {
		return "", verdict.Fail(verdict.UsageArgument, err, "%s cannot be read: %v", path, err)
	}
	return string(b), nil
}
