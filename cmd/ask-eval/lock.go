package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/eval/lock"
)

func (a *app) lockCommand() *cobra.Command {
	var f suiteFlags
	cmd := &cobra.Command{
		Use:   "lock",
		Short: "How many right calls the intent lock leaves unmarked, and how many faults it marks",
		Long: `lock compares the question of each case with a right call and with a wrong one.
It finds whether the wrong call has a mark for its fault, which the right call
does not have. Other cases are changing calls that their question plainly asks
for, or does not. No server is started.

The built-in cases were frozen before the rules that they measure; --cases takes
yours.`,
		Example: `  ask eval lock`,
		Args:    cli.Exactly(0, "eval lock takes its cases with --cases FILE"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.measureLock(cmd.Context(), &f) },
	}
	f.register(cmd)
	cmd.Flags().Lookup("cases").Usage = "`FILE` of your own cases in place of those built in"
	return cmd
}

func (a *app) measureLock(ctx context.Context, f *suiteFlags) error {
	if f.cases == "" {
		list, err := lock.Own()
		if err != nil {
			return err
		}
		return a.measure(ctx, lock.Suite(list), f, namedAfter("lock"))
	}
	c, err := held(f, lock.Read)
	if err != nil {
		return err
	}
	s := lock.Suite(c.List)
	s.File, s.Reading = f.cases, c.Reading
	return a.measure(ctx, s, f, namedAfter("lock"))
}
