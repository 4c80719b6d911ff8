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

// rulesFlag names a file of rules.
func rulesFlag(cmd *cobra.Command) *string {
	return cmd.Flags().String("rules", "", "a policy `FILE`, instead of the configured ones")
}

func (a *app) showPolicy(_ context.Context, d desk.Desk, _ []string) error {
	r, err := policy.At(d).Report()
	if err != nil {
		return err
	}
	return result(a, "policy", (*app).printPolicy)(r, nil)
}

func (a *app) printPolicySchema(context.Context, []string) error {
	a.Document(rule.RecordSchema())
	return nil
}

func (a *app) validatePolicy(cmd *cobra.Command) action {
	file := rulesFlag(cmd)
	return a.onServers((*app).servers, func(ctx context.Context, s servers.Servers, _ []string) error {
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
	})
}

func (a *app) explainPolicy(cmd *cobra.Command) action {
	var q policy.Call
	f := cmd.Flags()
	args := f.String("args", "{}", "the arguments, as one `JSON` object")
	f.StringVar(&q.Question, "question", "", "the `TEXT` that asks for the call")
	f.StringVar(&q.Subject, "subject", "", "the `NAME` of the asker, instead of yours")
	f.StringVar(&q.Conversation, "conversation", "", "the `ID` of the conversation of the call, with its labels and grants")
	f.StringVar(&q.Time, "time", "", "the `TIME` of the call, as RFC 3339, instead of now")
	return a.onServers((*app).servers, func(ctx context.Context, s servers.Servers, names []string) error {
		explained := result(a, "decision", (*app).printExplained)
		if !strings.Contains(names[0], "/") {
			return explained(policy.At(s.Desk).ExplainRun(names[0]))
		}
		if err := arguments(*args); err != nil {
			return err
		}
		q.Call, q.Args, q.Subject = names[0], jsontext.Value(*args), cmp.Or(q.Subject, subject())
		return explained(policy.Explain(ctx, s, q))
	})
}

func (a *app) testPolicy(cmd *cobra.Command) action {
	file := rulesFlag(cmd)
	return a.onServers((*app).servers, func(ctx context.Context, s servers.Servers, _ []string) error {
		all, err := policy.Test(ctx, s, *file)
		return a.ReportAnyway(cli.Object{"tests", all, "error", host.FailureOf(err)}, err, func() {
			for _, t := range all {
				if !t.OK {
					a.Print("%s: %s is %s by %s, not %s%s", t.Test, t.Found.Call, cmp.Or(t.Found.Verdict, "not decided"), t.Found.By, t.Want, failed(t.Error))
				}
			}
			switch {
			case err != nil:
			case len(all) == 1:
				a.Print("1 decision is as expected")
			default:
				a.Print("%d decisions are as expected", len(all))
			}
		})
	})
}

func failed(f *host.Failure) string {
	if f == nil {
		return ""
	}
	return ": " + f.Message
}

func (a *app) tryPolicy(cmd *cobra.Command) action {
	file := rulesFlag(cmd)
	since := cmd.Flags().String("since", "", "only calls since a `TIME`: 2026-11-20, an RFC 3339 time, or 7d or 24h before now")
	return a.onDesk(func(ctx context.Context, d desk.Desk, words []string) error {
		more := strings.Join(words, " ")
		if (more == "") == (*file == "") {
			return cli.Usage(verdict.UsageArgument, "try takes a rule such as 'deny tickets/close_*', or a file with --rules")
		}
		from, err := sinceOf(*since)
		if err != nil {
			return err
		}
		return result(a, "try", (*app).printTry)(policy.At(d).Try(ctx, from, *file, more, version))
	})
}

// sinceOf reads a time in the form of ask trace list, or a number of days.
func sinceOf(text string) (time.Time, error) {
	if strings.HasSuffix(text, "d") {
		if age, err := parseAge(text); err == nil {
			return time.Now().Add(-age), nil
		}
	}
	return begins(text, time.Now())
}

func (a *app) printPolicy(r policy.Report) {
	for _, p := range r.Points {
		a.Print("%s", p)
	}
	if len(r.Files) == 0 {
		a.Print("no policy file: reads are allowed, and a person approves writes")
		return
	}
	printTable(a, r.Rules, func(one policy.Rule) []string {
		tools := strings.Join(one.Tools, " ")
		if len(one.Takes) > 0 {
			tools += " that take " + escape.Line(strings.Join(one.Takes, " "), cli.MaxLine)
		}
		return []string{escape.Line(one.Rule, cli.MaxLine), one.Effect, tools, escape.Line(one.Why, cli.MaxLine)}
	})
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
	printTable(a, t.Changed, func(m policy.Move) []string {
		return []string{"  " + escape.Line(m.RunID, 128), m.Time.Format(time.RFC3339), escape.Line(m.Tool, 300), m.Was + " → " + m.Is, escape.Line(m.By, 300)}
	})
	for _, r := range t.Idle {
		a.Print("  no call met %s", r)
	}
	if t.Unreadable > 0 {
		a.Say("%s could not be replayed: not counted", verdict.Count(t.Unreadable, "trace"))
	}
}
