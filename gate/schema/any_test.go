package schema_test

import (
	stdjson "encoding/json"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/schema"
)

func TestAnyKeepsTheLiteralsOfNumbers(t *testing.T) {
	t.Parallel()
	got, err := schema.Any(jsontext.Value(`{"a":[1.50,12345678901234567890,null,true,"x"]}`))
	want := any(map[string]any{"a": []any{stdjson.Number("1.50"), stdjson.Number("12345678901234567890"), nil, true, "x"}})
	if err != nil || !cmp.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for _, malformed := range []string{"", "{", `{"a":1,"a":2}`, "1 2", "\"\xff\""} {
		if got, err := schema.Any(jsontext.Value(malformed)); err == nil || got != nil {
			t.Errorf("%q is read as %v", malformed, got)
		}
	}
}
