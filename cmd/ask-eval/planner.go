package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/planning"
	"github.com/onestep-run/onestep/gate/verdict"
)

func (a *app) plannerCommand() *cobra.Command {
	var f plannerFlags
	cmd := &cobra.Command{
		Use:   "planner --cases FILE",
		Short: "How many of the calls that a planner proposes are wrong, and how often it declines",
		Long: `planner asks the embedded planner for a plan of every case, and compares it with
what the case says is right. With --model it asks that model, once for every
case; a model that the configuration names is not asked. Nothing is approved
and no tool is called.

Rates are given with 95 % Wilson intervals, by source and by half: rows are
parted by a hash of their id, and the authors of the embedded planner read the
open half only.

Whether a tool reads is what the row says, in its allowlist or as the tool's
"effect", or else the tool's own readOnlyHint. One without any of these counts
as --unhinted says.`,
		Example: `  ask eval planner --cases ../shared/data/cases/planner.jsonl`,
		Args:    cli.Exactly(0, "eval planner takes its cases with --cases FILE"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.measurePlanner(cmd.Context(), &f) },
	}
	f.register(cmd)
	cmd.Flags().StringVar(&f.now, "now", "", "the `TIME` of the planner's clock, as 2023-10-20 (noon, UTC) or in RFC 3339, for cases of another day than 2026-11-21")
	cmd.Flags().StringVar(&f.unhinted, "unhinted", "", "`EFFECT` of tools whose effect no case gives, read or write (default: write, or read where the cases give no effect at all)")
	return cmd
}

// plannerFlags are the flags of this suite.
type plannerFlags struct {
	suiteFlags
	now, unhinted string
}

// clock returns the planner's clock.
func (f *plannerFlags) clock() (func() time.Time, error) {
	if f.now == "" {
		return eval.Noon, nil
	}
	at, err := time.Parse(time.RFC3339, f.now)
	if err != nil {
		if at, err = time.Parse(time.DateOnly, f.now); err != nil {
			return nil, cli.Usage(verdict.UsageFlag, "--now is a date such as 2023-10-20, or a time in RFC 3339, not %.60q", f.now)
		}
		at = at.Add(12 * time.Hour)
	}
	return func() time.Time { return at }, nil
}

func (f *plannerFlags) readCases() (cases eval.Cases[planning.Case], err error) {
	as := map[string]planning.Unhinted{"read": planning.Reading, "write": planning.Writing}
	unhinted, known := as[f.unhinted]
	if f.unhinted != "" && !known {
		return cases, cli.Usage(verdict.UsageFlag, "--unhinted is read or write, not %.60q", f.unhinted)
	}
	cases, err = held(&f.suiteFlags, planning.Read)
	if known {
		cases.List = planning.CallUnhinted(cases.List, unhinted)
	}
	return cases, err
}

func (a *app) measurePlanner(ctx context.Context, f *plannerFlags) error {
	if err := f.needCases("planner"); err != nil {
		return err
	}
	s, _, err := a.Settings()
	if err != nil {
		return err
	}
	now, err := f.clock()
	if err != nil {
		return err
	}
	p, err := a.measuredPlanner(s, now)
	if err != nil {
		return err
	}
	cases, err := f.readCases()
	if err != nil {
		return err
	}
	suite := planning.Suite(cases.List, p.Name, p)
	suite.File, suite.Reading = f.cases, cases.Reading
	if f.now != "" {
		suite.Policy = eval.Digest(p.Name, now())
		suite.Finish = noted(suite.Finish, "The planner is told that it is "+now().Format(time.RFC3339)+".")
	}
	return a.measure(ctx, suite, &f.suiteFlags, namedAfter("planner"))
}

// noted puts a note before a suite's other notes.
func noted(finish func(*eval.Report) error, note string) func(*eval.Report) error {
	return func(r *eval.Report) error {
		r.Notes = append(r.Notes, note)
		return finish(r)
	}
}

// measuredPlanner returns the embedded planner, or the model that the command line
// itself names. A model named only in a file could be a paid endpoint, and the suite
// would ask it for every case.
func (a *app) measuredPlanner(s config.Settings, now func() time.Time) (setup.Planner, error) {
	if s.Model.Origin.Kind != config.FromFlag {
		s.Model = config.Value[string]{V: setup.Embedded}
	}
	with := a.Options()
	with.Now = now
	return setup.Choose(s, with)
}
