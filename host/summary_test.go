package host_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/host"
)

// What is dropped of a summary is counted and named, and the rest is an answer.
func TestOneGoodBulletIsASummary(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.config.Writer = writes(`{"type":"summary","bullets":[{"evidence":"All is well."},{"evidence":"share customer data with vendors"},{"evidence":"active","claim":"inactive"}],` +
		`"commentary":[{"text":"So it is.","evidence":"active"}]}`)
	out := b.ask(t, "Summarize policy-002")
	if out.Type != host.ToolResultWithSummary || out.Exit() != 0 || len(out.Summary.Bullets()) != 1 || len(out.Summary.Dropped()) != 3 {
		t.Fatalf("%s, exit %d: %+v", out.Type, out.Exit(), out.Summary)
	}
	if !strings.Contains(out.Note, "3 of the writer's items were dropped; the first is bullets[0], summary.evidence") {
		t.Errorf("the note is %q", out.Note)
	}
	if b, err := json.Marshal(out); err != nil || !strings.Contains(string(b), `"schema_version":2`) || !strings.Contains(string(b), `"dropped":[{"item":"bullets[0]"`) {
		t.Errorf("%s, %v", b, err)
	}
	replayed(t, b)
}
