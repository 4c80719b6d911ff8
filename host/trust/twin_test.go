package trust_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/artifact"
	"github.com/onestep-run/onestep/host/trust"
)

// with is the same server, reached with another credential.
func (s *server) with(t *testing.T, k *trust.Keeper, credential string, allowed ...string) trust.Review {
	t.Helper()
	of := s.subject(allowed...)
	of.Place.Credential = credential
	r, err := k.Look(t.Context(), of)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestWhatWasApprovedWithAnotherCredentialIsOneDecision, and none before it.
func TestWhatWasApprovedWithAnotherCredentialIsOneDecision(t *testing.T) {
	t.Parallel()
	k, kb := keeper(t), &server{told: "be brief", tools: []string{tool("get", "gets"), tool("put", "puts")}}
	kb.runs = artifact.Artifact{Kind: "npm", Name: "kb", Version: "1.0.0", Integrity: "sha256:1"}
	approve(t, k, kb, "get", "put")
	if r := kb.with(t, k, "TOKEN", "get", "put", "gett"); r.Twin == nil {
		t.Error("a name that the server does not list makes it another")
	}
	r := kb.with(t, k, "TOKEN", "get", "put")
	if r.Twin == nil || r.Twin.Credential != "" || !slices.Equal(r.Twin.By, []string{"ada"}) || r.Twin.At.IsZero() {
		t.Fatalf("%+v", r.Twin)
	}
	for _, p := range r.Parts {
		if p.State != trust.New || p.Alone || p.Change.Kind != pin.New {
			t.Errorf("%+v", p)
		}
	}
	if pins, err := k.Pins(t.Context(), r.Place); err != nil || len(pins.Tools) != 0 {
		t.Errorf("before anybody decides %+v is approved, %v", pins.Tools, err)
	}
	kept, err := k.Decide(t.Context(), r, trust.Choice{By: "bo", Digests: []string{r.Digest}})
	if err != nil || len(kept.Approved) != 2 {
		t.Errorf("%v, %v", kept, err)
	}
}

// TestWhatLowersCautionIsOneDecisionWhereAPersonAcceptedItBefore: these bytes,
// with the other credential. Whether it has two faces was not accepted.
func TestWhatLowersCautionIsOneDecisionWhereAPersonAcceptedItBefore(t *testing.T) {
	t.Parallel()
	k, kb := keeper(t), &server{tools: []string{tool("get", "gets"), tool("put", "puts")}}
	approve(t, k, kb, "get", "put")
	first := kb.with(t, k, "TOKEN", "get", "put")
	if _, err := k.Decide(t.Context(), first, trust.Choice{By: "ada", Digests: []string{first.Digest}}); err != nil {
		t.Fatal(err)
	}
	for i, raw := range kb.tools {
		kb.tools[i] = strings.Replace(raw, `{"name"`, `{"annotations":{"readOnlyHint":true},"name"`, 1)
	}
	before := kb.with(t, k, "TOKEN", "get", "put")
	if before.Twin != nil || !before.Parts[0].Alone || !before.Parts[1].Alone {
		t.Fatalf("nobody accepted it yet: %+v", before.Parts)
	}
	r := look(t, k, kb, "get", "put")
	if _, err := k.Decide(t.Context(), r, trust.Choice{By: "ada", Digests: []string{r.Parts[0].Digest, r.Parts[1].Digest}}); err != nil {
		t.Fatal(err)
	}
	r = kb.with(t, k, "TOKEN", "get", "put")
	if r.Twin == nil || r.Parts[0].Alone || r.Parts[1].Alone {
		t.Errorf("it was accepted there: %+v", r)
	}
	if names, err := k.Decide(t.Context(), r, trust.Choice{By: "ada", Digests: []string{before.Digest}}); verdict.CodeOf(err) != verdict.PinChanged {
		t.Errorf("a review that asked one by one approves %v, %v", names, err)
	}
	kb.other = []string{tool("get", "gets"), kb.tools[1]}
	if r := kb.with(t, k, "TOKEN", "get", "put"); r.Twin != nil || !r.Parts[0].Alone {
		t.Errorf("with two faces: %+v", r.Parts)
	}
}

// TestWhatIsNearlyTheSameIsNone.
func TestWhatIsNearlyTheSameIsNone(t *testing.T) {
	t.Parallel()
	k, kb := keeper(t), &server{told: "be brief", tools: []string{tool("get", "gets"), tool("put", "puts")}}
	approve(t, k, kb, "get", "put")
	for name, other := range map[string]server{
		"a word":          {told: kb.told, tools: []string{kb.tools[0], tool("put", "puts it")}},
		"a space":         {told: kb.told, tools: []string{kb.tools[0], kb.tools[1] + " "}},
		"instructions":    {told: "be brief.", tools: kb.tools},
		"a program":       {told: kb.told, tools: kb.tools, runs: artifact.Artifact{Kind: "npm", Name: "kb", Version: "1.0.0", Integrity: "sha256:1"}},
		"one more":        {told: kb.told, tools: append(slices.Clone(kb.tools), tool("del", "deletes"))},
		"one less":        {told: kb.told, tools: kb.tools[:1]},
		"two faces":       {told: kb.told, tools: kb.tools, other: []string{kb.tools[0], tool("put", "puts, for others")}},
		"moving":          {told: kb.told, tools: kb.tools, again: []string{kb.tools[0], tool("put", "puts, since 12:01")}},
		"nothing to tell": {},
	} {
		if r := other.with(t, k, "TOKEN", "get", "put", "del"); r.Twin != nil {
			t.Errorf("%s: it is the same as %+v", name, r.Twin)
		}
	}
	of := kb.subject("get", "put")
	of.Place = pin.PlaceOf([]byte(`{"command":"other"}`), "")
	if r, err := k.Look(t.Context(), of); err != nil || r.Twin != nil {
		t.Errorf("another server: it is the same as %+v, %v", r.Twin, err)
	}
	if err := k.Reject(t.Context(), kb.subject().Place, trust.Choice{By: "ada"}, "put"); err != nil {
		t.Fatal(err)
	}
	if r := kb.with(t, k, "TOKEN", "get", "put"); r.Twin != nil {
		t.Errorf("what was rejected there: it is the same as %+v", r.Twin)
	}
}
