package desk

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/secret"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/host/runs"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/trace"
)

// Withheld are the results that are withheld, or were released, the oldest first
// and without their bodies.
func (d Desk) Withheld(ctx context.Context) (all []store.Kept, err error) {
	err = d.withState(func(s *store.Store) error {
		all, err = s.AllKept(ctx)
		return err
	})
	return all, err
}

// Kept is the withheld result of a run, as a stranger wrote it.
func (d Desk) Kept(ctx context.Context, run string) (k store.Kept, err error) {
	err = d.withState(func(s *store.Store) error {
		k, err = s.Kept(ctx, run)
		return err
	})
	return k, err
}

// Release notes that the person lets a withheld result go on: that result, and
// the rules that withheld it. Nothing is shown or asked by it.
func (d Desk) Release(ctx context.Context, run string) (k store.Kept, err error) {
	err = d.withState(func(s *store.Store) error {
		k, err = s.Release(ctx, run, d.By)
		return err
	})
	return k, err
}

// Drop removes a withheld result for good.
func (d Desk) Drop(ctx context.Context, run string) error {
	return d.withState(func(s *store.Store) error { return s.Drop(ctx, run) })
}

// Purge removes what was withheld longer ago, and says how many those were.
func (d Desk) Purge(ctx context.Context, age time.Duration) (n int64, err error) {
	err = d.withState(func(s *store.Store) error {
		n, err = s.Purge(ctx, d.now().Add(-age))
		return err
	})
	return n, err
}

// Keep keeps the withheld result of a run that could not keep it: one that was
// killed as it ended, or found no room. It is taken from the trace, and every
// gate decides again.
func (d Desk) Keep(ctx context.Context, run string) (k store.Kept, err error) {
	r, err := d.Runs().Read(run)
	if err != nil {
		return k, err
	}
	w, err := replay.Withheld(ctx, r.Events, r.Replay(d.With.Version))
	if err != nil {
		return k, err
	}
	err = d.withState(func(state *store.Store) error {
		k, err = state.Kept(ctx, w.RunID)
		if verdict.CodeOf(err) == verdict.StateMissing {
			if err = setup.Quarantine(d.Settings, state, d.now).Keep(ctx, w); err == nil {
				k, err = state.Kept(ctx, w.RunID)
			}
		}
		return err
	})
	return k, err
}

// Resume runs the recorded question again up to its call, takes the released
// result for the answer, and goes on from there, on a trace of its own. It calls
// nothing and asks no server: the call was made once.
func (d Desk) Resume(ctx context.Context, run string) (host.Outcome, error) {
	k, err := d.Kept(ctx, run)
	if err == nil && k.By == "" {
		no := verdict.Deny(verdict.OutputQuarantined, "nobody has released the result of run %.80s: %s", run, strings.Join(k.Rules, ", "))
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

// ScanResult is what the built-in rules make of a text.
type ScanResult struct {
	Redactions []secret.Redaction `json:"redactions"`
	Report     scan.Report        `json:"report"`
}

// Scan redacts and scans the text of a file as if a server had answered it, or, of
// the kind description, said it of itself. A JSON object is taken for a whole
// answer of a tool, anything else for a text of one.
func (d Desk) Scan(file, text, server, kind string) (ScanResult, error) {
	policy, err := setup.Policy(d.Settings)
	if err != nil {
		return ScanResult{}, err
	}
	answer, err := answerOf(file, text)
	if err != nil {
		return ScanResult{}, err
	}
	answer, redactions, err := secret.RedactJSON(answer)
	if err != nil {
		return ScanResult{}, err
	}
	parts := gate.New(gate.Options{}).Parts(gate.RawResult{Body: answer})
	if kind != "text" {
		for i := range parts {
			parts[i].Kind = kind
		}
	}
	return ScanResult{append([]secret.Redaction{}, redactions...), policy.Guard.Scan(server, parts)}, nil
}

// answerOf is the answer of a server whose text is in a file: the file, where it is
// a JSON object, and else a text of it.
func answerOf(file, text string) ([]byte, error) {
	if !utf8.ValidString(text) {
		return nil, misused(verdict.UsageArgument, "%s is not UTF-8: no answer is", escape.Line(file, 2<<10))
	}
	if jsontext.Value(text).Kind() == '{' && schema.Check([]byte(text), schema.ResultLimits) == nil {
		return []byte(text), nil
	}
	block := map[string]string{"type": "text", "text": text}
	return json.Marshal(map[string]any{"content": []any{block}}, json.Deterministic(true))
}
