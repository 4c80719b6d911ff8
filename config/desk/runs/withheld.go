package runs

import (
	"context"
	"strings"
	"time"

	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/host/runs"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/trace"
)

// Withheld are the results that are withheld or were released, the oldest first, without
// their bodies.
func (d Desk) Withheld(ctx context.Context) ([]store.Kept, error) {
	return desk.FromState(d.Desk, func(s *store.Store) ([]store.Kept, error) { return s.AllKept(ctx) })
}

// Kept is the withheld result of a run, exactly as the server sent it.
func (d Desk) Kept(ctx context.Context, run string) (store.Kept, error) {
	return desk.FromState(d.Desk, func(s *store.Store) (store.Kept, error) { return s.Kept(ctx, run) })
}

// Release records that the person releases a withheld result: this result, despite the rules
// that withheld it. It shows and calls nothing.
func (d Desk) Release(ctx context.Context, run string) (store.Kept, error) {
	return desk.FromState(d.Desk, func(s *store.Store) (store.Kept, error) { return s.Release(ctx, run, d.By) })
}

// Drop removes a withheld result for good.
func (d Desk) Drop(ctx context.Context, run string) (int64, error) {
	return desk.FromState(d.Desk, func(s *store.Store) (int64, error) { return 1, s.Drop(ctx, run) })
}

// Purge removes results that were withheld before an age, and returns their number.
func (d Desk) Purge(ctx context.Context, age time.Duration) (int64, error) {
	return desk.FromState(d.Desk, func(s *store.Store) (int64, error) { return s.Purge(ctx, d.Now().Add(-age)) })
}

// Keep stores the withheld result of a run that could not store it. Such a run was killed at
// its end, or found no space. The result comes from the trace, and every gate decides again.
func (d Desk) Keep(ctx context.Context, run string) (k store.Kept, err error) {
	r, err := d.Runs().Read(run)
	if err != nil {
		return k, err
	}
	w, err := replay.Withheld(ctx, r.Events, r.Replay(d.With.Version))
	if err != nil {
		return k, err
	}
	return desk.FromState(d.Desk, func(state *store.Store) (store.Kept, error) {
		k, err := state.Kept(ctx, w.RunID)
		if verdict.CodeOf(err) == verdict.StateMissing {
			if err = setup.Quarantine(d.Settings, state, d.Now).Keep(ctx, w); err == nil {
				k, err = state.Kept(ctx, w.RunID)
			}
		}
		return k, err
	})
}

// Resume runs the recorded question again up to its call. It uses the released result as the
// answer, and continues from there, on a new trace. It calls nothing and asks no server: the
// call was already made.
func (d Desk) Resume(ctx context.Context, run string) (host.Outcome, error) {
	k, err := d.Kept(ctx, run)
	if err == nil && k.By == "" {
		no := verdict.Deny(verdict.OutputQuarantined, "the result of run %.80s is not released: %s", run, strings.Join(k.Rules, ", "))
		no.Hint = "`ask quarantine show " + k.Run + "` shows it with everything escaped; `ask quarantine release " + k.Run + "` lets it go on"
		err = no
	}
	if err != nil {
		return host.Outcome{}, err
	}
	r, err := d.Runs().Read(k.Run)
	if err != nil {
		return host.Outcome{}, err
	}
	writer, err := setup.Writer(d.Settings, d.With)
	if err != nil {
		return host.Outcome{}, err
	}
	with := r.Replay(d.With.Version)
	return replay.Resume(ctx, r.Events, replay.Resumption{
		Release: trace.ResumeBody{RunBody: trace.RunBody{RunID: k.Run, Trace: k.Trace}, By: k.By, At: k.Released.UTC().Format(time.RFC3339), Rules: k.Rules},
		Answer:  k.Body, Writer: writer, Traces: runs.Dir(d.Runs()),
		Types: with.Types, Version: with.Version, Objects: with.Objects,
	})
}
