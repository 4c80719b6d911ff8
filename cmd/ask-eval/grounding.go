package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/eval/grounding"
)

func (a *app) groundingCommand() *cobra.Command {
	var f suiteFlags
	cmd := &cobra.Command{
		Use:   "grounding --cases FILE",
		Short: "How many supported and unsupported claims the evidence lock accepts",
		Long: `grounding locks every claim to its evidence at each level: verbatim, strict and
facts. Then it makes claims of the sentences of the texts by leaving words out,
harmlessly and harmfully, and locks them too. No model is asked.

Rates are given with 95 % Wilson intervals, by source, by kind of edit and by
half: the rows whose text has a SHA-256 with an even first byte are for tuning
on, the others are held out. In the results stand the commonest reasons, and
what a threshold on shared words would let through instead.`,
		Example: `  ask eval grounding --cases ../shared/data/cases/grounding.jsonl`,
		Args:    cli.Exactly(0, "eval grounding takes its cases with --cases FILE"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.measureGrounding(cmd.Context(), &f) },
	}
	f.register(cmd)
	return cmd
}

func (a *app) measureGrounding(ctx context.Context, f *suiteFlags) error {
	if err := f.needCases("grounding"); err != nil {
		return err
	}
	cases, err := grounding.Read(f.cases)
	if err != nil {
		return err
	}
	suite := grounding.Suite(cases)
	suite.File = f.cases
	return a.measure(ctx, suite, f, namedAfter("grounding"))
}
