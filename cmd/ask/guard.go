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
		Use: "test FILE", Short: "Scan a text as if a server had sent it", Takes: "test takes one FILE, or - for stdin",
		Long: `test redacts and scans a file with the built-in rules, as every result and every
description is. A JSON object is read as a tool's whole answer, anything else as
one text. Nothing is started or saved.

It exits 10 on a hard finding: from a server, such a text would be withheld.`,
		Run: func(ctx context.Context, args []string) error { return a.testGuard(ctx, args[0], server, kind) },
		Flags: func(f *cli.FlagSet) {
			f.StringVar(&server, "server", "", "the `NAME` of a server, whose suppressions then apply")
			f.StringVar(&kind, "kind", "text", "`KIND` text, as of a result, or description")
		},
	}, cli.Command{
		Use: "explain ID", Short: "Show what a rule is for, and what it does not find", Takes: "explain takes the ID of one rule", Run: a.explainRule,
	})...)
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
	found, err := policy.At(d).Scan(file, text, server, kind)
	if err != nil {
		return err
	}
	if found.Report.Hard() {
		hard := verdict.Fail(verdict.EvalFailed, nil, "a finding is hard: of a server, this would be withheld")
		hard.Hint = "`ask guard explain RULE` shows what the rule is for, and whether a server's setting suppress can leave it out"
		err = hard
	}
	if !a.JSON {
		a.showTried(found)
		return err
	}
	a.Document(cli.Object{"test", found, "error", host.FailureOf(err)})
	return a.EndWith(err)
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

func (a *app) quarantineCommand() *cobra.Command {
	var old olderThan
	return cli.Group("quarantine", "Results that are withheld because they seem to address a model", cli.Commands(cli.Command{
		Use: "list", Short: "List the withheld results, oldest first", Takes: "list takes nothing",
		Run: a.onDesk(func(ctx context.Context, d desk.Desk, _ []string) error {
			return result(a, "quarantine", a.printWithheld)(runs.At(d).Withheld(ctx))
		}),
	}, cli.Command{
		Use: "show RUN", Short: "Show a withheld result to a person, with everything escaped", Takes: "show takes a run id",
		Long: `show prints a withheld result. It is untrusted text: read it as evidence,
and do not give it to a model.`,
		Run: a.onDesk(a.showWithheld),
	}, cli.Command{
		Use: "release RUN", Short: "Release a withheld result, in your name", Takes: "release takes a run id",
		Long: `release notes that you let a withheld result go on: that result, and the rules
that withheld it. Read it first with show. Nothing is shown or asked by this;
resume does that.`,
		Run: ofRun(a, "released", runs.At, runs.Desk.Release, func(k store.Kept) {
			a.Print("%s  %s", escape.Line(k.Run, 128), escape.Line(keptState(k), 160))
			a.Say("overruled: %s", escape.Line(strings.Join(k.Rules, " "), cli.MaxLine))
			a.Say("`ask resume %s` continues with it", k.Run)
		}),
	}, cli.Command{
		Use: "keep RUN", Short: "Save a withheld result that its run could not save", Takes: "keep takes a run id",
		Long: `keep takes the withheld result of a run from its trace, if the run was killed or had
no room to save it. Every gate decides again.`,
		Run: ofRun(a, "kept", runs.At, runs.Desk.Keep, func(k store.Kept) { a.printWithheld([]store.Kept{k}) }),
	}, cli.Command{
		Use: "drop RUN", Short: "Remove a withheld result for good", Takes: "drop takes a run id",
		Run: a.onDesk(func(ctx context.Context, d desk.Desk, args []string) error {
			return a.showDropped(runs.At(d).Drop(ctx, args[0]))
		}),
	}, cli.Command{
		Use: "purge --older-than DURATION", Short: "Remove old withheld results for good", Takes: "purge takes nothing but flags",
		Run: func(ctx context.Context, args []string) error {
			age, err := old.age()
			if err != nil {
				return err
			}
			return a.onDesk(func(ctx context.Context, d desk.Desk, _ []string) error {
				return a.showDropped(runs.At(d).Purge(ctx, age))
			})(ctx, args)
		},
		Flags: func(f *cli.FlagSet) {
			old.Apply(f, "remove results withheld more than a `DURATION` ago, such as 90d or 12h")
		},
	})...)
}

func keptState(k store.Kept) string {
	if k.By == "" {
		return "withheld"
	}
	return "released by " + k.By
}

func (a *app) printWithheld(all []store.Kept) {
	var rows [][]string
	for _, k := range all {
		rows = append(rows, []string{k.Run, k.Created.Format(time.RFC3339), k.Server + "/" + k.Tool, strings.Join(k.Rules, " "), fmt.Sprintf("%d bytes", k.Size), keptState(k)})
	}
	a.Table(rows)
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

func (a *app) showDropped(n int64, err error) error {
	return result(a, "dropped", func(n int64) { a.Print("dropped %d", n) })(n, err)
}

func (a *app) resumeCommand() *cobra.Command {
	return cli.Command{
		Use:   "resume RUN",
		Short: "Continue a run whose withheld result was released",
		Long: `resume runs the recorded question again up to its call, takes the released result
for the answer, and continues from there, in a new trace. It calls nothing
and asks no server: the call was made once.`,
		Example: "  ask quarantine release RUN_ID\n  ask resume RUN_ID",
		Takes:   "resume takes a run id",
		Run: a.onDesk(func(ctx context.Context, d desk.Desk, args []string) error {
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
		}),
		Flags: a.saveFlag,
	}.Cobra()
}
