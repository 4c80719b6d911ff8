package trust_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/trust"
)

// digestOf is the digest of one tool's part of a review.
func digestOf(t *testing.T, r trust.Review, tool string, state trust.State) string {
	t.Helper()
	for _, p := range r.Parts {
		if p.Tool == tool && p.State == state && p.Digest != "" {
			return p.Digest
		}
	}
	t.Fatalf("%q is not %s: %+v", tool, state, r.Parts)
	return ""
}

// decided is what a decision by one digest comes to.
func decided(t *testing.T, k *trust.Keeper, r trust.Review, digest string) (trust.Decided, verdict.Code) {
	t.Helper()
	of, err := k.Decide(t.Context(), r, trust.Choice{By: "ada", How: "digest", Digests: []string{digest}})
	return of, verdict.CodeOf(err)
}

// A server that lists a tool, and then does not, has one descriptor of it. Who
// approved the tool has not agreed to its removal, and who agreed to that has
// not approved the tool.
func TestTheDigestOfARemovalIsNotThatOfAnApproval(t *testing.T) {
	t.Parallel()
	both, one := []string{tool("get", "gets"), tool("put", "puts")}, []string{tool("put", "puts")}
	k, kb := keeper(t), &server{tools: both}
	approval := digestOf(t, look(t, k, kb, "get", "put"), "get", trust.New)
	approve(t, k, kb, "get", "put")

	kb.tools = one
	r := look(t, k, kb, "get", "put")
	removal := digestOf(t, r, "get", trust.Gone)
	if of, code := decided(t, k, r, approval); of.Any() || code != verdict.PinChanged {
		t.Errorf("the digest of the approval removes the tool: %+v, %q", of, code)
	}
	kb.tools = both
	want(t, "not removed", catalogOf(t, k, kb, "get", "put"), "get ", "put ")

	kb.tools = one
	of, code := decided(t, k, look(t, k, kb, "get", "put"), removal)
	if code != "" {
		t.Fatal(code)
	}
	if diff := cmp.Diff(trust.Decided{Removed: []string{"get"}}, of); diff != "" {
		t.Error(diff)
	}
	kb.tools = both
	if of, code := decided(t, k, look(t, k, kb, "get", "put"), removal); of.Any() || code != verdict.PinChanged {
		t.Errorf("the digest of the removal approves the tool: %+v, %q", of, code)
	}
	want(t, "removed", catalogOf(t, k, kb, "get", "put"), "get pin.unapproved", "put ")
}
