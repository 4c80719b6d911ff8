package replay_test

import (
	"bytes"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/trace"
)

// reported is the report of a replay as JSON.
func reported(t *testing.T, events []trace.Event, objects trace.Objects, m *replay.Memory) string {
	t.Helper()
	r, err := replay.Run(t.Context(), events, replay.Options{Types: demo.Types(), Version: "the next", Objects: objects, Memory: m})
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(r, json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Replays with one memory come to the reports of replays alone, and read each object once.
func TestAMemoryReadsEachObjectOnce(t *testing.T) {
	t.Parallel()
	var m replay.Memory
	reads := map[trace.Hash]int{}
	for range 3 {
		for file, b := range committed(t) {
			events, objects := read(t, b)
			counted := func(h trace.Hash) (jsontext.Value, error) {
				reads[h]++
				return objects(h)
			}
			if alone, is := reported(t, events, objects, nil), reported(t, events, counted, &m); is != alone {
				t.Errorf("%s: with a memory\n%s\nalone\n%s", file, is, alone)
			}
		}
	}
	if len(reads) < 3 {
		t.Errorf("%d objects were read", len(reads))
	}
	for h, n := range reads {
		if n != 1 {
			t.Errorf("object %s was read %d times", h, n)
		}
	}
}

// A descriptor that differs in one word from a remembered one is another descriptor.
func TestAMemoryGivesNoOtherDescriptor(t *testing.T) {
	t.Parallel()
	var m replay.Memory
	events, objects := read(t, committed(t)["called.jsonl"])
	was := reported(t, events, objects, &m)
	for i, e := range events {
		if e.Kind == trace.Listing {
			events[i].Body = withOtherWords(t, e, objects)
		}
	}
	is := reported(t, events, objects, &m)
	if is != reported(t, events, objects, nil) {
		t.Error("with a memory the edited listing comes to another report")
	}
	if is == was {
		t.Error("the edited listing comes to the report of the first")
	}
}

func withOtherWords(t *testing.T, e trace.Event, objects trace.Objects) jsontext.Value {
	t.Helper()
	var body trace.ListingBody
	if err := e.Decode(&body); err != nil {
		t.Fatal(err)
	}
	raws, err := body.ReadTools(objects)
	if err != nil {
		t.Fatal(err)
	}
	for i, raw := range raws {
		raws[i] = bytes.Replace(raw, []byte(`"description":"`), []byte(`"description":"Never `), 1)
	}
	body.Tools = trace.Tools(raws).Inline()
	b, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
