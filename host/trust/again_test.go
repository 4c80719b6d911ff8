package trust_test

import (
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/trust"
)

// again reviews with what is approved already.
func again(t *testing.T, k *trust.Keeper, s *server, allowed ...string) trust.Review {
	t.Helper()
	of := s.subject(allowed...)
	of.Again = true
	r, err := k.Look(t.Context(), of)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestWhatIsApprovedIsDecidedOnAgainByItsOwnDigest, and by none of a whole review:
// that one is the same with and without it.
func TestWhatIsApprovedIsDecidedOnAgainByItsOwnDigest(t *testing.T) {
	t.Parallel()
	k, kb := keeper(t), &server{tools: []string{tool("get", "gets")}}
	approve(t, k, kb, "get")
	r := again(t, k, kb, "get")
	if p := r.Parts[0]; !p.Again() || p.State != trust.Same || r.Digest != "" || !r.Settled() {
		t.Fatalf("%+v", r)
	}
	kb.tools = append(kb.tools, tool("put", "puts"))
	r = again(t, k, kb, "get", "put")
	if plain := look(t, k, kb, "get", "put"); plain.Digest != r.Digest || r.Digest == "" {
		t.Errorf("the whole is %q, and without what is approved %q", r.Digest, plain.Digest)
	}
	of, err := k.Decide(t.Context(), r, trust.Choice{By: "bob", Digests: []string{r.Digest}})
	if err != nil || len(of.Approved) != 1 || of.Approved[0] != "put" {
		t.Errorf("the whole approves %v, %v", of.Approved, err)
	}
	r = again(t, k, kb, "get", "put")
	only(t, k, r, r.Parts[0])
	pins, err := k.Pins(t.Context(), r.Place)
	if err != nil || pins.Tools["get"].By != "ada" {
		t.Errorf("%+v, %v", pins.Tools, err)
	}
	plain := look(t, k, kb, "get", "put")
	if _, err := k.Decide(t.Context(), plain, trust.Choice{By: "ada", Digests: []string{r.Parts[0].Digest}}); verdict.CodeOf(err) != verdict.PinChanged {
		t.Errorf("a review that did not show it approves it: %v", err)
	}
}

// TestASecondFaceIsShownAgainAndStaysApproved with what it was approved with.
func TestASecondFaceIsShownAgainAndStaysApproved(t *testing.T) {
	t.Parallel()
	k, kb := keeper(t), &server{tools: []string{tool("get", "gets")}, other: []string{tool("get", "gets, for others")}}
	r := look(t, k, kb, "get")
	only(t, k, r, r.Parts[0])
	r = again(t, k, kb, "get")
	if p := r.Parts[0]; !p.Again() || !p.TwoFaces() {
		t.Fatalf("%+v", p)
	}
	want(t, "looked at", catalogOf(t, k, kb, "get"), "get ")
	only(t, k, r, r.Parts[0])
	want(t, "approved again", catalogOf(t, k, kb, "get"), "get ")
	if p := look(t, k, kb, "get").Parts[0]; p.State != trust.Same {
		t.Errorf("its second face is %s", p.State)
	}
}
