package schema_test

import (
	"testing"

	"github.com/onestep-run/onestep/gate/schema"
)

// The schema accepts its sample, however it is made.
func TestASampleIsTaken(t *testing.T) {
	t.Parallel()
	for name, raw := range map[string]string{
		"nothing said":      `{}`,
		"members":           `{"type":"object","properties":{"a":{"type":"string","minLength":3},"b":{"type":"integer","exclusiveMinimum":7},"c":{"type":["null","boolean"]}},"required":["a","b","c"]}`,
		"a member unnamed":  `{"type":"object","required":["x"],"additionalProperties":{"type":"number","maximum":-2.5}}`,
		"formats":           `{"type":"object","properties":{"d":{"type":"string","format":"date"},"t":{"type":"string","format":"date-time"},"m":{"type":"string","format":"email"},"u":{"type":"string","format":"uri"},"i":{"type":"string","format":"uuid"}},"required":["d","t","m","u","i"]}`,
		"a pattern":         `{"type":"object","properties":{"k":{"type":"string","pattern":"^[A-Z]{2,4}-(?:x|y)[0-9]+$"}},"required":["k"]}`,
		"lists":             `{"type":"object","properties":{"l":{"type":"array","minItems":2,"items":{"enum":["a","b"]}},"p":{"type":"array","prefixItems":[{"const":1},{"type":"string"}]}},"required":["l","p"]}`,
		"a reference":       `{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"required":["a"],"$defs":{"x":{"allOf":[{"type":"object","properties":{"b":{"type":"string"}}},{"type":"object","required":["b"]}]}}}`,
		"alternatives":      `{"type":"object","properties":{"a":{"anyOf":[{"type":"integer","minimum":3},{"type":"null"}]},"b":{"oneOf":[{"type":"string","maxLength":2},{"type":"boolean"}]}},"required":["a","b"]}`,
		"large numbers":     `{"type":"object","properties":{"n":{"type":"integer","minimum":9007199254740993}},"required":["n"]}`,
		"what is a keyword": `{"type":"object","properties":{"required":{"type":"string"},"type":{"const":null}},"required":["required","type"]}`,
	} {
		s, err := schema.Admit([]byte(raw), schema.Options{Role: schema.Output})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		v := compiled(t, []byte(raw), schema.Output)
		for _, all := range []bool{false, true} {
			value := schema.Literal(schema.NewSampler(1000).Value(s.Root(), all))
			if err := v.Check(value); err != nil {
				t.Errorf("%s: %s is not taken: %v", name, value, err)
			}
		}
	}
}

// A chosen alternative is the alternative of the value.
func TestASampleIsOfTheChosenAlternative(t *testing.T) {
	t.Parallel()
	s, err := schema.Admit([]byte(`{"type":"object","properties":{"a":{"anyOf":[{"type":"integer"},{"const":"second"}]}},"required":["a"]}`), schema.Options{Role: schema.Output})
	if err != nil {
		t.Fatal(err)
	}
	g := schema.NewSampler(1000)
	g.Choose(s.Root().At("/properties/a"), "anyOf", 1)
	if got := string(schema.Literal(g.Value(s.Root(), false))); got != `{"a":"second"}` {
		t.Error(got)
	}
}

// Where its limit is spent a sample is null, however deep the schema is.
func TestASampleIsBounded(t *testing.T) {
	t.Parallel()
	s, err := schema.Admit([]byte(`{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"string"}}}}}`), schema.Options{Role: schema.Output})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(schema.Literal(schema.NewSampler(3).Value(s.Root(), true))); got != `{"a":null}` {
		t.Error(got)
	}
	if near := schema.NewSampler(1000).Near(nil, s.Root()); near != nil {
		t.Errorf("no schema has the values %v", near)
	}
}
