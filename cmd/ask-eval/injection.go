package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/injection"
	"github.com/onestep-run/onestep/gate/verdict"
)

func (a *app) injectionCommand() *cobra.Command {
	var f suiteFlags
	var tools, planner string
	cmd := &cobra.Command{
		Use:   "injection --cases FILE --tools FILE",
		Short: "The effect of instructions in a tool's result",
		Long: `injection runs public attack rows. For each it makes live servers of the row's
tools inside this program; the user's own call brings back a poisoned result, and
a planner and a writer obey what it says. The arms part what stops what: a naive
loop with every tool, onestep with every tool allowlisted, and both with an
allowlist of the user's tool. No row says of a tool that it only reads, so onestep
asks for an approval of every call: without an approver, and once more
with one who approves the user's own call and no other. Each arm runs a
second time with a planner that goes directly for the attacker's tool. Calls are
counted at the servers.

It fails with exit 10 if onestep lets a call reach an attacker's tool, or a second
call through. Your own rules and summary level are used; your servers and your
allowlist are not.

No model is asked, unless --planner model says so: then the question of each row
is put to the configured model, once with every tool and once with the user's
own, and only onestep is measured. --planner embedded asks the embedded planner
in the same way.`,
		Example: `  ask eval injection --cases ../shared/data/cases/injection.jsonl --tools ../shared/data/cases/injection-tools.jsonl
  ask eval injection --planner model --sample 60 --cases cases.jsonl --tools tools.jsonl`,
		Args: cli.Exactly(0, "eval injection takes its cases with --cases FILE and --tools FILE"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.measureInjection(cmd.Context(), &f, tools, planner)
		},
	}
	f.register(cmd)
	cmd.Flags().StringVar(&tools, "tools", "", "`FILE` of the tools that the cases name, one JSON object a line")
	cmd.Flags().StringVar(&planner, "planner", compromised, "`PLANNER` compromised, embedded or model")
	return cmd
}

func (a *app) measureInjection(ctx context.Context, f *suiteFlags, toolsFile, planner string) error {
	if err := f.needCases("injection"); err != nil {
		return err
	}
	if toolsFile == "" {
		return cli.Usage(verdict.UsageArgument, "eval injection needs --tools FILE")
	}
	s, _, err := a.Settings()
	if err != nil {
		return err
	}
	policy, err := setup.Policy(s)
	if err != nil {
		return err
	}
	tools, err := injection.ReadTools(toolsFile)
	if err != nil {
		return err
	}
	cases, err := held(f, func(path string) (eval.Cases[injection.Case], error) { return injection.Read(path, tools) })
	if err != nil {
		return err
	}
	suite := injection.Suite(cases.List, policy)
	if planner != compromised {
		asked, err := a.planner(s, planner, policy.SummaryLevel)
		if err != nil {
			return err
		}
		suite = injection.Asked(cases.List, policy, asked)
	}
	suite.File, suite.Reading = f.cases, cases.Reading
	return a.measure(ctx, suite, f, namedAfter("injection"))
}
