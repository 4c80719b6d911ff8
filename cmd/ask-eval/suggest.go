package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/planning"
)

func (a *app) suggestCommand() *cobra.Command {
	var f suggestFlags
	cmd := &cobra.Command{
		Use:   "suggest --cases FILE [--tools FILE]",
		Short: "How often a planner proposes or suggests the right tool and the right call",
		Long: `suggest asks the embedded planner for a plan of every case, and looks at the calls
that it suggests where it declines. Nothing is approved and no tool is called.

With --tools the cases share the tools of that file; without it they are cases of
"ask eval planner". Rates are given with 95 % Wilson intervals, by kind of question.`,
		Example: `  ask eval suggest --cases eval/cases/asks.jsonl --tools eval/cases/asks-tools.json`,
		Args:    cli.Exactly(0, "eval suggest takes its cases with --cases FILE"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.measureSuggestions(cmd.Context(), &f) },
	}
	f.register(cmd)
	cmd.Flags().StringVar(&f.tools, "tools", "", "`FILE` of the tools and the allowlist that all cases have")
	return cmd
}

// suggestFlags are the flags of this suite.
type suggestFlags struct {
	suiteFlags
	tools string
}

func (f *suggestFlags) readAsks(path string) (eval.Cases[planning.Ask], error) {
	if f.tools != "" {
		return planning.ReadAsks(path, f.tools)
	}
	cases, err := planning.Read(path)
	return planning.FromCases(cases), err
}

func (a *app) measureSuggestions(ctx context.Context, f *suggestFlags) error {
	if err := f.needCases("suggest"); err != nil {
		return err
	}
	s, _, err := a.Settings()
	if err != nil {
		return err
	}
	p, err := a.measuredPlanner(s, eval.Noon)
	if err != nil {
		return err
	}
	cases, err := held(&f.suiteFlags, f.readAsks)
	if err != nil {
		return err
	}
	suite := planning.SuggestSuite(cases.List, p.Name, p)
	suite.File, suite.Reading = f.cases, cases.Reading
	return a.measure(ctx, suite, &f.suiteFlags, namedAfter("suggest"))
}
