package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/schema"
)

func TestTheTypesOfAParameterAreThoseThatItsSchemaAllows(t *testing.T) {
	t.Parallel()
	raw := `{"type":"object","$defs":{"id":{"type":["string","integer"]},"either":{"anyOf":[{"$ref":"#/$defs/id"},{"type":"null"}]}},
		"properties":{
			"text":{"type":"string"},"whole":{"type":"integer"},"number":{"type":"number"},"flag":{"type":"boolean"},"list":{"type":"array","items":{"type":"string"}},
			"object":{"type":"object","properties":{}},"referred":{"$ref":"#/$defs/either"},"level":{"enum":[1,2,null]},"fixed":{"const":"a"},
			"both":{"type":["string","integer"],"enum":["a","b"]},"all":{"allOf":[{"type":["string","null"]},{"type":["integer","null"]}]},"any":{},"half":{"enum":[0.5]}},
		"required":["text","flag"],
		"allOf":[{"properties":{"more":{"type":"integer"}},"required":["more"]}],
		"anyOf":[{"properties":{"way":{"type":"string"}},"required":["way"]},{"properties":{"way":{"type":"integer"}}}]}`
	s, err := schema.Admit([]byte(raw), schema.Options{Role: schema.Input})
	if err != nil {
		t.Fatal(err)
	}
	p := s.Params()
	got := map[string]string{}
	for _, name := range p.Names() {
		got[name] = p.Types(name).String()
	}
	want := map[string]string{
		"text": "a string", "whole": "an integer", "number": "a number", "flag": "true or false", "list": "a JSON list", "object": "a JSON object",
		"referred": "a string or an integer or null", "level": "an integer or null", "fixed": "a string", "both": "a string", "all": "null", "half": "a number",
		"any": "a string or a number or true or false or a JSON list or a JSON object or null", "more": "an integer", "way": "a string or an integer",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"flag", "more", "text"}, p.Required); d != "" {
		t.Error(d)
	}
	if types := p.Types("other"); types != 0 {
		t.Errorf("a member that no schema names may be %v", types)
	}
}

func TestAnOpenObjectTakesMembersOfAnyType(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{`{"type":"object","additionalProperties":true}`, `{"type":"object","additionalProperties":{"type":"string"}}`, `{"type":"object","patternProperties":{"^x":{}}}`} {
		s, err := schema.Admit([]byte(raw), schema.Options{Role: schema.Input})
		if err != nil {
			t.Fatal(err)
		}
		if types := s.Params().Types("x"); types&schema.TypeString == 0 {
			t.Errorf("%s: %v", raw, types)
		}
	}
}

// References that each lead to two others are read a bounded number of times. No
// possible type of a value is lost by that.
func TestParametersOfAWideSchemaCostLittle(t *testing.T) {
	t.Parallel()
	const depth, width = 10, 40
	var defs, properties []string
	for i := range depth {
		defs = append(defs, fmt.Sprintf(`"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, i+1, i+1))
	}
	for i := range width {
		properties = append(properties, fmt.Sprintf(`"p%d":{"$ref":"#/$defs/d0"}`, i))
	}
	raw := fmt.Sprintf(`{"type":"object","properties":{%s},"$defs":{%s,"d%d":{"type":"string"}}}`, strings.Join(properties, ","), strings.Join(defs, ","), depth)
	s, err := schema.Admit([]byte(raw), schema.Options{Role: schema.Input})
	if err != nil {
		t.Fatal(err)
	}
	p := s.Params()
	for _, name := range p.Names() {
		if types := p.Types(name); types&schema.TypeString == 0 {
			t.Errorf("%s: %v", name, types)
		}
	}
	if n := len(p.Names()); n != width {
		t.Errorf("%d parameters", n)
	}
}

func TestTheTypesOfAValueAreThoseOfItsText(t *testing.T) {
	t.Parallel()
	got := map[string]string{}
	want := map[string]string{
		"5": "an integer", "5.0": "an integer", "5.5": "a number", "-1e2": "an integer", "true": "true or false", "null": "null", `"a"`: "a string", "[]": "a JSON list", "{}": "a JSON object",
		"": "", "05": "", "+5": "", "True": "", "NaN": "", "[1": "", `{"a":1,"a":2}`: "", "1 2": "", "1e999": "", strings.Repeat("[", 100): "",
	}
	for text := range want {
		got[text] = schema.TypesOf(jsontext.Value(text)).String()
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
