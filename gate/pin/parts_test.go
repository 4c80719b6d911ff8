package pin_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/guard"
)

func TestThePartsOfADescriptorAreAllItsTexts(t *testing.T) {
	t.Parallel()
	got := map[string]guard.Part{}
	for _, p := range said(`{"name":"get","title":"T","description":"D","inputSchema":{"properties":{"ask me":{"default":7,"enum":["x"]}}}}`).Parts() {
		got[p.Kind+" "+p.Text] = p
	}
	for _, want := range []guard.Part{
		{Where: "/title", Kind: "description", Text: "T"},
		{Where: "/description", Kind: "description", Text: "D"},
		{Where: "/inputSchema/properties/ask me", Kind: "schema", Text: "ask me"}, // a name is a text as well
		{Where: "/inputSchema/properties/ask me/enum/0", Kind: "schema", Text: "x"},
	} {
		if diff := cmp.Diff(want, got[want.Kind+" "+want.Text]); diff != "" {
			t.Error(diff)
		}
	}
	if p, is := got["schema 7"]; is {
		t.Errorf("a number is a text: %+v", p)
	}
}
