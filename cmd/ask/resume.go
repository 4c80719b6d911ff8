package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/host/store"
)

func (a *app) quarantineReleaseCommand() *cobra.Command {
	return &cobra.Command{
		Use: "release RUN", Short: "Say that a withheld result may go on, in your name", Args: cli.Exactly(1, "release takes a run id"),
		Long: `release notes that you let a withheld result go on: that result, and the rules
that withheld it. Read it first with show. Nothing is shown or asked by this;
resume does that.`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.releaseWithheld(cmd.Context(), args[0]) },
	}
}

func (a *app) releaseWithheld(ctx context.Context, run string) error {
	return a.withState(func(s *store.Store) error {
		k, err := s.Release(ctx, run, subject())
		if err != nil {
			return err
		}
		row := rowOfKept(k)
		if a.JSON {
			a.Member("released", row)
			return nil
		}
		fmt.Fprintf(a.Out, "%s  %s\n", guard.Line(row.RunID, 128), guard.Line(row.state(), 160))
		a.Say("overruled: %s", guard.Line(strings.Join(row.Rules, " "), cli.MaxLine))
		a.Say("`ask resume %s` goes on with it", row.RunID)
		return nil
	})
}

func (a *app) quarantineKeepCommand() *cobra.Command {
	return &cobra.Command{
		Use: "keep RUN", Short: "Keep a withheld result that its run could not keep", Args: cli.Exactly(1, "keep takes a run id"),
		Long: `keep takes the withheld result of a run from its trace: of one that was killed as
it ended, or found no room to keep it. Every gate decides anew.`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.keepWithheld(cmd.Context(), args[0]) },
	}
}

func (a *app) keepWithheld(ctx context.Context, run string) error {
	s, _, err := a.Settings()
	if err != nil {
		return err
	}
	r, err := a.readTrace(run)
	if err != nil {
		return err
	}
	begin, err := replay.Begin(r.events, r.objects)
	if err != nil {
		return err
	}
	w, err := replay.Withheld(ctx, r.events, replay.Options{Types: typesOf(begin), Version: version, Objects: r.objects})
	if err != nil {
		return err
	}
	return a.withState(func(state *store.Store) error {
		k, err := state.Kept(ctx, w.RunID)
		if verdict.CodeOf(err) == verdict.StateMissing {
			if err = setup.Quarantine(s, state, time.Now).Keep(ctx, w); err == nil {
				k, err = state.Kept(ctx, w.RunID)
			}
		}
		if err == nil {
			a.sayKept(rowOfKept(k))
		}
		return err
	})
}

func (a *app) resumeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "resume RUN",
		Short: "Go on with the result of a run that was withheld and released",
		Long: `resume runs the recorded question again up to its call, takes the released result
for the answer, and goes on from there, on a trace of its own. It calls nothing
and asks no server: the call was made once.`,
		Example: "  ask quarantine release RUN_ID\n  ask resume RUN_ID",
		Args:    cli.Exactly(1, "resume takes a run id"),
		RunE:    func(cmd *cobra.Command, args []string) error { return a.resume(cmd.Context(), args[0]) },
	}
	a.saver.register(cmd)
	return cmd
}

func (a *app) resume(ctx context.Context, run string) error {
	s, _, err := a.Settings()
	if err != nil {
		return err
	}
	if err := a.saver.ready(); err != nil {
		return err
	}
	ctx, limit := withLimit(ctx, s.Timeout.V)
	defer limit.end()
	k, err := a.letGo(ctx, run)
	if err != nil {
		return err
	}
	r, err := a.readTrace(k.Run)
	if err != nil {
		return err
	}
	begin, err := replay.Begin(r.events, r.objects)
	if err != nil {
		return err
	}
	writer, err := setup.Writer(s, a.Options())
	if err != nil {
		return err
	}
	out, err := replay.Resume(ctx, r.events, replay.Resumption{
		Release: host.Release{Run: host.Run{ID: k.Run, Trace: k.Trace}, By: k.By, At: k.Released.UTC().Format(time.RFC3339), Rules: k.Rules},
		Answer:  k.Body, Writer: writer, Traces: host.TraceDir(s.TraceDir.V),
		Types: typesOf(begin), Version: version, Objects: r.objects,
	})
	if err != nil {
		return err
	}
	return a.show(out)
}

// letGo is a withheld result that a person released.
func (a *app) letGo(ctx context.Context, run string) (k store.Kept, err error) {
	err = a.withState(func(s *store.Store) error {
		k, err = s.Kept(ctx, run)
		if err == nil && k.By == "" {
			no := verdict.Deny(verdict.OutputQuarantined, "nobody has released the result of run %.80s: %s", run, strings.Join(k.Rules, ", "))
			no.Hint = "`ask quarantine show " + k.Run + "` shows it with everything escaped; `ask quarantine release " + k.Run + "` lets it go on"
			err = no
		}
		return err
	})
	return k, err
}
