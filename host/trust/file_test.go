package trust_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host/trust"
)

func TestAFileOfPinsApprovesWhatItHolds(t *testing.T) {
	t.Parallel()
	k, kb := keeper(t), &server{told: "be brief", tools: []string{tool("get", "gets")}}
	approve(t, k, kb, "get")
	s := kb.subject()
	pins, err := k.Pins(t.Context(), s.Place)
	if err != nil {
		t.Fatal(err)
	}
	b, err := trust.Export([]trust.Exported{{Name: "kb", Entry: s.Shown, Pins: pins}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := trust.ParseFile(b)
	if err != nil {
		t.Fatal(err)
	}
	again, err := f.Pins(t.Context(), s.Place)
	if err != nil || len(again.Tools) != 1 || again.Tools["get"].By != "ada" || again.Instructions != "be brief" {
		t.Errorf("%+v, %v", again, err)
	}
	if other, err := f.Pins(t.Context(), pin.PlaceOf(s.Shown, "TOKEN")); err != nil || len(other.Tools) != 0 {
		t.Errorf("with another credential: %+v, %v", other, err)
	}
	if f, err := trust.ParseFile([]byte(strings.Replace(string(b), `"servers": [`, `"servers": [{"name":"first","entry":{"command":"kb"},"tools":[]},`, 1))); err == nil {
		t.Errorf("a place that is there twice approves %+v", f)
	}
	for name, change := range map[string][2]string{
		"a word": {"gets", "sets"}, "the instructions": {"be brief", "be long"}, "the name": {`"name": "get"`, `"name": "put"`},
		"the version": {`"schema_version": 1`, `"schema_version": 2`}, "a member": {`"servers"`, `"server"`},
	} {
		text := strings.Replace(string(b), change[0], change[1], 1)
		if text == string(b) {
			t.Fatalf("%s is not in the file: %s", name, b)
		}
		if f, err := trust.ParseFile([]byte(text)); err == nil {
			t.Errorf("%s: the file approves %+v", name, f)
		}
	}
}
