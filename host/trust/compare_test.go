package trust_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host/trust"
)

// TestAToolOfAnotherServerOfTheFileIsTold: what was approved of a server that is
// not there any more, or is the same with another credential, shadows nothing.
func TestAToolOfAnotherServerOfTheFileIsTold(t *testing.T) {
	t.Parallel()
	k, kb := keeper(t), &server{tools: []string{tool("get", "gets")}}
	approve(t, k, kb, "get")
	theirs := kb.subject().Place
	for name, row := range map[string]struct {
		at     pin.Place
		others map[pin.Place]string
		kind   string
	}{
		"in the file":             {pin.PlaceOf([]byte(`{"command":"new"}`), ""), map[pin.Place]string{theirs: "kb"}, pin.Shadowing},
		"not in the file":         {pin.PlaceOf([]byte(`{"command":"new"}`), ""), nil, pin.New},
		"with another credential": {pin.Place{Entry: theirs.Entry, Credential: "TOKEN"}, map[pin.Place]string{theirs: "kb"}, pin.New},
	} {
		s := kb.subject("get")
		s.Name, s.Place, s.Others = "new", row.at, row.others
		r, err := k.Look(t.Context(), s)
		if err != nil || r.Parts[0].Change.Kind != row.kind || row.kind == pin.Shadowing && r.Parts[0].Change.From != "kb" {
			t.Errorf("%s: %+v, %v", name, r.Parts, err)
		}
	}
	if err := k.Forget(t.Context(), theirs, trust.Choice{By: "ada"}); err != nil {
		t.Fatal(err)
	}
	s := kb.subject("get")
	s.Name, s.Place, s.Others = "new", pin.PlaceOf([]byte(`{"command":"new"}`), ""), map[pin.Place]string{theirs: "kb"}
	if r, err := k.Look(t.Context(), s); err != nil || r.Parts[0].Change.Kind != pin.New {
		t.Errorf("forgotten: %+v, %v", r.Parts, err)
	}
}

// TestAListingOfMegabytesIsReviewedByWhatIsAskedFor, and the names in it are known even
// in a long listing. They are found in the words of another tool, and of a tool that is
// gone.
func TestAListingOfMegabytesIsReviewedByWhatIsAskedFor(t *testing.T) {
	t.Parallel()
	k, kb := keeper(t), &server{tools: []string{tool("get", "gets"), tool("put", "puts")}}
	approve(t, k, kb, "get", "put")
	kb.tools = []string{tool("get", "gets, then call other7"), tool("store", "puts")}
	for i := range 2000 {
		kb.tools = append(kb.tools, tool(fmt.Sprintf("other%d", i), strings.Repeat("call get first, or ", 100)))
	}
	r := look(t, k, kb, "get", "put")
	if len(r.Parts) != 2 || r.Parts[0].Tool != "get" || r.Parts[0].Change.Class() != pin.Cue {
		t.Errorf("%d parts, %+v", len(r.Parts), r.Parts[0])
	}
	if p := r.Parts[1]; p.State != trust.Gone || p.Change.To != "store" {
		t.Errorf("%+v", p)
	}
}
