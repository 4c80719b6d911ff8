package main

import (
	"cmp"
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/planner/lexical"
)

func (a *app) evalPlannerCommand() *cobra.Command {
	var cases, out string
	suite := &cobra.Command{
		Use:   "planner --cases FILE",
		Short: "How often a planner chooses the right tool and arguments, and declines rightly",
		Long: `planner asks the embedded planner for a plan of every case, and compares it with
what the case says is right. With --model it asks that model, once for every
case; a model that the configuration names is not asked. Nothing is approved
and no tool is called.

Rates are given with 95 % Wilson intervals, by source and by half: rows whose
id ends in a number with even tens, and with odd tens.`,
		Example: `  ask eval planner --cases ../shared/data/cases/planner.jsonl`,
		Args:    exactly(0, "eval planner takes its cases with --cases FILE"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.evalPlanner(cmd.Context(), cases, out)
		},
	}
	suite.Flags().StringVar(&cases, "cases", "", "`FILE` of cases, one JSON object a line")
	suite.Flags().StringVar(&out, "out", "eval/results", "`DIR` for the results")
	return suite
}

// plannerResults is the file in which the suite's results are kept.
const plannerResults = "planner_eval.json"

func (a *app) evalPlanner(ctx context.Context, file, out string) error {
	if file == "" {
		return usage(verdict.UsageArgument, "eval planner needs --cases FILE")
	}
	s, _, err := a.settings()
	if err != nil {
		return err
	}
	p, err := a.measuredPlanner(ctx, s)
	if err != nil {
		return err
	}
	cases, err := eval.ReadPlannerCases(file)
	if err != nil {
		return err
	}
	if err := eval.MakeDir(out); err != nil {
		return err
	}
	if a.flags.Timeout != "" { // the default is the limit of one question
		limited, cancel := context.WithTimeout(ctx, s.Timeout.V)
		defer cancel()
		ctx = limited
	}
	a.say("Measuring planner %s on %d cases.", p.name, len(cases))
	report, end := eval.MeasurePlanner(ctx, cases, p)
	report.Planner, report.File = p.name, file
	var path string
	if report.Measured > 0 { // an earlier result is worth more than nothing at all
		path, err = eval.Save(out, plannerResults, report)
	}
	if end == nil {
		end = err
	}
	return a.showPlannerFigures(report.PlannerFigures, path, end)
}

// measuredPlanner is the embedded planner, or the model that the command line
// itself names: a question for every case is not asked of a paid endpoint
// because a file once named it.
func (a *app) measuredPlanner(ctx context.Context, s config.Settings) (proposer, error) {
	if a.flags.Model == "" || a.flags.Model == embedded {
		return proposer{Proposer: lexical.New(eval.Noon), name: embedded}, nil
	}
	p, err := a.modelPlanner(ctx, s)
	if m, ok := p.Proposer.(planner.Model); ok {
		m.Today = eval.Noon().Format(time.DateOnly)
		p.Proposer = m
	}
	return p, err
}

// showPlannerFigures prints what was measured, also beside an error.
func (a *app) showPlannerFigures(f eval.PlannerFigures, path string, end error) error {
	if a.json {
		d := struct {
			eval.PlannerFigures
			Path  string        `json:"path,omitempty"` // of the results, row by row
			Error *host.Failure `json:"error,omitempty"`
		}{PlannerFigures: f, Path: path}
		if end != nil {
			d.Error = host.FailureOf(end)
		}
		a.document(d)
		return a.endWith(end)
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "source\thalf\trows\ttool right\tcall exact\tdeclined wrongly\tdeclined rightly")
	for _, g := range f.Groups {
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\t%s\n", guard.Line(cmp.Or(g.Source, "all sources"), 60), cmp.Or(g.Half, "both"),
			g.Rows, g.ToolRight, g.CallExact, g.DeclinedWrongly, g.DeclinedRightly)
	}
	w.Flush()
	for _, g := range f.Groups {
		if g.Half == "" && g.Unusable.Hits > 0 {
			a.say("%s: %d of %d answers were no plan", cmp.Or(g.Source, "all sources"), g.Unusable.Hits, g.Unusable.Of)
		}
	}
	if f.Excluded > 0 {
		a.say("%d tools of the cases cannot be called; the results say why.", f.Excluded)
	}
	if path != "" {
		a.say("Row by row: %s", path)
	}
	return end
}
