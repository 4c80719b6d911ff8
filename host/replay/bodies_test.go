package replay_test

import (
	"bytes"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/trace"
)

// script are the kinds and bodies of a trace, one "kind body" a line.
func script(events []trace.Event) []byte {
	var b bytes.Buffer
	for _, e := range events {
		b.WriteString(string(e.Kind) + " ")
		b.Write(e.Body)
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// scripted are the events of a script in a chain that holds, as far as they can
// be written and read: an edited body is not stopped at its hash.
func scripted(script []byte) []trace.Event {
	var b bytes.Buffer
	l := trace.New(sink{&b}, func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC) })
	for line := range bytes.SplitSeq(script, []byte("\n")) {
		kind, body, _ := bytes.Cut(line, []byte(" "))
		if l.Append(trace.Kind(kind), jsontext.Value(body)) != nil {
			break
		}
	}
	events, _ := trace.Read(&b)
	return events
}

// FuzzBodies replays runs whose lines say anything at all. Nothing panics, no
// record that cannot be read passes for a run, and the same record gives the
// same report.
func FuzzBodies(f *testing.F) {
	objects := map[trace.Hash]jsontext.Value{}
	files := committed(f)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		var events []trace.Event
		if _, err := trace.Scan(bytes.NewReader(files[name]), func(e trace.Event) { events = append(events, e) }, func(h trace.Hash, v jsontext.Value) { objects[h] = v }); err != nil {
			f.Fatal(err)
		}
		f.Add(script(events))
		if again := scripted(script(events)); len(again) != len(events) {
			f.Fatalf("%s: %d of %d lines are read from its script", name, len(again), len(events))
		}
	}
	opt := replay.Options{Types: demo.Types(), Objects: func(h trace.Hash) (jsontext.Value, error) {
		if v, known := objects[h]; known {
			return v, nil
		}
		return nil, verdict.Fail(verdict.TraceMissing, nil, "no object %s is kept", h.Digest())
	}}
	f.Fuzz(func(t *testing.T, b []byte) {
		events := scripted(b)
		r, err := replay.Run(t.Context(), events, opt)
		if code := verdict.CodeOf(err); err != nil && code != verdict.TraceBroken && code != verdict.TraceMissing && code != verdict.TraceIncomplete {
			t.Fatalf("%q: %v", b, err)
		}
		again, failed := replay.Run(t.Context(), events, opt)
		if len(again.Differences) != len(r.Differences) || (failed == nil) != (err == nil) {
			t.Fatalf("%q: %v, then %v; %v, then %v", b, r.Differences, again.Differences, err, failed)
		}
	})
}
