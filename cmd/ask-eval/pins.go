package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/pins"
	"github.com/onestep-run/onestep/gate/verdict"
)

func (a *app) pinsCommand() *cobra.Command {
	var f suiteFlags
	var from pinFiles
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

With --steps, what servers listed before and after one change, with the tool that
somebody poisoned: where the review puts it, and how many decisions the step is.
With --first, single tools: which carry a cue before anyone approved them.

An attack that is not caught is named: exit 10.`,
		Example: `  ask eval pins
  ask eval pins --releases ../shared/data/tools-list-versions`,
		Args: cli.Exactly(0, "eval pins takes its cases with --cases FILE, --releases DIR, --steps FILE or --first FILE"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.measurePins(cmd.Context(), &f, from) },
	}
	f.register(cmd)
	cmd.Flags().Lookup("cases").Usage = "`FILE` of your own cases in place of those built in"
	cmd.Flags().StringVar(&from.releases, "releases", "", "`DIR` of listings, SERVER@VERSION.json, in place of cases")
	cmd.Flags().StringVar(&from.steps, "steps", "", "`FILE` of steps of servers, in place of cases")
	cmd.Flags().StringVar(&from.first, "first", "", "`FILE` of described tools, in place of cases")
	return cmd
}

// pinFiles are the files that replace cases.
type pinFiles struct{ releases, steps, first string }

func (a *app) measurePins(ctx context.Context, f *suiteFlags, from pinFiles) error {
	s, err := pinsSuite(f, from)
	if err != nil {
		return err
	}
	return a.measure(ctx, s, f, namedAfter(s.Name))
}

func pinsSuite(f *suiteFlags, from pinFiles) (eval.Suite, error) {
	given := slices.DeleteFunc([]string{f.cases, from.releases, from.steps, from.first}, func(file string) bool { return file == "" })
	switch {
	case len(given) > 1:
		return eval.Suite{}, cli.Usage(verdict.UsageFlag, "--cases, --releases, --steps and --first exclude each other")
	case from.releases != "":
		steps, err := pins.ReadReleases(from.releases)
		return pins.Releases(steps), err
	case from.steps != "":
		c, err := pins.ReadTurns(from.steps)
		return ofFile(pins.Turns(c.List), from.steps, c.Reading), err
	case from.first != "":
		c, err := pins.ReadDescribed(from.first)
		return ofFile(pins.First(c.List), from.first, c.Reading), err
	case f.cases == "":
		list, err := pins.Own()
		return pins.Suite(list, "built-in cases"), err
	}
	c, err := held(f, pins.Read)
	return ofFile(pins.Suite(c.List, "own cases"), f.cases, c.Reading), err
}

func ofFile(s eval.Suite, file string, reading eval.Reading) eval.Suite {
	s.File, s.Reading = file, reading
	return s
}
