package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
)

func (a *app) compareCommand() *cobra.Command {
	var tolerance float64
	var update bool
	cmd := &cobra.Command{
		Use:   "compare BEFORE AFTER",
		Short: "What became better or worse between two results of a suite",
		Long: `compare reads two metrics documents of one suite and lists the figures that
changed. A figure is a regression if it became worse, is gone, or has another
number of rows: exit 10. So is a result of other or unknown cases. Planner, rules
and allowlist may differ, because they are the subject of the comparison.`,
		Example: `  ask eval compare eval/baseline/offline_gate_eval.json eval/results/offline_gate_eval.json`,
		Args:    cli.Exactly(2, "compare takes two metrics documents: BEFORE and AFTER"),
		RunE: func(_ *cobra.Command, args []string) error {
			if update {
				return a.updateBaseline(args[0], args[1])
			}
			return a.compare(args[0], args[1], tolerance)
		},
	}
	cmd.Flags().BoolVar(&update, "update", false, "compare nothing: write the figures of AFTER, without its cases, to BEFORE")
	cmd.Flags().Float64Var(&tolerance, "tolerance", 0, "how far a rate may move without having changed, a `SHARE` between 0 and 1")
	return cmd
}

// updateBaseline keeps the figures that later ones are compared with.
func (a *app) updateBaseline(before, after string) error {
	r, err := eval.ReadReport(after)
	if err != nil {
		return err
	}
	if !r.Complete {
		return cli.Usage(verdict.UsageArgument, "%s holds a measurement that was not finished", after)
	}
	r.Latency, r.Extra = nil, nil // they depend on the machine, or are the cases
	if r.File != "" && !filepath.IsLocal(r.File) {
		r.File = filepath.Base(r.File) // its folder depends on the machine, too
	}
	path, err := eval.Save(filepath.Dir(before), filepath.Base(before), r)
	if err != nil {
		return err
	}
	a.Say("Kept: %s", path)
	return nil
}

func (a *app) compare(before, after string, tolerance float64) error {
	if !(tolerance >= 0 && tolerance < 1) { // false for NaN, too
		return cli.Usage(verdict.UsageArgument, "--tolerance is a share between 0 and 1")
	}
	old, err := eval.ReadReport(before)
	if err != nil {
		return err
	}
	now, err := eval.ReadReport(after)
	if err != nil {
		return err
	}
	c, err := eval.Compare(old, now, tolerance)
	if err != nil {
		return err
	}
	return a.showComparison(c)
}

func (a *app) showComparison(c eval.Comparison) error {
	if a.JSON {
		a.Document(c)
	} else {
		w := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
		for _, ch := range c.Changes {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s -> %s\n", ch.Was, escape.Line(ch.Name, cli.MaxLine),
				escape.Line(fmt.Sprintf("%s %s %s", ch.Agent, cmp.Or(ch.Group, "all"), ch.Half), cli.MaxLine), ch.Before.Counted(), ch.After.Counted())
		}
		w.Flush()
		for _, note := range slices.Concat(c.Other, c.Notes) {
			a.Say("%s", note)
		}
		a.Say("%s: %d figures the same, %d changed, %d regressions.", c.Suite, c.Same, len(c.Changes), c.Regressions)
	}
	if c.Failed() {
		return cli.Ended(verdict.EvalRegression.Entry().Exit)
	}
	return nil
}
