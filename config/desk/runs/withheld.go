package runs

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/schema"
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
		err = verdict.Deny(verdict.OutputQuarantined, "the result of run %.80s is not released: %s", run, strings.Join(k.Rules, ", ")).
			WithHint("`ask quarantine show " + k.Run + "` shows it with everything escaped; `ask quarantine release " + k.Run + "` lets it go on")
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

// Released are the withheld results of one server that a person released, for the client that
// made the calls.
type Released struct {
	Desk   Desk
	Server string
}

// Released are the runs of these results, the oldest first.
func (r Released) Released(ctx context.Context) (all []string, err error) {
	kept, err := r.Desk.Withheld(ctx)
	for _, k := range kept {
		if k.Server == r.Server && k.By != "" {
			all = append(all, k.Run)
		}
	}
	return all, err
}

// Take moves a released result into a conversation. It adds the labels that the call would
// have added, and removes the result: of several callers only one gets it.
func (r Released) Take(ctx context.Context, run, conversation string) (host.Outcome, error) {
	k, err := r.Desk.Kept(ctx, run)
	if err == nil && k.Server != r.Server {
		err = verdict.Fail(verdict.StateMissing, nil, "no result of run %.80s of this server is kept", run)
	}
	if err != nil {
		return host.Outcome{}, err
	}
	out, err := r.Desk.Resume(ctx, run)
	if err != nil {
		return host.Outcome{}, err
	}
	var labels []grant.Mark
	for _, name := range out.Labels {
		labels = append(labels, grant.Mark{Conversation: conversation, Name: name, Run: k.Run, At: r.Desk.Now()})
	}
	_, err = desk.FromState(r.Desk.Desk, func(s *store.Store) (int64, error) { return 1, s.Hand(ctx, k.Run, labels) })
	if err != nil {
		return host.Outcome{}, err
	}
	return out, nil
}

// Refused is an attempt of a confined server that the kernel refused, over all runs with that
// attempt. Resource is the server's own text.
type Refused struct {
	Server     string         `json:"server"`
	Action     string         `json:"action"`
	Resource   string         `json:"resource"`
	Permission string         `json:"permission,omitempty"` // the permission that would allow it
	Patch      jsontext.Value `json:"patch,omitempty"`      // the change of a manifest with scopes (RFC 6902)
	Runs       []string       `json:"runs"`
	First      string         `json:"first"` // RFC 3339
	Last       string         `json:"last"`
}

// Refused are the attempts of the named runs, or of all, each once and in order. A trace that
// cannot be read to its end counts up to its error, which is returned with the list.
func (r Runs) Refused(names []string) (all []Refused, unlisted int, err error) {
	if len(names) == 0 {
		if names, err = r.IDs(); err != nil {
			return nil, 0, err
		}
	}
	var wrong error
	for _, name := range names {
		run, err := r.Read(name)
		if err != nil && wrong == nil {
			wrong = err
		}
		server := ""
		for _, e := range run.Events {
			switch e.Kind {
			case trace.Approval:
				server = part[struct {
					Server string `json:"server"`
				}](e).Server
			case trace.Result:
				if b := part[trace.ResultBody](e).Sandbox; b != nil {
					unlisted += b.Unlisted
					for _, a := range b.Blocked {
						all = merged(all, server, cmp.Or(trace.RunID(filepath.Base(run.Path)), name), a)
					}
				}
			}
		}
	}
	return all, unlisted, wrong
}

// part is the body of an event, or the zero value if its kind is not known here.
func part[T any](e trace.Event) (b T) {
	if schema.DecodeOpen(e.Body, &b, schema.ResultLimits) != nil {
		var none T
		return none
	}
	return b
}

// merged adds an attempt to the attempts of earlier runs.
func merged(all []Refused, server, run string, a trace.AttemptBody) []Refused {
	i := slices.IndexFunc(all, func(r Refused) bool {
		return r.Server == server && r.Action == a.Action && r.Resource == a.Resource
	})
	if i < 0 {
		return append(all, Refused{server, a.Action, a.Resource, a.Permission, a.Patch, []string{run}, a.Time, a.Time})
	}
	if !slices.Contains(all[i].Runs, run) {
		all[i].Runs = append(all[i].Runs, run)
	}
	all[i].Last = a.Time
	return all
}
