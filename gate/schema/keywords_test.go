package schema

import (
	stdjson "encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/xeipuuv/gojsonschema"
)

// each keyword with a fitting and a misfitting value, so that none is skipped even
// without a corpus.
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
	"nullable":             {`{"type":"string","nullable":true}`, `null`, `1`},
	"uniqueItems":          {`{"uniqueItems":true}`, `[1,2]`, `[1,1]`},
	"required":             {`{"required":["a"]}`, `{"a":null}`, `{"b":null}`},
	"properties":           {`{"properties":{"a":{"type":"null"}}}`, `{"a":null,"b":1}`, `{"a":1}`},
	"patternProperties":    {`{"patternProperties":{"^a":{"type":"null"}}}`, `{"ab":null,"ba":1}`, `{"ab":1}`},
	"additionalProperties": {`{"properties":{"a":{}},"additionalProperties":{"type":"null"}}`, `{"a":1,"b":null}`, `{"a":1,"b":1}`},
	"propertyNames":        {`{"propertyNames":{"maxLength":1}}`, `{"a":1}`, `{"ab":1}`},
	"items":                {`{"items":{"type":"null"}}`, `[null,null]`, `[null,1]`},
	"prefixItems":          {`{"prefixItems":[{"type":"null"},{"type":"integer"}]}`, `[null,1,"a"]`, `[1,null]`},
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
		if _, ok := enforced[name]; !ok && k.shape != note && k.shape != mark && name != "$schema" {
			t.Errorf("nothing shows that %s is enforced", name)
		}
	}
	for name, c := range elsewhere {
		eitherEnforces(t, name, c.schema, c.fits, c.not)
	}
	for name, c := range enforced {
		if !strings.Contains(c.schema, `"`+name+`":`) {
			t.Fatalf("%s is not in %s", name, c.schema)
		}
		eitherEnforces(t, name, c.schema, c.fits, c.not)
	}
}

const draft07 = `{"$schema":"http://json-schema.org/draft-07/schema#",`

// elsewhere are references to other places than definitions, and items of
// which the first have schemas of their own.
var elsewhere = map[string]struct{ schema, fits, not string }{
	"a member's schema":     {`{"properties":{"a":{"type":"null"},"b":{"$ref":"#/properties/a"}}}`, `{"b":null}`, `{"b":1}`},
	"through a reference":   {`{"properties":{"a":{"$ref":"#/properties/b"},"b":{"$ref":"#/$defs/c/items"}},"$defs":{"c":{"items":{"type":"null"}}}}`, `{"a":null}`, `{"a":1}`},
	"a tree":                {`{"$defs":{"n":{"properties":{"v":{"type":"integer"},"sub":{"items":{"$ref":"#/$defs/n"}}}}},"$ref":"#/$defs/n"}`, `{"sub":[{"v":1,"sub":[{"v":2}]}]}`, `{"sub":[{"v":1,"sub":[{"v":"2"}]}]}`},
	"the whole":             {`{"properties":{"v":{"type":"integer"},"next":{"$ref":"#"}}}`, `{"next":{"next":{"v":1}}}`, `{"next":{"next":{"v":"1"}}}`},
	"lists of lists":        {`{"type":"array","items":{"$ref":"#"}}`, `[[],[[]]]`, `[[],[[1]]]`},
	"a map of itself":       {`{"additionalProperties":{"anyOf":[{"type":"null"},{"type":"object","allOf":[{"$ref":"#"}]}]}}`, `{"a":{"b":null}}`, `{"a":{"b":1}}`},
	"a tuple of itself":     {`{"type":"array","prefixItems":[{"type":"string"},{"$ref":"#"}],"items":false}`, `["a",["b",["c"]]]`, `["a",["b",[1]]]`},
	"two in turn":           {`{"$defs":{"a":{"type":"object","properties":{"b":{"$ref":"#/$defs/b"}}},"b":{"type":"array","items":{"$ref":"#/$defs/a"}}},"$ref":"#/$defs/a"}`, `{"b":[{"b":[]}]}`, `{"b":[{"b":[1]}]}`},
	"null beside a type":    {`{"type":"string","nullable":true}`, `null`, `1`},
	"null in an enum":       {`{"type":"string","nullable":true,"enum":["a",null]}`, `null`, `"b"`},
	"no null in an enum":    {`{"type":"string","nullable":true,"enum":["a"]}`, `"a"`, `null`},
	"null, not said":        {`{"type":"string","nullable":false}`, `"a"`, `null`},
	"null beside a list":    {`{"type":["string","integer"],"nullable":true}`, `null`, `true`},
	"null without a type":   {`{"enum":["a"],"nullable":true}`, `"a"`, `null`},
	"null within a branch":  {`{"type":"string","anyOf":[{"nullable":true,"maxLength":3}]}`, `"a"`, `null`},
	"definitions inside":    {`{"items":{"$defs":{"n":{"type":"null"}},"$ref":"#/items/$defs/n"}}`, `[null]`, `[1]`},
	"a branch":              {`{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}]},"b":{"$ref":"#/properties/a/anyOf/1"}}}`, `{"b":null}`, `{"b":"a"}`},
	"an escaped name":       {`{"$defs":{"a/b~c%":{"type":"null"}},"$ref":"#/$defs/a~1b~0c%25"}`, `null`, `1`},
	"names of keywords":     {`{"properties":{"$ref":{"type":"null"},"$defs":{"$ref":"#/properties/$ref"}}}`, `{"$defs":null}`, `{"$defs":1}`},
	"no more items":         {`{"prefixItems":[{"type":"null"}],"items":false}`, `[null]`, `[null,null]`},
	"fewer items":           {`{"prefixItems":[{"type":"null"},{"type":"null"}],"items":false}`, `[null]`, `[1]`},
	"the items after":       {`{"prefixItems":[{"type":"null"}],"items":{"type":"string"}}`, `[null,"a"]`, `[null,null]`},
	"the items at first":    {`{"prefixItems":[{"type":"null"}],"items":{"type":"string"}}`, `[null]`, `["a"]`},
	"an item that is not":   {`{"prefixItems":[true,false]}`, `[1]`, `[1,2]`},
	"any of all the items":  {`{"prefixItems":[{"type":"null"}],"contains":{"type":"null"}}`, `[null,1]`, `[]`},
	"an item's own schema":  {`{"prefixItems":[{"type":"null"},{"$ref":"#/prefixItems/0"}]}`, `[null,null]`, `[null,1]`},
	"items of draft-07":     {draft07 + `"items":[{"type":"null"},{"type":"integer"}]}`, `[null,1,"a"]`, `[1,null]`},
	"no more, draft-07":     {draft07 + `"items":[{"type":"null"}],"additionalItems":false}`, `[null]`, `[null,null]`},
	"the rest, draft-07":    {draft07 + `"items":[{"type":"null"}],"additionalItems":{"type":"string"}}`, `[null,"a"]`, `[null,null]`},
	"the rest, 2019-09":     {`{"$schema":"https://json-schema.org/draft/2019-09/schema","items":[true],"additionalItems":{"type":"null"}}`, `[1,null]`, `[null,1]`},
	"its rest, draft-07":    {draft07 + `"items":[{"type":"null"},{"type":"array","items":{"$ref":"#/items/0"}}],"additionalItems":{"$ref":"#/items/1"}}`, `[null,[],[null]]`, `[null,[],null]`},
	"within, draft-07":      {draft07 + `"properties":{"a":{"items":[{"items":[false]}]}}}`, `{"a":[[],1]}`, `{"a":[[1]]}`},
	"a name, draft-07":      {draft07 + `"properties":{"items":{"type":"null"},"additionalItems":{"type":"null"}}}`, `{"items":null}`, `{"additionalItems":1}`},
	"four hex digits":       {`{"pattern":"^\\u00e9[\\u4e00-\\u9fff]+$"}`, `"é漢字"`, `"e漢字"`},
	"no four hex digits":    {`{"pattern":"^\\\\u00e9$"}`, `"\\u00e9"`, `"é"`},
	"names by hex digits":   {`{"patternProperties":{"^\\u00e9":{"type":"null"}}}`, `{"éa":null,"ea":1}`, `{"éa":1}`},
	"a known look-ahead":    {`{"pattern":"^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$"}`, `"-0.5"`, `"-."`},
	"two for a look-ahead":  {`{"allOf":[{"minLength":2}],"pattern":"^(?=.{1,253}$)([a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\\.)+[a-zA-Z]{2,63}$"}`, `"example.com"`, `"` + strings.Repeat("a.", 126) + `com"`},
	"the rest like an item": {`{"prefixItems":[{"type":"null"}],"items":{"$ref":"#/prefixItems/0"}}`, `[null,null]`, `[null,1]`},
}

// TestOtherSpellingsAreClosedToo: a schema in another spelling is closed like the
// usual one, and an input accepts no more through it.
func TestOtherSpellingsAreClosedToo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ schema, fits, not string }{
		{draft07 + `"type":"object","properties":{"a":{"items":[{"properties":{"b":{}}}],"additionalItems":{"properties":{"c":{}}}}}}`, `{"a":[{"b":1},{"c":1}]}`, `{"a":[{"c":1}]}`},
		{draft07 + `"type":"object","properties":{"a":{"items":[{}],"additionalItems":{"properties":{"c":{}}}}}}`, `{"a":[1,{"c":1}]}`, `{"a":[1,{"b":1}]}`},
		{`{"type":"object","patternProperties":{"^\\u00e9":{"properties":{"b":{}}}}}`, `{"é":{"b":1}}`, `{"é":{"c":1}}`},
		{`{"type":"object","patternProperties":{"^\\u00e9":{}}}`, `{"é":{"b":1}}`, `{"e":1}`},
		{`{"type":"object","discriminator":{"propertyName":"k"},"oneOf":[{"properties":{"k":{"const":"a"}},"required":["k"]}]}`, `{"k":"a"}`, `{"k":"a","b":1}`},
	} {
		s, err := Admit([]byte(c.schema), Options{Role: Input})
		if err != nil {
			t.Fatalf("%s: %v", c.schema, err)
		}
		v, err := s.Compile()
		if err != nil {
			t.Fatalf("%s: %v", c.schema, err)
		}
		if err := v.Check([]byte(c.fits)); err != nil {
			t.Errorf("%s: %s: %v", c.schema, c.fits, err)
		}
		if v.Check([]byte(c.not)) == nil {
			t.Errorf("%s: takes %s", c.schema, c.not)
		}
	}
}

func eitherEnforces(t *testing.T, name, raw, fits, not string) {
	t.Helper()
	s, err := Admit([]byte(raw), Options{Role: Output})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	v, err := s.Compile()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for value, want := range map[string]bool{fits: true, not: false} {
		parsed, err := parse([]byte(value), PlanLimits)
		if err != nil {
			t.Fatal(err)
		}
		second, err := v.v.second.Validate(gojsonschema.NewRawLoader(parsed))
		if err != nil {
			t.Fatal(err)
		}
		got := []bool{v.v.first.accepts(parsed), second.Valid(), v.Check([]byte(value)) == nil}
		if slices.Contains(got, !want) {
			t.Errorf("%s: %s: the first, the second and both say %v of %s, want %v", name, raw, got, value, want)
		}
	}
}

// A note enforces nothing, and is not shown to a validator.
// xeipuuv/gojsonschema v1.2.0 takes an identifier inside a default or an example for the
// address of a schema, and so one definition for another.
func TestNotesAreLeftOut(t *testing.T) {
	t.Parallel()
	notes := []string{"x-", "x-order", "x-fastmcp-wrap-result", "x-mcp-headers", "x-mcp-Header"}
	for name, k := range keywords {
		if k.shape == note {
			notes = append(notes, name)
		}
	}
	for _, name := range notes {
		s, err := Admit([]byte(`{"anyOf":[{"type":"null"}],"`+name+`":[1,{"a":false}]}`), Options{Role: Output})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if b, err := stdjson.Marshal(s.s.root.doc); err != nil || string(b) != `{"anyOf":[{"type":"null"}]}` {
			t.Errorf("%s: validators see %s", name, b)
		}
	}
}
