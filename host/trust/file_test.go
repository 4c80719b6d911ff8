package trust_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
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
		"the version": {`"schema_version": 1`, `"schema_version": 2`}, "version 0": {`"schema_version": 1`, `"schema_version": 0`}, "no version": {`"schema_version": 1,`, ``}, "a member": {`"servers"`, `"server"`},
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

// A tool that a file has twice may have two descriptors, each with its digest. Their
// order must not decide which of them counts.
func TestAFileOfPinsThatNamesAToolTwiceApprovesNothing(t *testing.T) {
	t.Parallel()
	one, other := exported(t, tool("get", "gets")), exported(t, tool("get", "gets more"))
	const begins, ends = `"tools": [`, `
      ]`
	_, after, _ := strings.Cut(other, begins)
	entry, _, _ := strings.Cut(after, ends)
	for name, second := range map[string]string{"the same": "", "another": entry} {
		if second == "" {
			_, after, _ := strings.Cut(one, begins)
			second, _, _ = strings.Cut(after, ends)
		}
		if f, err := trust.ParseFile([]byte(strings.Replace(one, begins, begins+second+",", 1))); verdict.CodeOf(err) != verdict.ConfigInvalid {
			t.Errorf("%s: %+v, %v", name, f, err)
		}
	}
	if _, err := trust.ParseFile([]byte(one)); err != nil {
		t.Error(err)
	}
}

// exported is a file of pins with one tool.
func exported(t *testing.T, raw string) string {
	t.Helper()
	k, kb := keeper(t), &server{tools: []string{raw}}
	approve(t, k, kb, "get")
	pins, err := k.Pins(t.Context(), kb.subject().Place)
	if err != nil {
		t.Fatal(err)
	}
	b, err := trust.Export([]trust.Exported{{Name: "kb", Entry: kb.subject().Shown, Pins: pins}})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
