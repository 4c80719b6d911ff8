package main

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/cmd/cli/show"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/desk/policy"
	"github.com/onestep-run/onestep/config/desk/runs"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/store"
)

func (a *app) listRules(context.Context, []string) error {
	return result(a, "rules", func(a *app, rules []scan.Rule) {
		for _, r := range rules {
			fmt.Fprintf(a.Out, "%-20s %-5s %s\n", r.ID, r.Tier, r.Why)
		}
	})(scan.BuiltIn(), nil)
}

func (a *app) explainRule(_ context.Context, args []string) error {
	r, known := scan.Explain(args[0])
	if !known {
		return cli.Usage(verdict.UsageArgument, "there is no rule %.64q; `ask guard list` lists them", args[0])
	}
	effect, suppressed := "marked, and left out of a summary", "by a server's setting suppress, with a reason"
	if r.Tier == scan.Hard {
		effect = "withheld, with the whole result"
	}
	if r.Core {
		suppressed = "by nothing"
	}
	return a.Result("rule", r, func() {
		fmt.Fprintf(a.Out, "%s (%s)\n  finds:      %s\n  such text is %s\n  leaves:     %s\n  suppressed: %s\n", r.ID, r.Tier, r.Why, effect, r.Leaves, suppressed)
	})
}

func (a *app) testGuard(cmd *cobra.Command) action {
	server := cmd.Flags().String("server", "", "the `NAME` of a server, whose suppressions then apply")
	kind := cmd.Flags().String("kind", "text", "`KIND` text, as of a result, or description")
	return func(ctx context.Context, args []string) error {
		if *kind != "text" && *kind != "description" {
			return cli.Usage(verdict.UsageFlag, "--kind is text or description, not %.40q", *kind)
		}
		d, err := a.desk()
		if err != nil {
			return err
		}
		text, err := a.readBounded(ctx, args[0], schema.ResultLimits.Bytes)
		if err != nil {
			return err
		}
		found, err := policy.At(d).Scan(args[0], text, *server, *kind)
		if err != nil {
			return err
		}
		if found.Report.Hard() {
			err = verdict.Fail(verdict.EvalFailed, nil, "a finding is hard: of a server, this would be withheld").
				WithHint("`ask guard explain RULE` shows what the rule is for, and whether a server's setting suppress can leave it out")
		}
		return a.ReportAnyway(cli.Object{"test", found, "error", host.FailureOf(err)}, err, func() { a.showTried(found) })
	}
}

func (a *app) showTried(t policy.ScanResult) {
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

func (a *app) purge(cmd *cobra.Command) action {
	const usage = "remove results withheld more than a `DURATION` ago, such as 90d or 12h"
	return a.onOld(cmd, usage, func(ctx context.Context, d desk.Desk, age time.Duration) error {
		return result(a, "dropped", (*app).printDropped)(runs.At(d).Purge(ctx, age))
	})
}

func (a *app) printReleased(k store.Kept) {
	a.Print("%s  %s", escape.Line(k.Run, 128), escape.Line(keptState(k), 160))
	a.Say("overruled: %s", escape.Line(strings.Join(k.Rules, " "), cli.MaxLine))
	a.Say("`ask resume %s` continues with it", k.Run)
}

func (a *app) printKept(k store.Kept) { a.printWithheld([]store.Kept{k}) }

func (a *app) printDropped(n int64) { a.Print("dropped %d", n) }

func keptState(k store.Kept) string {
	if k.By == "" {
		return "withheld"
	}
	return "released by " + k.By
}

func (a *app) printWithheld(all []store.Kept) {
	printTable(a, all, func(k store.Kept) []string {
		return []string{k.Run, k.Created.Format(time.RFC3339), k.Server + "/" + k.Tool, strings.Join(k.Rules, " "), fmt.Sprintf("%d bytes", k.Size), keptState(k)}
	})
}

// showWithheld escapes the result for JSON too: no program that reads the document may
// receive the original text.
func (a *app) showWithheld(ctx context.Context, d desk.Desk, args []string) error {
	k, err := runs.At(d).Kept(ctx, args[0])
	if err != nil {
		return err
	}
	escaped := escape.Text(string(k.Body), math.MaxInt)
	return a.Report(cli.Object{"withheld", k, "escaped", escaped}, nil, func() {
		a.Print("run        %s", k.Run)
		a.Print("trace      %s", k.Trace)
		a.Print("tool       %s/%s", k.Server, k.Tool)
		a.Print("rules      %s", strings.Join(k.Rules, " "))
		a.Print("created    %s", k.Created.Format(time.RFC3339))
		a.Print("state      %s", keptState(k))
		fmt.Fprintf(a.Out, "result     %s\n", show.Under(11, escape.Text(escaped, a.Out.Limit(cli.MaxShown))))
	})
}

func (a *app) resume(cmd *cobra.Command) action {
	a.saveFlag(cmd.Flags())
	return a.onDesk(func(ctx context.Context, d desk.Desk, args []string) error {
		if err := a.folder.Make(); err != nil {
			return err
		}
		ctx, limit := setup.WithLimit(ctx, d.Settings.Timeout.V)
		defer limit.End()
		out, err := runs.At(d).Resume(ctx, args[0])
		if err != nil {
			return err
		}
		return a.show(out)
	})
}
