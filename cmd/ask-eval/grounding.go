package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/grounding"
)

func (a *app) groundingCommand() *cobra.Command {
	var f suiteFlags
	cmd := &cobra.Command{
		Use:   "grounding",
		Short: "Whether the evidence lock shows what a selection hangs on",
		Long: `grounding has a writer select a stretch of each case's result, and looks whether
the claim that is rendered shows every word that has to be visible. Without
--cases it takes the hand-written cases that come with the program; a file may
also hold rows of a corpus of claims, of which only text and evidence are used:
the evidence is selected, and its whole sentence has to be shown. No model is
asked.

Rates are given with 95 % Wilson intervals, by kind of result.`,
		Example: `  ask eval grounding
  ask eval grounding --cases ../shared/data/cases/grounding.jsonl`,
		Args: cli.Exactly(0, "eval grounding takes its cases with --cases FILE"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.measureGrounding(cmd.Context(), &f) },
	}
	f.register(cmd)
	return cmd
}

func (a *app) measureGrounding(ctx context.Context, f *suiteFlags) error {
	suite, err := groundingSuite(f)
	if err != nil {
		return err
	}
	return a.measure(ctx, suite, f, namedAfter("grounding"))
}

func groundingSuite(f *suiteFlags) (eval.Suite, error) {
	if f.cases == "" {
		cases, err := grounding.Own()
		suite := grounding.Suite(cases)
		suite.File = grounding.Embedded
		return suite, err
	}
	c, err := held(f, grounding.Read)
	suite := grounding.Suite(c.List)
	suite.File, suite.Reading = f.cases, c.Reading
	return suite, err
}
