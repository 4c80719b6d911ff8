package trust_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host/trust"
)

// TestWhatLowersCautionIsApprovedAloneAlsoLater: a tool that was held back or forgotten
// in between still counts as approved once.
func TestWhatLowersCautionIsApprovedAloneAlsoLater(t *testing.T) {
	t.Parallel()
	k, kb := keeper(t), &server{tools: []string{tool("get", "gets"), tool("put", "puts")}}
	approve(t, k, kb, "get", "put")
	if err := k.Forget(t.Context(), kb.subject().Place, trust.Choice{By: "ada"}); err != nil {
		t.Fatal(err)
	}
	kb.tools[1] = strings.Replace(kb.tools[1], `{"name"`, `{"annotations":{"readOnlyHint":true},"name"`, 1)
	approve2 := func(r trust.Review) error {
		_, err := k.Decide(t.Context(), r, trust.Choice{By: "ada", Digests: []string{r.Digest}})
		return err
	}
	r := look(t, k, kb, "get", "put")
	if p := r.Parts[0]; p.Tool != "put" || !p.Alone || len(p.Change.Differences) == 0 {
		t.Errorf("%+v", p)
	}
	if err := approve2(r); err != nil {
		t.Fatal(err)
	}
	want(t, "approved with the rest", catalogOf(t, k, kb, "get", "put"), "get ", "put pin.unapproved")
}

// TestAReviewClearsWhatItFindsAsItWas: a server that changed and changed back.
func TestAReviewClearsWhatItFindsAsItWas(t *testing.T) {
	t.Parallel()
	k, kb := keeper(t), &server{tools: []string{tool("get", "gets")}}
	approve(t, k, kb, "get")
	kb.tools[0] = tool("get", "gets more")
	if _, err := k.Refresh(t.Context(), kb.subject("get"), pin.Accept{}); err != nil {
		t.Fatal(err)
	}
	want(t, "changed", catalogOf(t, k, kb, "get"), "get pin.changed")
	kb.tools[0] = tool("get", "gets")
	look(t, k, kb, "get")
	want(t, "as it was", catalogOf(t, k, kb, "get"), "get ")
	for _, name := range []string{"", "a b"} {
		if err := k.Reject(t.Context(), kb.subject().Place, trust.Choice{By: "ada"}, name); err == nil {
			t.Errorf("%q is rejected", name)
		}
	}
}

// TestASecondFaceHidesNoChange: the description for another client is shown next to the
// changes since the approval.
func TestASecondFaceHidesNoChange(t *testing.T) {
	t.Parallel()
	k, kb := keeper(t), &server{tools: []string{tool("get", "gets")}}
	approve(t, k, kb, "get")
	for name, other := range map[string][]string{"another title": {strings.Replace(tool("get", "gets"), `{"name"`, `{"title":"t","name"`, 1)}, "no such tool": {}} {
		kb.tools = []string{strings.Replace(tool("get", "gets"), `{"name"`, `{"annotations":{"readOnlyHint":true},"name"`, 1)}
		kb.other = other
		p := look(t, k, kb, "get").Parts[0]
		lowered, others := false, false
		for _, d := range p.Change.Differences {
			lowered = lowered || d.Path == "/annotations/readOnlyHint" && !strings.Contains(d.Why, "another client")
			others = others || strings.Contains(d.Why, "another client")
		}
		if p.State != trust.TwoFaced || !lowered || !others {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

// TestANoHoldsUntilTheToolItselfIsApproved: no person is asked again, and no
// approval of the whole takes the tool along, whatever the server says by then.
func TestANoHoldsUntilTheToolItselfIsApproved(t *testing.T) {
	t.Parallel()
	k, kb := keeper(t), &server{tools: []string{tool("get", "gets"), tool("put", "puts")}}
	approve(t, k, kb, "get")
	if err := k.Reject(t.Context(), kb.subject().Place, trust.Choice{By: "ada"}, "put"); err != nil {
		t.Fatal(err)
	}
	r := look(t, k, kb, "get", "put")
	if p := r.Parts[0]; r.Digest != "" || !p.Rejected || !p.Alone || !p.Open() || !strings.Contains(p.Why, "rejected by ada on ") {
		t.Errorf("%q is to be decided, of %+v", r.Digest, p)
	}
	if seen, err := k.Refresh(t.Context(), kb.subject("get", "put"), pin.Accept{}); err != nil || len(seen.Held) != 0 {
		t.Errorf("a refresh finds %+v, %v", seen, err)
	}
	kb.tools = []string{tool("get", "gets more"), tool("put", "puts more")}
	approve(t, k, kb, "get", "put")
	want(t, "the whole", catalogOf(t, k, kb, "get", "put"), "get ", "put pin.rejected")
	r = look(t, k, kb, "get", "put")
	if _, err := k.Decide(t.Context(), r, trust.Choice{By: "ada", Digests: []string{r.Parts[0].Digest}}); err != nil {
		t.Fatal(err)
	}
	want(t, "itself", catalogOf(t, k, kb, "get", "put"), "get ", "put ")
}
