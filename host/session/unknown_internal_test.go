package session

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/verdict"
)

// TestWhatIsUnknownOfACallDependsOnItsTool: a tool that only reads has no effect to find out.
func TestWhatIsUnknownOfACallDependsOnItsTool(t *testing.T) {
	t.Parallel()
	const find = "check at the server whether it took effect; do not just repeat it"
	for _, c := range []struct {
		effect   catalog.Effect
		why      verdict.Code
		hint     string
		code     verdict.Code
		wantHint string
	}{
		{catalog.Effect{}, verdict.ServerClosed, "", verdict.CallOutcomeUnknown, find},
		{catalog.Effect{}, verdict.ServerTooLarge, "raise it", verdict.CallOutcomeUnknown, find + "; raise it"},
		{catalog.Effect{}, verdict.RunTimeout, "raise it", verdict.RunTimeout, find + "; raise it"},
		{catalog.Effect{Reads: true}, verdict.ServerClosed, "", verdict.CallOutcomeUnknown, "the allowlist says that the tool only reads: ask again"},
		{catalog.Effect{Reads: true}, verdict.ServerTooLarge, "raise it", verdict.CallOutcomeUnknown, "raise it"},
		{catalog.Effect{Reads: true}, verdict.RunTimeout, "raise it", verdict.RunTimeout, "raise it"},
	} {
		got := unknown(c.effect, "the call left", verdict.Fail(c.why, nil, "so it is"), c.hint)
		got.Cause = nil
		want := &verdict.Fault{Code: c.code, Reason: "the call left: so it is", Hint: c.wantHint}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("reads %v, %s (-want +got):\n%s", c.effect.Reads, c.why, diff)
		}
	}
}
