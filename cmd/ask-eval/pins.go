package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/pins"
	"github.com/onestep-run/onestep/gate/verdict"
)

func (a *app) pinsCommand() *cobra.Command {
	var f suiteFlags
	var releases string
	cmd := &cobra.Command{
		Use:   "pins",
		Short: "How changes of a server are classed, and how many a person decides on",
		Long: `pins compares what a server said with what it says later, as a review does. No
server is started. The built-in cases, or yours with --cases, are changes as an
attacker would make them, each to be called at least as dangerous as it is, and
harmless ones, each to be called at most so.

With --releases, what real servers listed at successive versions takes the place
of the cases: the differences of each step, and how many decisions they are for
a person, the same edit on several tools being one.

An attack that is not caught is named: exit 10.`,
		Example: `  ask eval pins
  ask eval pins --releases ../shared/data/tools-list-versions`,
		Args: cli.Exactly(0, "eval pins takes its cases with --cases FILE or --releases DIR"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.measurePins(cmd.Context(), &f, releases) },
	}
	f.register(cmd)
	cmd.Flags().Lookup("cases").Usage = "`FILE` of your own cases in place of those built in"
	cmd.Flags().StringVar(&releases, "releases", "", "`DIR` of listings, SERVER@VERSION.json, in place of cases")
	return cmd
}

func (a *app) measurePins(ctx context.Context, f *suiteFlags, releases string) error {
	s, err := pinsSuite(f, releases)
	if err != nil {
		return err
	}
	return a.measure(ctx, s, f, namedAfter(s.Name))
}

func pinsSuite(f *suiteFlags, releases string) (eval.Suite, error) {
	switch {
	case f.cases != "" && releases != "":
		return eval.Suite{}, cli.Usage(verdict.UsageFlag, "--cases and --releases exclude each other")
	case releases != "":
		steps, err := pins.ReadReleases(releases)
		return pins.Releases(steps), err
	case f.cases == "":
		list, err := pins.Own()
		return pins.Suite(list, "built-in cases"), err
	}
	c, err := held(f, pins.Read)
	s := pins.Suite(c.List, "own cases")
	s.File, s.Reading = f.cases, c.Reading
	return s, err
}
