package host_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/host/runs"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/summarize"
	"github.com/onestep-run/onestep/trace"
)

// deadly is a quarantine that ends the process before it keeps anything, or when
// it has.
type deadly struct {
	host.Quarantine
	late bool
}

func (d deadly) Keep(ctx context.Context, w host.Withheld) error {
	if d.late {
		if err := d.Quarantine.Keep(ctx, w); err != nil {
			return err
		}
	}
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		return err
	}
	if err := self.Kill(); err != nil {
		return err
	}
	select {}
}

// inState keeps results in a state, as config/setup has it.
type inState struct{ *store.Store }

func (s inState) Keep(ctx context.Context, w host.Withheld) error {
	return s.Store.Keep(ctx, store.Kept{Run: w.RunID, Trace: w.Trace, Server: w.Server, Tool: w.Tool, Rules: w.Rules, Body: w.Body, Created: w.Created})
}

// A process that is killed between the end of its trace and the row of its
// quarantine has lost nothing: the trace has all that the row would. The store's
// own tests kill it at every step of the writing.
func TestKilledBesideItsQuarantineARunLosesNothing(t *testing.T) {
	t.Parallel()
	if dir := os.Getenv("KILLED_IN"); dir != "" {
		b := judged(t, "read")
		b.config.Traces = runs.Dir(dir)
		b.config.Quarantine = deadly{inState{store.At(filepath.Join(dir, "state.db"), time.Now)}, os.Getenv("KILLED") == "late"}
		t.Fatalf("it lives on: %+v", b.ask(t, "Summarize who I am there").Error)
	}
	for _, at := range []string{"early", "late"} {
		dir := t.TempDir()
		child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
		child.Env = append(os.Environ(), "KILLED_IN="+dir, "KILLED="+at)
		if out, err := child.CombinedOutput(); err == nil || child.ProcessState.Exited() {
			t.Fatalf("%s: it was not killed: %v, %s", at, err, out)
		}
		events, objects := onlyTrace(t, dir)
		w, err := replay.Withheld(t.Context(), events, replay.Options{Objects: objects})
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		state := store.At(filepath.Join(dir, "state.db"), time.Now)
		k, err := state.Kept(t.Context(), w.RunID)
		switch {
		case at == "early" && verdict.CodeOf(err) != verdict.StateMissing:
			t.Errorf("it was kept: %v", err)
		case at == "late" && (err != nil || k.Trace != w.Trace || k.Tool != w.Tool || string(k.Body) != string(w.Body)):
			t.Errorf("kept: %+v, on the trace: %+v, %v", k, w, err)
		}
		out, err := replay.Resume(t.Context(), events, replay.Resumption{Release: released(w), Answer: w.Body, Writer: summarize.Extractive{}, Traces: &disk{}, Objects: objects})
		if err != nil || out.Type != host.ToolResultWithSummary {
			t.Errorf("%s: %s %+v, %v", at, out.Type, out.Error, err)
		}
		if err := state.Close(); err != nil {
			t.Error(err)
		}
	}
}

// onlyTrace reads the one trace in a folder, which is whole.
func onlyTrace(t *testing.T, dir string) ([]trace.Event, trace.Objects) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%q, %v", found, err)
	}
	f, err := os.Open(found[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	events, err := trace.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return events, func(h trace.Hash) (jsontext.Value, error) { return runs.Dir(dir).Object(h) }
}

func TestWhatNoRunWithheldIsNotOnItsTrace(t *testing.T) {
	t.Parallel()
	b := answering(t, asText, text("fine"))
	b.ask(t, "Who am I there?")
	events := b.events(t)
	if w, err := replay.Withheld(t.Context(), events, replay.Options{Objects: b.disk.object}); verdict.CodeOf(err) != verdict.TraceDiffers {
		t.Errorf("%+v, %v", w, err)
	}
	b = judged(t, "read")
	w, events := withheld(t, b, "Who am I there?")
	got, err := replay.Withheld(t.Context(), events, replay.Options{Objects: b.disk.object})
	if err != nil || got.Trace != w.Trace || string(got.Body) != string(w.Body) || got.RunID != w.RunID || len(got.Rules) != 1 {
		t.Errorf("%+v, want %+v, %v", got, w, err)
	}
	if _, err := replay.Withheld(t.Context(), events[:len(events)-1], replay.Options{Objects: b.disk.object}); verdict.CodeOf(err) != verdict.TraceDiffers {
		t.Errorf("without its end: %v", err)
	}
}

// An outcome names what can be released, and nothing else.
func TestAnOutcomeNamesNoRowThatIsNotThere(t *testing.T) {
	t.Parallel()
	out := answering(t, asText, text(hidden)).ask(t, "Who am I there?")
	if out.Type != host.Blocked || out.Guard.Withheld != "" || out.Error.Hint == verdict.OutputQuarantined.Entry().Remedy {
		t.Errorf("%s", documentOf(t, out))
	}
}
