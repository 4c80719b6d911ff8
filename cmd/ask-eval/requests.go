package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/eval/requests"
)

func (a *app) requestsCommand() *cobra.Command {
	var f suiteFlags
	cmd := &cobra.Command{
		Use:   "requests --cases FILE",
		Short: "How many unsafe requests the input rules refuse, and how many safe ones they block",
		Long: `requests puts every request to the input gate, under the rules for questions: the
built-in ones and those of the configuration. It asks no planner and starts no
server. The results say how often each rule decided.

Rates are given with 95 % Wilson intervals, by category and by half. A row is for
tuning rules if the SHA-256 of its id has an even first byte; the others are held
out.`,
		Example: `  ask eval requests --cases ../shared/data/cases/requests.jsonl`,
		Args:    cli.Exactly(0, "eval requests takes its cases with --cases FILE"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.measureRequests(cmd.Context(), &f) },
	}
	f.register(cmd)
	return cmd
}

func (a *app) measureRequests(ctx context.Context, f *suiteFlags) error {
	if err := f.needCases("requests"); err != nil {
		return err
	}
	s, _, err := a.Settings()
	if err != nil {
		return err
	}
	rules, err := config.LoadRules(s.Rules)
	if err != nil {
		return err
	}
	cases, err := held(f, requests.Read)
	if err != nil {
		return err
	}
	subject := "built-in rules"
	if n := len(s.Rules); n > 0 {
		subject = fmt.Sprintf("rules of %d file(s)", n) // the files may exclude the built-in rules
	}
	suite := requests.Suite(cases.List, subject, rules)
	suite.File, suite.Reading = f.cases, cases.Reading
	return a.measure(ctx, suite, f, namedAfter("requests"))
}
