package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/planning"
)

func (a *app) plannerCommand() *cobra.Command {
	var f suiteFlags
	cmd := &cobra.Command{
		Use:   "planner --cases FILE",
		Short: "How often a planner chooses the right tool and arguments, and declines rightly",
		Long: `planner asks the embedded planner for a plan of every case, and compares it with
what the case says is right. With --model it asks that model, once for every
case; a model that the configuration names is not asked. Nothing is approved
and no tool is called.

Rates are given with 95 % Wilson intervals, by source and by half: rows whose
id ends in a number with even tens, and with odd tens.`,
		Example: `  ask eval planner --cases ../shared/data/cases/planner.jsonl`,
		Args:    cli.Exactly(0, "eval planner takes its cases with --cases FILE"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.measurePlanner(cmd.Context(), &f) },
	}
	f.register(cmd)
	return cmd
}

func (a *app) measurePlanner(ctx context.Context, f *suiteFlags) error {
	if err := f.needCases("planner"); err != nil {
		return err
	}
	s, _, err := a.Settings()
	if err != nil {
		return err
	}
	p, err := a.measuredPlanner(s)
	if err != nil {
		return err
	}
	cases, err := planning.Read(f.cases)
	if err != nil {
		return err
	}
	suite := planning.Suite(cases, p.Name, p)
	suite.File = f.cases
	return a.measure(ctx, suite, f, namedAfter("planner"))
}

// measuredPlanner is the embedded planner, or the model that the command line
// itself names: a question for every case is not asked of a paid endpoint
// because a file once named it.
func (a *app) measuredPlanner(s config.Settings) (setup.Planner, error) {
	if s.Model.Origin.Kind != config.FromFlag {
		s.Model = config.Value[string]{V: setup.Embedded}
	}
	with := a.Options()
	with.Now = eval.Noon
	return setup.Choose(s, with)
}
