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
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/store"
)

func (a *app) quarantineCommand() *cobra.Command {
	var olderThan string
	return cli.Group("quarantine", "The results that are withheld, because a scanner found what talks to a model", cli.Commands(cli.Command{
		Use: "list", Short: "List the withheld results, the oldest first", Takes: "list takes nothing",
		Run: a.onDesk(func(ctx context.Context, d desk.Desk, _ []string) error {
			all, err := d.Withheld(ctx)
			if err != nil {
				return err
			}
			return a.Result("quarantine", all, func() { a.printWithheld(all...) })
		}),
	}, cli.Command{
		Use: "show RUN", Short: "Show a withheld result to a person, with everything escaped", Takes: "show takes a run id",
		Long: `show prints what a scanner withheld. It is a stranger's text: read it as evidence,
and do not hand it to a model.`,
		Run: a.onDesk(a.showWithheld),
	}, cli.Command{
		Use: "release RUN", Short: "Say that a withheld result may go on, in your name", Takes: "release takes a run id",
		Long: `release notes that you let a withheld result go on: that result, and the rules
that withheld it. Read it first with show. Nothing is shown or asked by this;
resume does that.`,
		Run: ofRun(a, "released", desk.Desk.Release, func(k store.Kept) {
			a.Print("%s  %s", escape.Line(k.Run, 128), escape.Line(keptState(k), 160))
			a.Say("overruled: %s", escape.Line(strings.Join(k.Rules, " "), cli.MaxLine))
			a.Say("`ask resume %s` goes on with it", k.Run)
		}),
	}, cli.Command{
		Use: "keep RUN", Short: "Keep a withheld result that its run could not keep", Takes: "keep takes a run id",
		Long: `keep takes the withheld result of a run from its trace: of one that was killed as
it ended, or found no room to keep it. Every gate decides anew.`,
		Run: ofRun(a, "kept", desk.Desk.Keep, func(k store.Kept) { a.printWithheld(k) }),
	}, cli.Command{
		Use: "drop RUN", Short: "Remove a withheld result for good", Takes: "drop takes a run id",
		Run: a.onDesk(func(ctx context.Context, d desk.Desk, args []string) error {
			return a.showDropped(1, d.Drop(ctx, args[0]))
		}),
	}, cli.Command{
		Use: "purge --older-than DURATION", Short: "Remove old withheld results for good", Takes: "purge takes nothing but flags",
		Run: func(ctx context.Context, args []string) error {
			age, err := parseAge(olderThan)
			if err != nil {
				return err
			}
			return a.onDesk(func(ctx context.Context, d desk.Desk, _ []string) error { return a.showDropped(d.Purge(ctx, age)) })(ctx, args)
		},
		Flags: func(f *cli.FlagSet) {
			f.StringVar(&olderThan, "older-than", "", "remove what was withheld more than a `DURATION` ago, such as 90d or 12h")
		},
	})...)
}

func keptState(k store.Kept) string {
	if k.By == "" {
		return "withheld"
	}
	return "released by " + k.By
}

func (a *app) printWithheld(all ...store.Kept) {
	var rows [][]string
	for _, k := range all {
		rows = append(rows, []string{k.Run, k.Created.Format(time.RFC3339), k.Server + "/" + k.Tool, strings.Join(k.Rules, " "), fmt.Sprintf("%d bytes", k.Size), keptState(k)})
	}
	a.Table(rows)
}

// showWithheld escapes the result for JSON too: nothing that reads the document may
// meet it as it is.
func (a *app) showWithheld(ctx context.Context, d desk.Desk, args []string) error {
	k, err := d.Kept(ctx, args[0])
	if err != nil {
		return err
	}
	escaped := escape.Text(string(k.Body), math.MaxInt)
	if a.JSON {
		a.Document(struct {
			SchemaVersion int        `json:"schema_version"`
			Withheld      store.Kept `json:"withheld"`
			Escaped       string     `json:"escaped"`
		}{host.SchemaVersion, k, escaped})
		return nil
	}
	a.Print("run        %s", k.Run)
	a.Print("trace      %s", k.Trace)
	a.Print("tool       %s/%s", k.Server, k.Tool)
	a.Print("rules      %s", strings.Join(k.Rules, " "))
	a.Print("created    %s", k.Created.Format(time.RFC3339))
	a.Print("state      %s", keptState(k))
	fmt.Fprintf(a.Out, "result     %s\n", show.Under(11, escape.Text(escaped, a.Out.Limit(cli.MaxShown))))
	return nil
}

func (a *app) showDropped(n int64, err error) error {
	if err != nil {
		return err
	}
	return a.Result("dropped", n, func() { a.Print("dropped %d", n) })
}

func (a *app) resumeCommand() *cobra.Command {
	return cli.Command{
		Use:   "resume RUN",
		Short: "Go on with the result of a run that was withheld and released",
		Long: `resume runs the recorded question again up to its call, takes the released result
for the answer, and goes on from there, on a trace of its own. It calls nothing
and asks no server: the call was made once.`,
		Example: "  ask quarantine release RUN_ID\n  ask resume RUN_ID",
		Takes:   "resume takes a run id",
		Run: a.onDesk(func(ctx context.Context, d desk.Desk, args []string) error {
			if err := a.folder.Make(); err != nil {
				return err
			}
			ctx, limit := setup.WithLimit(ctx, d.Settings.Timeout.V)
			defer limit.End()
			out, err := d.Resume(ctx, args[0])
			if err != nil {
				return err
			}
			return a.show(out)
		}),
		Flags: a.saveFlag,
	}.Cobra()
}
