package schema

import (
	stdjson "encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/xeipuuv/gojsonschema"
)

// each keyword with a value that fits and one that does not, so that none is
// passed over even where no corpus is at hand.
var enforced = map[string]struct{ schema, fits, not string }{
	"$ref":                 {`{"$defs":{"a":{"type":"null"}},"items":{"$ref":"#/$defs/a"}}`, `[null]`, `[1]`},
	"$defs":                {`{"$defs":{"a":{"type":"null"}},"$ref":"#/$defs/a"}`, `null`, `1`},
	"definitions":          {`{"definitions":{"a":{"type":"null"}},"$ref":"#/definitions/a"}`, `null`, `1`},
	"type":                 {`{"type":["integer","null"]}`, `1`, `1.5`},
	"enum":                 {`{"enum":["a",2,[3]]}`, `[3]`, `3`},
	"const":                {`{"const":{"a":1}}`, `{"a":1}`, `{"a":2}`},
	"format":               {`{"format":"date"}`, `"2026-11-21"`, `"2026-11-31"`},
	"pattern":              {`{"pattern":"^a+$"}`, `"aa"`, `"ab"`},
	"minLength":            {`{"minLength":2}`, `"éé"`, `"é"`},
	"maxLength":            {`{"maxLength":1}`, `"é"`, `"éé"`},
	"minItems":             {`{"minItems":2}`, `[1,1]`, `[1]`},
	"maxItems":             {`{"maxItems":1}`, `[1]`, `[1,1]`},
	"minProperties":        {`{"minProperties":1}`, `{"a":1}`, `{}`},
	"maxProperties":        {`{"maxProperties":1}`, `{"a":1}`, `{"a":1,"b":1}`},
	"minimum":              {`{"minimum":2}`, `2`, `1.9`},
	"maximum":              {`{"maximum":2}`, `2`, `2.1`},
	"exclusiveMinimum":     {`{"exclusiveMinimum":2}`, `2.1`, `2`},
	"exclusiveMaximum":     {`{"exclusiveMaximum":2}`, `1.9`, `2`},
	"multipleOf":           {`{"multipleOf":1.5}`, `4.5`, `4`},
	"uniqueItems":          {`{"uniqueItems":true}`, `[1,2]`, `[1,1]`},
	"required":             {`{"required":["a"]}`, `{"a":null}`, `{"b":null}`},
	"properties":           {`{"properties":{"a":{"type":"null"}}}`, `{"a":null,"b":1}`, `{"a":1}`},
	"patternProperties":    {`{"patternProperties":{"^a":{"type":"null"}}}`, `{"ab":null,"ba":1}`, `{"ab":1}`},
	"additionalProperties": {`{"properties":{"a":{}},"additionalProperties":{"type":"null"}}`, `{"a":1,"b":null}`, `{"a":1,"b":1}`},
	"propertyNames":        {`{"propertyNames":{"maxLength":1}}`, `{"a":1}`, `{"ab":1}`},
	"items":                {`{"items":{"type":"null"}}`, `[null,null]`, `[null,1]`},
	"contains":             {`{"contains":{"type":"null"}}`, `[1,null]`, `[1,2]`},
	"allOf":                {`{"allOf":[{"minimum":1},{"maximum":2}]}`, `2`, `3`},
	"anyOf":                {`{"anyOf":[{"maximum":1},{"minimum":3}]}`, `3`, `2`},
	"oneOf":                {`{"oneOf":[{"maximum":2},{"minimum":2}]}`, `3`, `2`},
	"not":                  {`{"not":{"type":"null"}}`, `1`, `null`},
	"if":                   {`{"if":{"minimum":5},"then":{"multipleOf":2}}`, `3`, `7`},
	"then":                 {`{"if":{"type":"null"},"then":false}`, `1`, `null`},
	"else":                 {`{"if":{"type":"null"},"else":false}`, `null`, `1`},
}

// Each of the two validators is asked by itself: what one of them passes over
// the other would hide.
func TestEachKeywordIsEnforcedByEitherValidator(t *testing.T) {
	t.Parallel()
	for name, k := range keywords {
		if _, ok := enforced[name]; !ok && k.shape != note && name != "$schema" {
			t.Errorf("nothing shows that %s is enforced", name)
		}
	}
	for name, c := range enforced {
		if !strings.Contains(c.schema, `"`+name+`":`) {
			t.Fatalf("%s is not in %s", name, c.schema)
		}
		s, err := Admit([]byte(c.schema), Options{Role: Output})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		v, err := s.Compile()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for value, want := range map[string]bool{c.fits: true, c.not: false} {
			parsed, err := parse([]byte(value), PlanLimits)
			if err != nil {
				t.Fatal(err)
			}
			second, err := v.v.second.Validate(gojsonschema.NewRawLoader(parsed.root))
			if err != nil {
				t.Fatal(err)
			}
			got := []bool{v.v.first.Validate(parsed.root) == nil, second.Valid(), v.Check([]byte(value)) == nil}
			if slices.Contains(got, !want) {
				t.Errorf("%s: the first, the second and both say %v of %s, want %v", c.schema, got, value, want)
			}
		}
	}
}

// A note enforces nothing, and is not shown to a validator.
func TestNotesAreLeftOut(t *testing.T) {
	t.Parallel()
	for name, k := range keywords {
		if k.shape != note {
			continue
		}
		s, err := Admit([]byte(`{"type":"null","`+name+`":[1,{"a":false}]}`), Options{Role: Output})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if b, err := stdjson.Marshal(s.s.doc); err != nil || string(b) != `{"type":"null"}` {
			t.Errorf("%s: validators see %s", name, b)
		}
	}
}
