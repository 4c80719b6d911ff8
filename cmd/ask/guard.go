package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

func (a *app) guardCommand() *cobra.Command {
	var server, kind string
	return cli.Group("guard", "List and try the rules by which servers' texts are scanned", cli.Commands(cli.Command{
		Use: "list", Short: "List the rules", Takes: "list takes nothing",
		Run: func(context.Context, []string) error {
			rules := scan.BuiltIn()
			return a.Result("rules", rules, func() {
				for _, r := range rules {
					fmt.Fprintf(a.Out, "%-20s %-5s %s\n", r.ID, r.Tier, r.Why)
				}
			})
		},
	}, cli.Command{
		Use: "test FILE", Short: "Scan a text as if a server had said it", Takes: "test takes one FILE, or - for stdin",
		Long: `test redacts and scans a file by the built-in rules, as every result and every
description is. A JSON object is taken for a whole answer of a tool, anything else
for a text of one. Nothing is started and nothing is kept.

It ends with exit 10 where something hard is found: of a server, that would be
withheld.`,
		Run: func(ctx context.Context, args []string) error { return a.testGuard(ctx, args[0], server, kind) },
		Flags: func(f *cli.FlagSet) {
			f.StringVar(&server, "server", "", "the `NAME` of a server, whose suppressions then hold")
			f.StringVar(&kind, "kind", "text", "`KIND` text, as of a result, or description")
		},
	}, cli.Command{
		Use: "explain ID", Short: "Say what a rule is for, and what it leaves open", Takes: "explain takes the ID of one rule", Run: a.explainRule,
	})...)
}

func (a *app) explainRule(_ context.Context, args []string) error {
	r, known := scan.Explain(args[0])
	if !known {
		return cli.Usage(verdict.UsageArgument, "there is no rule %.64q; `ask guard list` lists them", args[0])
	}
	if a.JSON {
		a.Member("rule", r)
		return nil
	}
	effect, suppressed := "marked, and left out of a summary", "by a server's setting suppress, with a reason"
	if r.Tier == scan.Hard {
		effect = "withheld, with the result that holds it"
	}
	if r.Core {
		suppressed = "by nothing"
	}
	fmt.Fprintf(a.Out, "%s (%s)\n  finds:      %s\n  such text is %s\n  leaves:     %s\n  suppressed: %s\n", r.ID, r.Tier, r.Why, effect, r.Leaves, suppressed)
	return nil
}

func (a *app) testGuard(ctx context.Context, file, server, kind string) error {
	if kind != "text" && kind != "description" {
		return cli.Usage(verdict.UsageFlag, "--kind is text or description, not %.40q", kind)
	}
	d, err := a.desk()
	if err != nil {
		return err
	}
	text, err := a.readBounded(ctx, file, schema.ResultLimits.Bytes)
	if err != nil {
		return err
	}
	found, err := d.Scan(file, text, server, kind)
	if err != nil {
		return err
	}
	var failure *host.Failure
	if found.Report.Hard() {
		hard := verdict.Fail(verdict.EvalFailed, nil, "a finding is hard: of a server, this would be withheld")
		hard.Hint = "`ask guard explain RULE` says what the rule is for, and whether a server's setting suppress can leave it out"
		err, failure = hard, host.FailureOf(hard)
	}
	if a.JSON {
		a.Document(struct {
			SchemaVersion int             `json:"schema_version"`
			Test          desk.ScanResult `json:"test"`
			Error         *host.Failure   `json:"error,omitempty"`
		}{host.SchemaVersion, found, failure})
		return a.EndWith(err)
	}
	a.showTried(found)
	return err
}

func (a *app) showTried(t desk.ScanResult) {
	for _, r := range t.Redactions {
		fmt.Fprintf(a.Out, "redacted    %d of the kind %s\n", r.Count, r.Kind)
	}
	for _, f := range t.Report.Findings {
		fmt.Fprintf(a.Out, "%-11s %s at %s, byte %d\n          | %s\n            %s\n", f.Tier, f.Rule, escape.Line(f.Where, cli.MaxLine), f.Start, f.Excerpt, f.Why)
	}
	if n := t.Report.Unlisted; n > 0 {
		fmt.Fprintf(a.Out, "            and %d more\n", n)
	}
	for _, e := range t.Report.Ledger {
		fmt.Fprintf(a.Out, "%-11s %d texts, %d bytes\n", e.State, e.Parts, e.Bytes)
	}
}
