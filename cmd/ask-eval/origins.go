package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/eval/origins"
)

func (a *app) originsCommand() *cobra.Command {
	var f suiteFlags
	cmd := &cobra.Command{
		Use:   "origins",
		Short: "Whether the arguments of a client's calls are shown with their true source",
		Long: `origins traces the arguments of the calls of whole conversations to messages,
results of earlier calls and schemas. It counts right calls without a mark, wrong
arguments that are named with their true source, and arguments copied from an
injected result that are shown as from it. No server is started.

The built-in conversations are those that the rules were written with; --cases takes
yours.`,
		Example: `  ask eval origins`,
		Args:    cli.Exactly(0, "eval origins takes its cases with --cases FILE"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.measureOrigins(cmd.Context(), &f) },
	}
	f.register(cmd)
	cmd.Flags().Lookup("cases").Usage = "`FILE` of your own conversations in place of those built in"
	return cmd
}

func (a *app) measureOrigins(ctx context.Context, f *suiteFlags) error {
	if f.cases == "" {
		list, err := origins.Own()
		if err != nil {
			return err
		}
		return a.measure(ctx, origins.Suite(list), f, namedAfter("origins"))
	}
	c, err := held(f, origins.Read)
	if err != nil {
		return err
	}
	s := origins.Suite(c.List)
	s.File, s.Reading = f.cases, c.Reading
	return a.measure(ctx, s, f, namedAfter("origins"))
}
