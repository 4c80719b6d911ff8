package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/scan"
	"github.com/onestep-run/onestep/gate/verdict"
)

func (a *app) scanCommand() *cobra.Command {
	var f suiteFlags
	var results, listings string
	cmd := &cobra.Command{
		Use:   "scan",
		Short: "How many injections the scan finds, and what it finds in honest texts",
		Long: `scan puts texts before the rules that every result and every description meets.
No server is started and no model is asked. The built-in cases, or yours with
--cases, are injections and honest texts that talk about instructions and tools. They were
written before the rules. A row may also be a whole result, which is summarized,
too, or a tool, every text of which is scanned.

With --results, the poisoned and the clean results of the rows of ask eval
injection take the place of the cases; with --listings, every text that real
servers list of their tools.

Rates are given with 95 % Wilson intervals, by group and by half: honest texts
are halved by their ids and poisoned results by what was injected, and the rules
were tuned on one half.`,
		Example: `  ask eval scan
  ask eval scan --results ../shared/data/cases/injection.jsonl
  ask eval scan --listings ../shared/data/tools-list`,
		Args: cli.Exactly(0, "eval scan takes its cases with --cases FILE, --results FILE or --listings DIR"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.measureScan(cmd.Context(), &f, results, listings) },
	}
	f.register(cmd)
	cmd.Flags().Lookup("cases").Usage = "`FILE` of your own cases in place of those built in"
	cmd.Flags().StringVar(&results, "results", "", "`FILE` of rows of ask eval injection, in place of cases")
	cmd.Flags().StringVar(&listings, "listings", "", "`DIR` of servers' listings, SERVER.json, in place of cases")
	return cmd
}

func (a *app) measureScan(ctx context.Context, f *suiteFlags, results, listings string) error {
	s, err := scanSuite(f, results, listings)
	if err != nil {
		return err
	}
	return a.measure(ctx, s, f, namedAfter(s.Name))
}

func scanSuite(f *suiteFlags, results, listings string) (eval.Suite, error) {
	switch {
	case (f.cases != "" || results != "") && listings != "", f.cases != "" && results != "":
		return eval.Suite{}, cli.Usage(verdict.UsageFlag, "--cases, --results and --listings exclude each other")
	case listings != "":
		list, err := scan.ReadDescriptions(listings)
		s := scan.Suite("scan_listings", list)
		s.File = listings
		return s, err
	case results != "":
		f.cases = results
		c, err := held(f, scan.ReadResults)
		return scanned("scan_results", results, c), err
	case f.cases != "":
		c, err := held(f, scan.Read)
		return scanned("scan", f.cases, c), err
	}
	list, err := scan.Own()
	return scan.Suite("scan", list), err
}

func scanned(name, file string, c eval.Cases[scan.Case]) eval.Suite {
	s := scan.Suite(name, c.List)
	s.File, s.Reading = file, c.Reading
	return s
}
