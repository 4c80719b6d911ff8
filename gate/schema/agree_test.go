package schema_test

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/onestep-run/onestep/gate/schema"
)

var names = rapid.SampledFrom([]string{"a", "b", "ab", "$ref", "id", "const"})

// values are small and alike, so that schemas and values often meet.
func values(depth int) *rapid.Generator[any] {
	scalars := rapid.SampledFrom([]any{
		nil, true, false, 0, 1, -1, 2, 0.5, 1e3, "", "a", "ab", "é", "1", "2026-11-27",
		stdjson.Number("1.0"), stdjson.Number("9007199254740993"), stdjson.Number("9007199254740992"), stdjson.Number("19.99"), stdjson.Number("1E-3"),
	})
	if depth == 0 {
		return scalars
	}
	sub := values(depth - 1)
	return rapid.OneOf(scalars, scalars,
		rapid.Map(rapid.SliceOfN(sub, 0, 3), func(s []any) any { return s }),
		rapid.Map(rapid.MapOfN(names, sub, 0, 3), func(m object) any { return m }))
}

func schemas(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		s := object{}
		for range rapid.IntRange(0, 3).Draw(t, "keywords") {
			k := rapid.SampledFrom([]string{
				"type", "enum", "const", "minimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern", "minItems", "maxItems",
				"uniqueItems", "required", "minProperties", "maxProperties", "properties", "patternProperties", "additionalProperties", "propertyNames", "items", "contains", "prefixItems",
				"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "default", "$ref",
			}).Draw(t, "keyword")
			s[k] = keywordValue(t, k, depth)
		}
		if ref, ok := s["$ref"]; ok {
			return object{"$ref": ref}
		}
		return s
	})
}

func keywordValue(t *rapid.T, k string, depth int) any {
	draw := func(g *rapid.Generator[any]) any { return g.Draw(t, k) }
	sub := rapid.Just[any](true)
	if depth > 0 {
		sub = rapid.OneOf(rapid.Just[any](false), schemas(depth-1), schemas(depth-1), schemas(depth-1))
	}
	switch k {
	case "type":
		return rapid.SampledFrom([]any{"null", "boolean", "integer", "number", "string", "array", "object", []string{"integer", "object"}, []string{"string", "null", "array"}}).Draw(t, k)
	case "enum":
		return rapid.SliceOfNDistinct(values(1), 1, 4, func(v any) string {
			return strings.ReplaceAll(fmt.Sprintf("%#v", v), `"1.0"`, "1") // the oracle refuses one number twice
		}).Draw(t, k)
	case "const", "default":
		return draw(values(2))
	case "minimum", "exclusiveMaximum":
		return rapid.SampledFrom([]any{-1, 0, 0.5, 1, 2, stdjson.Number("9007199254740993")}).Draw(t, k)
	case "multipleOf":
		return rapid.SampledFrom([]any{0.5, 1, 2, 0.01}).Draw(t, k)
	case "pattern":
		return rapid.SampledFrom([]string{"^a", "b$", "^$", "[0-9]", "^.$"}).Draw(t, k)
	case "uniqueItems":
		return rapid.Bool().Draw(t, k)
	case "required":
		return rapid.SliceOfNDistinct(names, 0, 2, rapid.ID).Draw(t, k)
	case "properties":
		return rapid.MapOfN(names, sub, 0, 3).Draw(t, k)
	case "patternProperties":
		return rapid.MapOfN(rapid.SampledFrom([]string{"^a", "b", "^.$"}), sub, 0, 2).Draw(t, k)
	case "allOf", "anyOf", "oneOf", "prefixItems":
		return rapid.SliceOfN(sub, 1, 3).Draw(t, k)
	case "$ref":
		return rapid.SampledFrom([]string{"#/$defs/a", "#/definitions/b", "#/properties/a", "#/properties/ab/items", "#/allOf/0", "#/prefixItems/0", "#/$defs/c/properties/%24ref", "#", "#/$defs/tree"}).Draw(t, k)
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		return rapid.IntRange(0, 2).Draw(t, k)
	}
	return draw(sub)
}

// written is a schema as a draft has it: draft-07 calls prefixItems items, and
// what 2020-12 calls items then additionalItems.
func written(t *rapid.T, schema any, draft *jsonschema.Draft) []byte {
	if draft == jsonschema.Draft2020 {
		return text(t, schema)
	}
	return bytes.ReplaceAll(text(t, older(schema)), []byte("#/prefixItems/"), []byte("#/items/"))
}

func older(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = older(e)
		}
		return out
	case object:
		out := object{}
		for name, e := range v {
			out[name] = older(e)
		}
		if prefix, ok := out["prefixItems"]; ok {
			if rest, ok := out["items"]; ok {
				out["additionalItems"] = rest
			}
			out["items"] = prefix
			delete(out, "prefixItems")
		}
		return out
	}
	return v
}

// What is admitted means the same in draft-07 as in 2020-12, and the second
// validator never refuses what fits. The oracle reads the schema as it is
// written, once by each draft.
func TestAdmittedSchemasMeanTheSameInBothDrafts(t *testing.T) {
	t.Parallel()
	admitted, accepted := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		whole := schemas(3).Draw(t, "schema").(object)
		whole["$defs"] = object{"a": object{"type": "string"}, "c": object{"properties": object{"$ref": object{"maximum": 1}}}, "tree": object{"additionalProperties": object{"$ref": "#/$defs/tree"}, "items": object{"$ref": "#"}}}
		whole["definitions"] = object{"b": object{"$ref": "#/$defs/a"}, "const": object{"minimum": 1}}
		raw := text(t, whole)
		s, err := schema.Admit(raw, schema.Options{Role: schema.Output})
		if err != nil {
			t.Skip(err)
		}
		admitted++
		v, err := s.Compile()
		if err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		var oracles []*jsonschema.Schema
		for _, draft := range []*jsonschema.Draft{jsonschema.Draft7, jsonschema.Draft2020} {
			c := jsonschema.NewCompiler()
			c.DefaultDraft(draft)
			doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(written(t, whole, draft)))
			if err != nil || c.AddResource("mem:///s", doc) != nil {
				t.Fatal(err)
			}
			oracles = append(oracles, c.MustCompile("mem:///s"))
		}
		for range 8 {
			value := text(t, values(3).Draw(t, "value"))
			parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
			if err != nil {
				t.Fatal(err)
			}
			err = v.Check(value)
			if err == nil {
				accepted++
			}
			for i, o := range oracles {
				if want := o.Validate(parsed); (want == nil) != (err == nil) {
					t.Fatalf("%s: %s: got %v, oracle %d says %v", raw, value, err, i, want)
				}
			}
		}
	})
	t.Logf("%d schemas, %d of %d values accepted", admitted, accepted, admitted*8)
}

// chain returns a schema of lists, n deep. A text within the limit of nesting can
// describe them, because each level refers to the next.
func chain(n int) string {
	var b strings.Builder
	for i := range n - 1 {
		fmt.Fprintf(&b, `"d%d":{"items":{"$ref":"#/$defs/d%d"}},`, i, i+1)
	}
	return fmt.Sprintf(`{"$defs":{%s"d%d":{"type":"null"}},"$ref":"#/$defs/d0"}`, b.String(), n-1)
}

// TestASchemaIsAdmittedUpToItsDepth: validators and this package follow a schema
// by calling themselves, so a server must not choose how deep.
func TestASchemaIsAdmittedUpToItsDepth(t *testing.T) {
	t.Parallel()
	got := map[string]string{}
	for name, raw := range map[string]string{
		"references, at the bound":   chain(32),
		"references, past the bound": chain(33),
		"text, at the bound":         nested(47, `{"not":`, `{}`, `}`),
		"text, past the bound":       nested(48, `{"not":`, `{}`, `}`),
	} {
		got[name] = ""
		if _, err := schema.Admit([]byte(raw), schema.Options{Role: schema.Output}); err != nil {
			got[name] = err.Error()
		}
	}
	if diff := cmp.Diff(map[string]string{
		"references, at the bound":   "",
		"references, past the bound": "schema.unenforceable: the root: nested deeper than 64, references followed",
		"text, at the bound":         "",
		"text, past the bound":       "schema.unenforceable: the schema has nesting deeper than 48",
	}, got); diff != "" {
		t.Error(diff)
	}
}
