package schema_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/schema"
)

// tree is a schema within itself by each of the keywords that a cycle may pass.
const tree = `{"type":"object","required":["node"],"properties":{"node":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"object","required":["id"],
	"properties":{"id":{"type":"string"},"kids":{"type":"array","items":{"$ref":"#/$defs/n"}},"pair":{"type":"array","prefixItems":[{"$ref":"#/$defs/n"}],"items":false},
		"by":{"type":"object","additionalProperties":{"$ref":"#/$defs/n"}},"up":{"anyOf":[{"type":"null"},{"$ref":"#/$defs/n"}]}}}}}`

// within is a value n levels deep by one of its members.
func within(n int, open, shut, last string) string {
	return `{"node":` + strings.Repeat(`{"id":"a",`+open, n) + last + strings.Repeat(shut+`}`, n) + `}`
}

func TestACycleIsFollowedAsDeepAsAValueGoes(t *testing.T) {
	t.Parallel()
	for _, role := range []schema.Role{schema.Input, schema.Output} {
		v := compiled(t, []byte(tree), role)
		for name, way := range map[string][2]string{"items": {`"kids":[`, `]`}, "prefixItems": {`"pair":[`, `]`}, "additionalProperties": {`"by":{"x":`, `}`}, "properties": {`"up":`, ``}} {
			for last, want := range map[string]bool{`{"id":"z"}`: true, `{"id":7}`: false, `{}`: false, `[]`: false, `{"id":"z","more":1}`: role == schema.Output} {
				for _, n := range []int{0, 1, 2, 60} {
					if n == 60 && name != "properties" {
						n = 30 // two levels of the value each
					}
					if err := v.Check([]byte(within(n, way[0], way[1], last))); (err == nil) != want {
						t.Errorf("role %v, %s, %d deep, %s: %v, want fit %v", role, name, n, last, err, want)
					}
				}
			}
		}
	}
}

// Two branches to one cycle double at each level, whatever the text of the schema:
// the work is counted over the value before a validator runs.
func TestTheWorkOfACycleIsCountedPerValue(t *testing.T) {
	t.Parallel()
	for name, raw := range map[string]string{
		"allOf":      `{"allOf":[{"properties":{"a":{"$ref":"#"}}},{"properties":{"a":{"$ref":"#"}}}]}`,
		"anyOf":      `{"anyOf":[{"properties":{"a":{"$ref":"#"}},"required":["z"]},{"properties":{"a":{"$ref":"#"}}}]}`,
		"not":        `{"not":{"properties":{"a":{"$ref":"#"}}},"if":{"properties":{"a":{"$ref":"#"}}}}`,
		"two values": `{"$defs":{"n":{"properties":{"a":{"$ref":"#/$defs/m"}}},"m":{"allOf":[{"$ref":"#/$defs/n"},{"$ref":"#/$defs/n"}]}},"$ref":"#/$defs/n"}`,
	} {
		v := compiled(t, []byte(raw), schema.Output)
		value := func(n int) []byte { return []byte(strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n)) }
		if err := v.Check(value(3)); err != nil && strings.Contains(err.Error(), "too costly") {
			t.Errorf("%s: three levels: %v", name, err)
		}
		if err := v.Check(value(40)); err == nil || !strings.Contains(err.Error(), "too costly to check") {
			t.Errorf("%s: forty levels: %v", name, err)
		}
		d, err := schema.ReadDocument(value(40))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := v.Judge(d); got != schema.Unsure || err == nil {
			t.Errorf("%s: judged %v", name, got)
		}
	}
}

// The same text is admitted, or refused, whatever the order in which it is read.
func TestTheLoadOfACycleIsTheSameEachTime(t *testing.T) {
	t.Parallel()
	raw := `{"properties":{` + properties(40, `:{"$ref":"#/$defs/n"}`) + `},"$defs":{"n":{"allOf":[` + strings.Repeat(`{"properties":{"a":{"$ref":"#"},"b":{"$ref":"#/$defs/n"}}},`, 40) + `{}]}}}`
	_, want := schema.Admit([]byte(raw), schema.Options{Role: schema.Output})
	for range 20 {
		if _, err := schema.Admit([]byte(raw), schema.Options{Role: schema.Output}); (err == nil) != (want == nil) {
			t.Fatalf("%v, then %v", want, err)
		}
	}
}

func TestASampleOfACycleEnds(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{tree, `{"type":"object","properties":{"a":{"$ref":"#"},"b":{"$ref":"#"},"n":{"type":"integer"}}}`} {
		s, err := schema.Admit([]byte(raw), schema.Options{Role: schema.Input})
		if err != nil {
			t.Fatal(err)
		}
		v := compiled(t, []byte(raw), schema.Input)
		for _, all := range []bool{false, true} {
			value := schema.Literal(schema.NewSampler(2000).Value(s.Root(), all))
			if err := v.Check(value); err != nil || len(value) > 2000 {
				t.Errorf("%s: %.300s: %v", raw, value, err)
			}
		}
		if near := schema.NewSampler(2000).Near(s.Root(), s.Root(), "text"); len(near) == 0 || len(near) > 200 {
			t.Errorf("%d values near", len(near))
		}
	}
}

func TestTheParametersOfACycleAreThoseOfOneRound(t *testing.T) {
	t.Parallel()
	s, err := schema.Admit([]byte(`{"type":"object","properties":{"a":{"$ref":"#"},"n":{"$ref":"#/properties/m"},"m":{"anyOf":[{"type":"string"},{"items":{"$ref":"#/properties/n"},"type":"array"}]}}}`), schema.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := s.Params()
	if got := p.Types("a").String() + "; " + p.Types("n").String(); got != "a JSON object; a string or a JSON list" {
		t.Error(got)
	}
}

// What a schema takes once it is compiled is bounded whether it goes round or not.
func TestACycleIsCompiledOnce(t *testing.T) {
	t.Parallel()
	const many = 400
	refs := `{"type":"object","properties":{` + properties(many, `:{"$ref":"#"}`) + `}}`
	none := `{"type":"object","properties":{` + properties(many, `:{"type":"null"}`) + `}}`
	weight := func(raw string) int {
		s, err := schema.Admit([]byte(raw), schema.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return s.Weight()
	}
	if a, b := weight(refs), weight(none); a > 3*b {
		t.Errorf("%d bytes, and %d without a reference", a, b)
	}
	if err := compiled(t, []byte(refs), schema.Input).Check([]byte(`{"0":{"1":{"2":{}}}}`)); err != nil {
		t.Error(err)
	}
	if compiled(t, []byte(refs), schema.Input).Check([]byte(`{"0":{"1":{"2":{"none":1}}}}`)) == nil {
		t.Error("a member that is not named passes")
	}
}
