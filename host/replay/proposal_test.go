package replay_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/planner/lexical"
	"github.com/onestep-run/onestep/trace"
)

// What the embedded planner proposed and suggested is computed again: a record that
// says otherwise does not follow. Of another version's planner it is taken from the
// record.
func TestAForgedSuggestionDoesNotFollow(t *testing.T) {
	t.Parallel()
	now, f, e := func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }, &file{}, &edges{listed: get, live: get}
	h, err := host.New(host.Config{Policy: policy(t, allowed), Source: e, Caller: e, Writer: e, Traces: f, Proposer: lexical.New(now), Planner: "embedded", Now: now})
	if err != nil {
		t.Fatal(err)
	}
	if out := h.Ask(t.Context(), host.Question{Text: "Can you get it, or not?"}); out.Exit() != 8 {
		t.Fatalf("%+v", out)
	}
	b := f.Bytes()
	if r := again(t, b, nil); len(r.Differences) != 0 || len(r.Outcome.Suggestions) == 0 {
		t.Fatalf("%+v, %+v", r.Differences, r.Outcome.Suggestions)
	}
	for name, edit := range map[string][2]string{
		"another argument":   {`"arguments":{`, `"arguments":{"id":666`},
		"another tool named": {`"suggestions":[`, `"excluded":"kb/put","suggestions":[`},
	} {
		forged := rewrite(t, b, func(e *trace.Event) {
			if e.Kind == trace.Proposal {
				e.Body = bytes.Replace(e.Body, []byte(edit[0]), []byte(edit[1]), 1)
			}
		})
		if bytes.Equal(forged, b) {
			t.Fatalf("%s: nothing was forged in %s", name, b)
		}
		if r := again(t, forged, nil); len(r.Differences) != 1 {
			t.Errorf("%s: %+v", name, r.Differences)
		}
		events, objects := read(t, forged)
		r, err := replay.Run(t.Context(), events, replay.Options{Types: demo.Types(), Version: "the next", Objects: objects})
		if err != nil || len(r.Differences) != 0 {
			t.Errorf("%s, of another version: %v, %+v", name, err, r.Differences)
		}
	}
}
