package trust_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/artifact"
	"github.com/onestep-run/onestep/host/trust"
)

// TestAQuestionsGlanceKeepsNothingAndStartsNoOtherProgram: only a person who asks
// for a review has another one started.
func TestAQuestionsGlanceKeepsNothingAndStartsNoOtherProgram(t *testing.T) {
	t.Parallel()
	k := keeper(t)
	kb := &server{tools: []string{tool("get", "gets")}, runs: artifact.Artifact{Kind: "program", Name: "kb", Integrity: "sha256:1"}}
	if r, err := k.Preview(t.Context(), kb.subject("get")); err != nil || r.Digest == "" {
		t.Fatalf("of a server that nobody approved it shows %+v, %v", r, err)
	}
	approve(t, k, kb, "get")
	kb.tools[0] = tool("get", "gets more")
	if _, err := k.Refresh(t.Context(), kb.subject("get"), pin.Accept{}); err != nil {
		t.Fatal(err)
	}
	kb.tools[0] = tool("get", "gets")
	if _, err := k.Preview(t.Context(), kb.subject("get")); err != nil {
		t.Fatal(err)
	}
	want(t, "held back, whatever a question sees", catalogOf(t, k, kb, "get"), "get pin.changed")
	kb.runs.Integrity = "sha256:2"
	if _, err := k.Preview(t.Context(), kb.subject("get")); verdict.CodeOf(err) != verdict.PinChanged || kb.lists != 0 {
		t.Errorf("another program was started %d times: %v", kb.lists, err)
	}
	if look(t, k, kb, "get"); kb.lists != 3 {
		t.Errorf("a review lists it %d times", kb.lists)
	}
}

// TestWhatIsTooLongToBeReadIsNotApproved: a review shows all that it approves, so
// there is an end to it.
func TestWhatIsTooLongToBeReadIsNotApproved(t *testing.T) {
	t.Parallel()
	k, long := keeper(t), strings.Repeat("x ", 65<<10)
	for name, kb := range map[string]*server{
		"a description": {tools: []string{tool("get", long)}},
		"instructions":  {tools: []string{tool("get", "gets")}, told: long},
	} {
		for _, p := range look(t, k, kb, "get").Parts {
			if p.State != trust.Unreadable || p.Open() || p.Why == "" {
				t.Errorf("%s: %s %s %q", name, p.State, p.Digest, p.Why)
			}
		}
	}
}
