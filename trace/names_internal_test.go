package trace

import (
	"reflect"
	"slices"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// bodies are those that names reads, by the kind of their line.
func bodies() map[Kind]any {
	return map[Kind]any{
		Begin: new(BeginBody), Verdict: new(VerdictBody), Decision: new(DecisionBody), Listing: new(ListingBody), Reread: new(RereadBody),
		Proposal: new(SaidBody), Writing: new(SaidBody), Result: new(ResultBody), Guard: new(GuardBody), Outcome: new(OutcomeBody),
	}
}

// inline are the members that hold a value and never refer to an object.
var inline = []string{"DecisionBody.Record", "OutcomeBody.Args"}

// A line names each object that a member of its body refers to. Otherwise the object is
// removed with earlier traces, and is missing from an export. Every member that holds
// JSON is tried, so that a new one is not forgotten.
func TestEveryMemberThatRefersToAnObjectIsNamed(t *testing.T) {
	t.Parallel()
	want := map[string]bool{}
	for kind, body := range bodies() {
		v := reflect.ValueOf(body).Elem()
		if f := v.FieldByName("Format"); f.IsValid() {
			f.SetInt(Format)
		}
		for n := range v.NumField() {
			name := v.Type().Name() + "." + v.Type().Field(n).Name
			if v.Field(n).Type() != reflect.TypeFor[jsontext.Value]() || slices.Contains(inline, name) {
				continue
			}
			want[name] = true
			was := v.Field(n).Interface()
			h := Hash{1}
			v.Field(n).Set(reflect.ValueOf(reference(h)))
			hs, err := Event{Kind: kind, Body: encoded(t, body)}.names()
			if err != nil || !slices.Equal(hs, []Hash{h}) {
				t.Errorf("%s: its object is not named: %v, %v", name, hs, err)
			}
			v.Field(n).Set(reflect.ValueOf(was))
		}
	}
	if len(want) < 9 {
		t.Errorf("only %d members are tried: %v", len(want), want)
	}
}

func encoded(t *testing.T, body any) jsontext.Value {
	t.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
