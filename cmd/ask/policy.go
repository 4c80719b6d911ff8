package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/desk/policy"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

func (a *app) policyCommand() *cobra.Command {
	var file string
	var since traceFilter
	inPlace := func(f *cli.FlagSet) {
		f.StringVar(&file, "rules", "", "a policy `FILE`, instead of the configured ones")
	}
	return cli.Group("policy", "Rules of calls: which are denied, asked for or allowed", cli.Commands(cli.Command{
		Use: "show", Short: "List the rules in force, and their files", Takes: "show takes nothing",
		Run: a.onDesk(func(_ context.Context, d desk.Desk, _ []string) error {
			p, err := policy.At(d).Policy("")
			if err != nil {
				return err
			}
			r := policy.ReportOf(p)
			return a.Result("policy", r, func() { a.printPolicy(r) })
		}),
	}, cli.Command{
		Use: "schema", Short: "Print the JSON Schema of the data that a rule can read", Takes: "schema takes nothing",
		Run: func(context.Context, []string) error {
			a.Document(rule.RecordSchema())
			return nil
		},
	}, a.validatePolicyCommand(inPlace, &file), a.explainPolicyCommand(), a.testPolicyCommand(inPlace, &file), a.tryCommand(inPlace, &file, &since))...)
}

func (a *app) validatePolicyCommand(inPlace func(*cli.FlagSet), file *string) cli.Command {
	return cli.Command{
		Use: "validate", Short: "Check every rule, against the approved tools too", Takes: "validate takes nothing but --rules",
		Long: `validate reads every condition, and names rules that match no allowlisted tool,
that never decide because another always comes first, or that name an argument
which a tool does not have: each call of that tool is denied, unless takes limits
the rule to tools that have it. No server is asked.`,
		Run: onServers(a.servers, func(ctx context.Context, s servers.Servers, _ []string) error {
			r, err := policy.Validate(ctx, s, *file)
			if !a.JSON {
				for _, p := range r.Problems {
					a.Say("problem: %s", p)
				}
				for _, w := range r.Warnings {
					a.Say("warning: %s", w)
				}
			}
			return a.Report(cli.Object{"policy", r, "error", host.FailureOf(err)}, err, func() {
				a.Print("%s in %s", verdict.Count(len(r.Rules), "rule"), verdict.Count(len(r.Files), "file"))
			})
		}),
		Flags: inPlace,
	}
}

func (a *app) explainPolicyCommand() cli.Command {
	var args string
	var q policy.Call
	return cli.Command{
		Use: "explain SERVER/TOOL|RUN", Short: "Show how the rules decide on a call, which matched, and which decided", Takes: "explain takes SERVER/TOOL, or a run",
		Long: `explain decides on a call of an approved tool as a run would, and calls nothing.
With --question the call is compared with its words; without it the call counts as
written out, as by ask call. Of a run it shows what its trace says.`,
		Example: `  ask policy explain tickets/close_ticket --args '{"ticket_id":"INC0010001"}'
  ask policy explain latest`,
		Run: onServers(a.servers, func(ctx context.Context, s servers.Servers, names []string) error {
			if !strings.Contains(names[0], "/") {
				return result(a, "decision", a.printExplained)(policy.At(s.Desk).ExplainRun(names[0]))
			}
			if err := arguments(args); err != nil {
				return err
			}
			q.Call, q.Args, q.Subject = names[0], jsontext.Value(args), cmp.Or(q.Subject, subject())
			return result(a, "decision", a.printExplained)(policy.Explain(ctx, s, q))
		}),
		Flags: func(f *cli.FlagSet) {
			f.StringVar(&args, "args", "{}", "the arguments, as one `JSON` object")
			f.StringVar(&q.Question, "question", "", "the `TEXT` that asks for the call")
			f.StringVar(&q.Subject, "subject", "", "the `NAME` of the asker, instead of yours")
			f.StringVar(&q.Conversation, "conversation", "", "the `ID` of the conversation of the call, with its labels and grants")
			f.StringVar(&q.Time, "time", "", "the `TIME` of the call, as RFC 3339, instead of now")
		},
	}
}

func (a *app) testPolicyCommand(inPlace func(*cli.FlagSet), file *string) cli.Command {
	return cli.Command{
		Use: "test", Short: "Run the tests of the policy files", Takes: "test takes nothing but --rules",
		Long: `test reads NAME.test.json next to each policy file NAME.json, and exits 10 if a
decision is not the expected one. docs/policy.md has the form.`,
		Run: onServers(a.servers, func(ctx context.Context, s servers.Servers, _ []string) error {
			all, err := policy.Test(ctx, s, *file)
			if a.JSON {
				return a.Report(cli.Object{"tests", all, "error", host.FailureOf(err)}, err, nil)
			}
			for _, t := range all {
				if !t.OK {
					a.Print("%s: %s is %s by %s, not %s%s", t.Test, t.Found.Call, cmp.Or(t.Found.Verdict, "not decided"), t.Found.By, t.Want, failed(t.Error))
				}
			}
			if err == nil {
				decisions := "decisions are"
				if len(all) == 1 {
					decisions = "decision is"
				}
				a.Print("%d %s as expected", len(all), decisions)
			}
			return err
		}),
		Flags: inPlace,
	}
}

func failed(f *host.Failure) string {
	if f == nil {
		return ""
	}
	return ": " + f.Message
}

func (a *app) tryCommand(inPlace func(*cli.FlagSet), file *string, since *traceFilter) cli.Command {
	return cli.Command{
		Use: "try [RULE]", Short: "Show which past calls a new rule, or a file of rules, would decide differently",
		Long: `try decides twice on every recorded call: under the current policy, and with one rule
added, or with the file of --rules instead. RULE is an effect and tools, or a rule as
JSON. Only traces and policy files are opened.`,
		Example: "  ask policy try 'deny tickets/close_*' --since 7d\n  ask policy try --rules new.json",
		Run: a.onDesk(func(ctx context.Context, d desk.Desk, words []string) error {
			more := strings.Join(words, " ")
			if (more == "") == (*file == "") {
				return cli.Usage(verdict.UsageArgument, "try takes a rule such as 'deny tickets/close_*', or a file with --rules")
			}
			from, err := sinceOf(since)
			if err != nil {
				return err
			}
			return result(a, "try", a.printTry)(policy.At(d).Try(ctx, from, *file, more, version))
		}),
		Flags: func(f *cli.FlagSet) {
			inPlace(f)
			f.StringVar(&since.since, "since", "", "only calls since a `TIME`: 2026-11-20, an RFC 3339 time, or 7d or 24h before now")
		},
	}
}

// sinceOf reads a time in the form of ask trace list, or a number of days.
func sinceOf(f *traceFilter) (time.Time, error) {
	if strings.HasSuffix(f.since, "d") {
		if age, err := parseAge(f.since); err == nil {
			return time.Now().Add(-age), nil
		}
	}
	return f.begins(time.Now())
}

func (a *app) printPolicy(r policy.Report) {
	if len(r.Files) == 0 {
		a.Print("no policy file: reads are allowed, and a person approves writes")
		return
	}
	var rows [][]string
	for _, one := range r.Rules {
		tools := strings.Join(one.Tools, " ")
		if len(one.Takes) > 0 {
			tools += " that take " + escape.Line(strings.Join(one.Takes, " "), cli.MaxLine)
		}
		rows = append(rows, []string{escape.Line(one.Rule, cli.MaxLine), one.Effect, tools, escape.Line(one.Why, cli.MaxLine)})
	}
	a.Table(rows)
	a.Print("%s of %s; times in %s", verdict.Count(len(r.Rules), "rule"), strings.Join(r.Files, ", "), r.Zone)
}

func (a *app) printExplained(e policy.Explained) {
	line := func(text string) string { return escape.Line(text, cli.MaxLine) } // a trace may be a stranger's
	a.Print("%s: %s, by %s", line(e.Call), line(e.Verdict), line(e.By))
	if e.Reason != "" {
		a.Print("  %s", line(e.Reason))
	}
	if e.Grant != nil {
		a.Print("  the grant %s of %s covers it: no approval is asked for", escape.Line(e.Grant.ID, 128), escape.Line(e.Grant.By, 128))
	}
	for _, s := range e.Spoke {
		a.Print("  %s (%s) %s", line(s.Rule), line(string(s.Effect)), line(cmp.Or(s.Error, s.Why)))
	}
}

func (a *app) printTry(t policy.Trial) {
	asked, opened := 0, 0
	for _, m := range t.Changed {
		switch {
		case m.Is == "ask" && m.Was == "allow":
			asked++
		case m.Is != "deny":
			opened++
		}
	}
	text := fmt.Sprintf("%d of %d calls would have been refused", t.Refused, t.Calls)
	if asked > 0 {
		text += fmt.Sprintf(", %d asked for", asked)
	}
	if opened > 0 {
		text += fmt.Sprintf(", %d made easier", opened)
	}
	a.Print("%s", text)
	var rows [][]string
	for _, m := range t.Changed {
		rows = append(rows, []string{"  " + escape.Line(m.RunID, 128), m.Time.Format(time.RFC3339), escape.Line(m.Tool, 300), m.Was + " → " + m.Is, escape.Line(m.By, 300)})
	}
	a.Table(rows)
	for _, r := range t.Idle {
		a.Print("  no call met %s", r)
	}
	if t.Unreadable > 0 {
		a.Say("%s could not be replayed: not counted", verdict.Count(t.Unreadable, "trace"))
	}
}
