package replay_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/trace"
)

// The traces under testdata were written by the versions that had their format.
// None is ever written anew.
func committed(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/format*/*.jsonl")
	if err != nil || len(files) < 7 {
		t.Fatalf("%d traces, %v", len(files), err)
	}
	traces := map[string][]byte{}
	for _, file := range files {
		if traces[file], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	return traces
}

func read(t *testing.T, b []byte) []trace.Event {
	t.Helper()
	events, err := trace.Read(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return events
}

func TestTracesOfEveryFormatVerifyAndReplay(t *testing.T) {
	t.Parallel()
	for file, b := range committed(t) {
		r, err := replay.Run(t.Context(), read(t, b), replay.Options{Types: demo.Types(), Version: "the next"})
		if err != nil || len(r.Differences) > 0 || !r.Complete || !r.OtherVersion {
			t.Errorf("%s: %+v, other version %v, %v", file, r.Differences, r.OtherVersion, err)
		}
	}
}

// A changed argument, descriptor or answer has to show, or nothing was compared.
func TestAnEditedTraceOfAnOldFormatDiffers(t *testing.T) {
	t.Parallel()
	b := committed(t)["testdata/format1/context.jsonl"]
	events := read(t, b)
	for i, e := range events {
		if e.Kind == trace.Approval {
			events[i].Body = bytes.Replace(e.Body, []byte(`"from_context":["/ticket_id"],`), nil, 1)
			if bytes.Equal(events[i].Body, e.Body) {
				t.Fatalf("the approval is %s", e.Body)
			}
		}
	}
	r, err := replay.Run(t.Context(), events, replay.Options{Types: demo.Types()})
	if err != nil || len(r.Differences) != 1 || r.Differences[0].Gate != "approval" {
		t.Errorf("%+v, %v", r.Differences, err)
	}
}

func TestAVerdictOfOtherBuiltInRulesIsTakenFromTheRecord(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]verdict.Code{"refused": verdict.InputRule, "summarized": ""} {
		events := read(t, committed(t)["testdata/format1/"+name+".jsonl"])
		// As if its built-in rules were none of this version's.
		digest := `{\"builtin\":true,\"builtin_digest\":\"sha256:`
		at := bytes.Index(events[0].Body, []byte(digest))
		if at < 0 {
			t.Fatalf("%s: %.300s", name, events[0].Body)
		}
		copy(events[0].Body[at+len(digest):], strings.Repeat("0", 64))
		r, err := replay.Run(t.Context(), events, replay.Options{Types: demo.Types()})
		if err != nil || len(r.Differences) > 0 || len(r.NotRecomputed) != 1 || r.NotRecomputed[0] != "input" || !r.OtherVersion {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		if r.Outcome.Error != nil && r.Outcome.Error.Code != want || r.Outcome.Error == nil && want != "" {
			t.Errorf("%s ends with %+v, want %q", name, r.Outcome.Error, want)
		}
	}
}
