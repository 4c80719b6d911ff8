package schema_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// doubling is a chain of n definitions that each refer twice to the next.
func doubling(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	return fmt.Sprintf(`{"$defs":{%s"d%d":{}},"$ref":"#/$defs/d0"}`, b.String(), n)
}

// numbers are as many different ones.
func numbers(n int) string {
	var b strings.Builder
	for i := range n - 1 {
		fmt.Fprintf(&b, "%d,", i)
	}
	return b.String() + "-1"
}

// properties are n names, each of them with a value.
func properties(n int, value string, prefix ...string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"%s%x"%s,`, strings.Join(prefix, ""), i, value)
	}
	return strings.TrimSuffix(b.String(), ",")
}

// referredTo is a list of lists, n deep, each level of which is referred to.
func referredTo(n int, within string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"r%d":{"$ref":"#/properties/p%s"},`, i, strings.Repeat("/items", i+1))
	}
	return `{"properties":{` + b.String() + `"p":` + nested(n+1, `{"items":`, `{"properties":{`+within+`}}`, `}`) + `}}`
}

func nested(n int, open, within, shut string) string {
	return strings.Repeat(open, n) + within + strings.Repeat(shut, n)
}

func TestAdmitRefusesWhatCannotBeEnforcedAndSaysWhere(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ schema, reason string }{
		{``, "the schema has a JSON value that ends too early"},
		{`null`, "the root: a schema must be an object or a boolean"},
		{`[]`, "the root: a schema"},
		{`"string"`, "the root: a schema"},
		{`{"type":"object"} {}`, "something after"},
		{`{"type":"object","type":"array"}`, "the same key twice"},
		{"{\"description\":\"\xff\"}", "malformed"},
		{`{"minimum":4E400}`, "exponent"},
		{nested(30, `{"not":`, `{}`, `}`) + strings.Repeat(" ", 128<<10), "over the limit"},
		{nested(50, `{"not":`, `{}`, `}`), "nesting deeper"},

		// Keywords outside the list, and near-misses of those within.
		{`{"Type":"object"}`, `/Type: keyword "Type"`},
		{`{"$id":"http://example.com/s"}`, `/$id: keyword "$id"`},
		{`{"id":"#/$defs/a"}`, `/id: keyword "id"`},
		{`{"$dynamicRef":"#a"}`, `/$dynamicRef`},
		{`{"$recursiveRef":"#"}`, `/$recursiveRef`},
		{`{"properties":{"a":{"nullable":1}}}`, `/properties/a/nullable: keyword "nullable" is not a boolean`},
		{`{"properties":{"a":{"Nullable":true}}}`, `/properties/a/Nullable`},
		{`{"properties":{"a":{"Example":1}}}`, `/properties/a/Example`},
		{`{"$schema":"https://json-schema.org/draft/2019-09/schema","properties":{"a":{"prefixItems":[{}]}}}`, `/properties/a/prefixItems: 2019-09 ignores it`},
		{`{"unevaluatedProperties":false}`, `/unevaluatedProperties`},
		{`{"unevaluatedItems":false}`, `/unevaluatedItems`},
		{`{"prefixItems":[]}`, `/prefixItems`},
		{`{"prefixItems":{}}`, `/prefixItems`},
		{`{"prefixItems":[1]}`, `/prefixItems/0`},
		{`{"prefixItems":[{"x":1}]}`, `/prefixItems/0/x`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"prefixItems":[{}]}}}`, `/properties/a/prefixItems: draft-07 ignores it`},
		{`{"additionalItems":false}`, `/additionalItems`},
		{`{"items":[{}]}`, `/items: a schema must be`},
		{`{"$schema":"https://json-schema.org/draft/2020-12/schema","items":[{}]}`, `/items: a schema must be`},
		{`{"items":[{}],"additionalItems":false}`, `/additionalItems: keyword "additionalItems"`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","items":{},"additionalItems":false}`, `/additionalItems: keyword "additionalItems"`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","additionalItems":{}}`, `/additionalItems: keyword "additionalItems"`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","items":[]}`, `/items: must be a list of schemas`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"items":[{},{"x":1}]}}}`, `/properties/a/items/1/x: keyword "x"`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{}],"additionalItems":{"x":1}}`, `/additionalItems/x: keyword "x"`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{}],"prefixItems":[{}]}`, `a schema must be`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{},{"$ref":"#/prefixItems/0"}]}`, `leads to nothing`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{},{"contains":{"$ref":"#/items/1"}}]}`, `leads back to itself`},
		{`{"dependencies":{"a":["b"]}}`, `/dependencies`},
		{`{"dependentRequired":{"a":["b"]}}`, `/dependentRequired`},
		{`{"dependentSchemas":{"a":{}}}`, `/dependentSchemas`},
		{`{"minContains":1}`, `/minContains`},
		{`{"contentencoding":"base64"}`, `/contentencoding`},
		{`{"discriminator":{"propertyName":"kind"}}`, `/discriminator: a discriminator next to neither oneOf nor anyOf`},
		{`{"discriminator":{"propertyName":"kind"},"allOf":[{}]}`, `/discriminator: a discriminator next to neither oneOf nor anyOf`},
		{`{"X-Order":1}`, `/X-Order: keyword "X-Order"`},
		{`{"x":1}`, `/x: keyword "x"`},
		{`{"x_order":1}`, `/x_order: keyword "x_order"`},
		{`{" x-order":1}`, `/ x-order: keyword " x-order"`},
		{`{"ext-order":1}`, `/ext-order: keyword "ext-order"`},
		{`{"x-defs":{"a":{}},"$ref":"#/x-defs/a"}`, `/$ref: $ref leads to nothing`},
		{`{"properties":{"a/b~c":{"x":1}}}`, `/properties/a~1b~0c/x`},
		{`{"` + strings.Repeat("é", 500) + `":1}`, "is not among those"},

		// Values that a keyword cannot have.
		{`{"type":"any"}`, `/type`},
		{`{"type":[]}`, `/type`},
		{`{"type":["string","string"]}`, `/type`},
		{`{"type":null}`, `/type`},
		{`{"type":["string",1]}`, `/type`},
		{`{"enum":[]}`, `/enum`},
		{`{"enum":{}}`, `/enum`},
		{`{"required":"a"}`, `/required`},
		{`{"required":["a","a"]}`, `/required`},
		{`{"required":[1]}`, `/required`},
		{`{"required":true}`, `/required`},
		{`{"properties":[]}`, `/properties`},
		{`{"properties":{"a":"string"}}`, `/properties/a`},
		{`{"properties":null}`, `/properties`},
		{`{"additionalProperties":"no"}`, `/additionalProperties`},
		{`{"patternProperties":{"(":{}}}`, `/patternProperties/(`},
		{`{"allOf":[]}`, `/allOf`},
		{`{"anyOf":{}}`, `/anyOf`},
		{`{"oneOf":[1]}`, `/oneOf/0`},
		{`{"not":[]}`, `/not`},
		{`{"minLength":-1}`, `/minLength`},
		{`{"minLength":1.5}`, `/minLength`},
		{`{"maxItems":"1"}`, `/maxItems`},
		{`{"maxLength":2147483648}`, `/maxLength`},
		{`{"maxItems":18446744073709551617}`, `/maxItems`},
		{`{"minLength":3,"maxLength":2}`, `/minLength`},
		{`{"minProperties":3,"maxProperties":2}`, `/minProperties`},
		{`{"minimum":"0"}`, `/minimum`},
		{`{"exclusiveMinimum":true,"minimum":0}`, `/exclusiveMinimum`},
		{`{"multipleOf":0}`, `/multipleOf`},
		{`{"multipleOf":-1}`, `/multipleOf`},
		{`{"uniqueItems":1}`, `/uniqueItems`},
		{`{"format":1}`, `/format`},

		// Patterns that RE2 does not have, or reads otherwise than ECMA 262.
		{`{"pattern":"("}`, `/pattern`},
		{`{"pattern":1}`, `/pattern`},
		{`{"pattern":"(?=a)"}`, `"pattern" is not an RE2 expression: it has a look-ahead`},
		{`{"pattern":"^(?!a)b"}`, `it has a look-ahead`},
		{`{"pattern":"(?<=a)b"}`, `it has a look-behind`},
		{`{"pattern":"(a)\\1"}`, `it has a back-reference`},
		{`{"pattern":"\\u{e9}"}`, `it has an escape \u{…}`},
		{`{"pattern":"\\u00e"}`, `is not an RE2 expression`},
		{`{"pattern":"\\u00+9"}`, `is not an RE2 expression`},
		{`{"pattern":"\\ud83d\\ude00"}`, `is not an RE2 expression`},
		{`{"pattern":"\\x{e9}\\u00e9"}`, `uses what RE2 and ECMA 262 read differently`},
		{`{"pattern":"(?i)a"}`, `/pattern`},
		{`{"pattern":"\\Aa"}`, `/pattern`},
		{`{"pattern":"a\\z"}`, `/pattern`},
		{`{"pattern":"\\Qa\\E"}`, `/pattern`},
		{`{"pattern":"[[:alpha:]]"}`, `/pattern`},
		{`{"pattern":"[]a]"}`, `/pattern`},
		{`{"pattern":"[^]a]"}`, `/pattern`},
		{`{"pattern":"\\x{41}"}`, `/pattern`},
		{`{"pattern":"\\pL"}`, `/pattern`},
		{`{"pattern":"` + strings.Repeat("a", 1025) + `"}`, `/pattern`},
		{`{"pattern":"` + strings.Repeat("a{999}", 21) + `"}`, "patterns of more than"},

		// References.
		{`{"properties":{"a":{"$ref":"##"}}}`, `/properties/a/$ref`},
		{`{"$anchor":"a","properties":{"a":{"$ref":"#a"}}}`, `/properties/a/$ref: keyword "$ref" does not refer`},
		{`{"contains":{"$ref":"#"}}`, "/contains/$ref: $ref leads back to itself"},
		{`{"patternProperties":{"^a":{"$ref":"#"}}}`, "leads back to itself"},
		{`{"propertyNames":{"$ref":"#"}}`, "leads back to itself"},
		{`{"$ref":""}`, `/$ref`},
		{`{"$ref":1}`, `/$ref`},
		{`{"$ref":null}`, `/$ref`},
		{`{"$ref":"http://127.0.0.1/s"}`, `/$ref`},
		{`{"$ref":"file:///etc/passwd"}`, `/$ref`},
		{`{"$ref":"other.json#/$defs/a"}`, `/$ref`},
		{`{"$ref":"#a"}`, `/$ref`},
		{`{"$ref":"#/properties/a","properties":{"a":{}}}`, `/properties: keyword "properties" next to $ref`},
		{`{"$ref":"#/$defs/"}`, "leads to nothing"},
		{`{"$ref":"#/$defs"}`, "leads to nothing"},
		{`{"$ref":"#/"}`, "leads to nothing"},
		{`{"properties":{"a":{"$ref":"#/properties"}}}`, "leads to nothing"},
		{`{"properties":{"a":{"$ref":"#/properties/b"},"B":{}}}`, "/properties/a/$ref: $ref leads to nothing"},
		{`{"anyOf":[{},{"$ref":"#/anyOf/00"}]}`, "leads to nothing"},
		{`{"anyOf":[{},{"$ref":"#/anyOf/2"}]}`, "leads to nothing"},
		{`{"anyOf":[{},{"$ref":"#/anyOf/-"}]}`, "leads to nothing"},
		{`{"properties":{"a":{"default":{"type":"null"}},"b":{"$ref":"#/properties/a/default"}}}`, "leads to nothing"},
		{`{"properties":{"a":{"const":{}},"b":{"$ref":"#/properties/a/const"}}}`, "leads to nothing"},
		{`{"properties":{"a":{"enum":[{}]},"b":{"$ref":"#/properties/a/enum/0"}}}`, "leads to nothing"},
		{`{"properties":{"a":{"type":"null"},"b":{"$ref":"#/properties/a/type"}}}`, "leads to nothing"},
		{`{"properties":{"a":{"$ref":"#/properties/b"},"b":{"$ref":"#/$defs/c/items"}},"$defs":{"c":{"items":{"x":1}}}}`, `/$defs/c/items/x`},
		{`{"$defs":{"a b":{}},"$ref":"#/$defs/a%2"}`, `/$ref: keyword "$ref" does not refer`},
		{`{"$defs":{"a~2":{}},"$ref":"#/$defs/a~2"}`, `/$ref: keyword "$ref" does not refer`},
		{`{"$defs":{"a~":{}},"$ref":"#/$defs/a~"}`, `/$ref: keyword "$ref" does not refer`},
		{`{"$defs":{"a":{}},"$ref":"#%2F$defs/a"}`, `/$ref: keyword "$ref" does not refer`},
		{`{"$defs":{"A":{}},"$ref":"#/$defs/a"}`, "leads to nothing"},
		{`{"properties":{"a":{"contains":{"$ref":"#/properties/a"}}}}`, "leads back to itself"},
		{`{"prefixItems":[{"contains":{"$ref":"#/prefixItems/1"}},{"contains":{"$ref":"#/prefixItems/0"}}]}`, "leads back to itself"},
		{`{"$defs":{"a":{}},"$ref":"#/$defs/b"}`, `/$ref: $ref leads to nothing`},
		{`{"$defs":{"a":{}},"$ref":"#/definitions/a"}`, `/$ref: $ref leads to nothing`},
		{`{"$defs":{"a":{}},"$ref":"#/$defs/a","type":"string"}`, `/type: keyword "type" next to $ref`},
		{`{"$defs":{"a":{}},"$ref":"#/$defs/a","properties":{"b":{}}}`, `/properties: keyword`},
		{`{"$defs":{"a":{"patternProperties":{"^x":{"$ref":"#/$defs/a"}}}},"$ref":"#/$defs/a"}`, "leads back to itself"},
		{`{"$defs":{"a":{"patternProperties":{"^x":{"$ref":"#/$defs/a"}}}}}`, "leads back to itself"},
		{`{"$defs":{"a":{"properties":{"n":{"contains":{"$ref":"#/$defs/b"}}}},"b":{"patternProperties":{"^a":{"$ref":"#/$defs/b"}}}},"$ref":"#/$defs/a"}`, "leads back to itself"},
		{`{"$defs":{"a":{"x":1}}}`, `/$defs/a/x`},
		{`{"$defs":[]}`, `/$defs`},
		{`{"definitions":{"a":1}}`, `/definitions/a`},
		{`{"properties":{"a":{"$defs":{"b":{"x":1}}}}}`, `/properties/a/$defs/b/x`},
		{`{"properties":{"a":{"$defs":[]}}}`, `/properties/a/$defs`},
		{doubling(12), "more than 5000 schemas, references followed"},

		// Dialects.
		{`{"$schema":"http://json-schema.org/draft-04/schema#"}`, `/$schema`},
		{`{"$schema":"http://json-schema.org/draft-06/schema#"}`, `/$schema`},
		{`{"$schema":"https://json-schema.org/draft/2019-09/hyper-schema"}`, `/$schema`},
		{`{"$schema":"http://127.0.0.1/schema"}`, `/$schema`},
		{`{"$schema":7}`, `/$schema`},
		{`{"properties":{"a":{"$schema":"http://json-schema.org/draft-07/schema#"}}}`, "a dialect below the root"},
		{`{"$schema":"https://json-schema.org/draft/2020-12/schema","properties":{"a":{"$schema":"http://json-schema.org/draft-07/schema#"}}}`, "a dialect below the root"},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"$schema":"http://json-schema.org/draft-07/schema"}}}`, "a dialect below the root"},

		// Size.
		{`{"enum":[` + numbers(6000) + `]}`, "more than 5000 schemas"},
		{`{"anyOf":[` + strings.Repeat(`{},`, 2000) + `{}]}`, "more than 2000 schemas"},
		{`{"required":[` + properties(2001, "") + `]}`, "more than 2000 names"},

		// Size in sum: each part is small enough.
		{`{"properties":{` + properties(110, `:{"pattern":"^[a-z]{1,1000}$"}`) + `}}`, "/pattern: the schema would take more than 16 MiB once it is compiled"},
		{`{"properties":{` + properties(60, `:{"pattern":"^(a?b){1,600}$"}`) + `}}`, "16 MiB"},
		{`{"properties":{` + properties(110, `:{"items":{"pattern":"((a{30}){33}b)"}}`) + `},"patternProperties":{"(a{30}){33}":{},"(b{30}){33}":{}}}`, "/pattern"},
		{`{"properties":{` + properties(110, `:{"pattern":"`+strings.Repeat(`\\p{L}`, 120)+`"}`) + `}}`, "16 MiB"},
		{`{"patternProperties":{` + properties(110, `:{}`, "a{990}") + `}}`, "patternProperties"},
		{referredTo(30, properties(400, `:{}`)), "/$ref: the schema would take more than 16 MiB"},
		{`{"properties":{` + properties(4, `:{"enum":[`+numbers(4800)+`]}`) + `}}`, "16 MiB"},
	} {
		s, err := schema.Admit([]byte(c.schema), schema.Options{Role: schema.Output})
		var d *verdict.Denial
		if !errors.As(err, &d) {
			t.Errorf("%.120s: got %v, want a denial that says %q", c.schema, err, c.reason)
			continue
		}
		if d.Code != verdict.SchemaUnenforceable {
			t.Errorf("%.120s: the code %s", c.schema, d.Code)
		}
		if !strings.Contains(d.Reason, c.reason) {
			t.Errorf("%.120s: %q does not say %q", c.schema, d.Reason, c.reason)
		}
		if len(d.Reason) > 500 {
			t.Errorf("%.120s: a reason of %d bytes", c.schema, len(d.Reason))
		}
		if s != (schema.Schema{}) {
			t.Errorf("%.120s: refused, with a schema", c.schema)
		}
	}
}

func TestAdmitTakesWhatIsNearby(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		`true`, `false`, `{}`, `{"type":["string","null"]}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#"}`, `{"$schema":"http://json-schema.org/draft-07/schema"}`,
		`{"$schema":"https://json-schema.org/draft/2020-12/schema"}`,
		`{"$defs":{"a":{},"b":{"$ref":"#/$defs/a"}},"anyOf":[{"$ref":"#/$defs/a","description":"d","default":1},{"$ref":"#/$defs/b"}]}`,
		`{"properties":{"$ref":{"type":"string"},"$id":{"type":"string"},"id":{},"enum":{},"const":{},"properties":{}}}`,
		`{"$defs":{"$ref":{},"$id":{},"id":{},"const":{"$ref":"#/$defs/id"},"enum":{},"properties":{"$ref":"#/$defs/id"}}}`,
		`{"enum":[{"$ref":"http://127.0.0.1/"},"$ref",null,true,1,1.0,[1],[1.0]]}`,
		`{"enum":[9007199254740992,9007199254740993,[9007199254740992],[9007199254740993]]}`,
		`{"minLength":2.0,"maxLength":2e0,"maxItems":2147483647}`,
		`{"pattern":"^[\\w.%+-]+@\\[a-z]\\(?i\\)(?:x|y)(?<n>z)\\p{L}\\x41[a\\]b]$"}`,
		`{"then":{},"else":{}}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"result":{"$schema":"http://json-schema.org/draft-07/schema#","type":"array"}}}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"type":"array","items":[{"type":"string"},{"$ref":"#/properties/a/items/0"}],"additionalItems":{"$ref":"#/properties/a/items/1"}},"b":{"$ref":"#/properties/a/additionalItems"}}}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"items":{"items":[{}]}},"properties":{"items":{"items":[{"$ref":"#/definitions/items"}]}}}`,
		`{"anyOf":[{"type":"string"},{"type":"null"}],"discriminator":{"propertyName":"kind","mapping":{"a":"#/$defs/A"}}}`,
		`{"properties":{"a":{"type":"string","contentEncoding":"base64","contentMediaType":"image/png","contentSchema":{"unknown":1}}}}`,
		`{"patternProperties":{"^\\u00e9":{},"^\\u00E9":{}},"pattern":"\\\\u00e9[\\u4e00-\\u9fff]"}`,
		`{"$schema":"https://json-schema.org/draft/2019-09/schema","$anchor":"root","properties":{"a":{"$anchor":"a","example":1}}}`,
		`{"properties":{"a":{"$ref":"#"},"b":{"items":{"$ref":"#/properties/b"}},"c":{"additionalProperties":{"$ref":"#/properties/b/items"}}}}`,
		`{"properties":{"a":{"prefixItems":[{"$ref":"#/properties/a"}],"items":{"anyOf":[{"type":"null"},{"$ref":"#"}]}}}}`,
		`{"properties":{"a":{"$defs":{"b":{"$ref":"#/properties/a"}}}}}`,
		`{"$defs":{"a":{"contains":{"properties":{"a":{"$ref":"#/$defs/a"}}}}},"items":{"$ref":"#/$defs/a"}}`,
		`{"properties":{"a":{"type":"string","nullable":true},"b":{"nullable":false},"c":{"nullable":true,"anyOf":[{"type":"null"}]}}}`,
		nested(21, `{"not":`, `{}`, `}`),
		`{"anyOf":[` + strings.Repeat(`{},`, 1990) + `{}]}`,
		doubling(10),
		`{"properties":{"a":{"type":"null"},"b":{"$ref":"#/properties/a"},"c":{"$ref":"#/properties/b"}}}`,
		`{"properties":{"a":{"$defs":{"n":{"type":"null"}},"items":{"$ref":"#/properties/a/$defs/n"}}}}`,
		`{"properties":{"a":{"anyOf":[{"type":"null"},{"not":{"$ref":"#/properties/a/anyOf/0"}}]}}}`,
		`{"$defs":{"a b":{},"a/b~":{"not":{}},"%":{}},"allOf":[{"$ref":"#/$defs/a%20b"},{"$ref":"#/$defs/a b"},{"$ref":"#/$defs/a~1b~0/not"},{"$ref":"#/$defs/%25"}]}`,
		`{"prefixItems":[{"type":"null"},false],"items":false}`,
		referredTo(8, properties(400, `:{}`)),
		`{"prefixItems":[{},{"$ref":"#/prefixItems/0"}],"items":{"$ref":"#/prefixItems/0"}}`,
	} {
		for _, role := range []schema.Role{schema.Output, schema.Input} {
			if role == schema.Input {
				if s[0] != '{' || strings.HasPrefix(s, `{"type`) {
					continue
				}
				s = strings.Replace(`{"type":"object",`+s[1:], ",}", "}", 1)
				if strings.Contains(s, `"$ref":"#/$defs/d0"}`) {
					continue // a reference at the root cannot be next to a type
				}
			}
			a, err := schema.Admit([]byte(s), schema.Options{Role: role})
			if err != nil {
				t.Errorf("%.200s: %v", s, err)
				continue
			}
			if _, err := a.Compile(); err != nil {
				t.Errorf("%.200s: admitted, does not compile: %v", s, err)
			}
			if string(a.Raw()) != s {
				t.Errorf("%.200s: raw is %.200s", s, a.Raw())
			}
		}
	}
}

func TestInputSchemasDescribeAnObject(t *testing.T) {
	t.Parallel()
	for _, s := range []string{`true`, `{"type":"string"}`, `{"type":["object"]}`, `{"type":["object","null"]}`} {
		if _, err := schema.Admit([]byte(s), schema.Options{Role: schema.Input}); verdict.CodeOf(err) != verdict.SchemaUnenforceable {
			t.Errorf("%s: got %v", s, err)
		}
		if _, err := schema.Admit([]byte(s), schema.Options{Role: schema.Output}); err != nil {
			t.Errorf("%s, of an output: %v", s, err)
		}
	}
}

// Arguments are an object in any case. Of an input schema without a type each of the
// two validators still refuses anything else.
func TestAnInputSchemaWithoutATypeDescribesAnObject(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		schema    string
		fits, not []string
	}{
		{`{}`, []string{`{}`}, []string{`{"a":1}`, `null`, `[]`, `"a"`}},
		{`{"$schema":"http://json-schema.org/draft-07/schema#"}`, []string{`{}`}, []string{`{"a":1}`, `1`}},
		{`{"properties":{"a":{"type":"string"}},"required":["a"]}`, []string{`{"a":"x"}`}, []string{`{}`, `{"a":1}`, `{"a":"x","b":1}`, `null`}},
		{`{"anyOf":[{"required":["a"]},{"required":["b"]}],"properties":{"a":{},"b":{}}}`, []string{`{"b":1}`}, []string{`{}`, `[]`}},
		{`{"$ref":"#/definitions/t","definitions":{"t":{"properties":{"a":{"type":"integer"}}}}}`, []string{`{"a":1}`, `{}`}, []string{`{"a":"1"}`, `{"b":1}`, `7`, `null`}},
		{`{"type":"object","nullable":true}`, []string{`{}`}, []string{`null`}},
	} {
		v := compiled(t, []byte(c.schema), schema.Input)
		for _, value := range c.fits {
			if err := v.Check([]byte(value)); err != nil {
				t.Errorf("%s refuses %s: %v", c.schema, value, err)
			}
		}
		for _, value := range c.not {
			if v.Check([]byte(value)) == nil {
				t.Errorf("%s takes %s", c.schema, value)
			}
		}
	}
}

func TestUnknownFormatsAreNotedOrRefused(t *testing.T) {
	t.Parallel()
	raw := []byte(`{"type":"object","properties":{"a":{"type":"string","format":"hostname"},"b":{"format":"uuid"},"c":{"format":"URI"}}}`)
	s, err := schema.Admit(raw, schema.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{`/properties/a/format: format "hostname" is not enforced`, `/properties/c/format: format "URI" is not enforced`}, s.Notes()); diff != "" {
		t.Error(diff)
	}
	v, err := s.Compile()
	if err != nil || v.Check([]byte(`{"a":"-","c":"-"}`)) != nil {
		t.Errorf("%v: an unknown format was enforced", err)
	}
	s.Notes()[0] = "changed"
	if s.Notes()[0] == "changed" {
		t.Error("notes can be changed from outside")
	}
	_, err = schema.Admit(raw, schema.Options{StrictFormats: true})
	if verdict.CodeOf(err) != verdict.SchemaUnenforceable || !strings.Contains(err.Error(), "/properties/a/format") {
		t.Error(err)
	}
}

func TestRawCannotChangeWhatWasAdmitted(t *testing.T) {
	t.Parallel()
	raw := []byte(`{"type":"object","properties":{"a":{"type":"string"}}}`)
	s, err := schema.Admit(raw, schema.Options{})
	if err != nil {
		t.Fatal(err)
	}
	copy(raw, `{"type":"object","properties":{"a":{"type":"number"}}}`)
	copy(s.Raw(), raw)
	v, err := s.Compile()
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Check([]byte(`{"a":"x"}`)); err != nil {
		t.Errorf("the schema changed after its admission: %v", err)
	}
	if v.Check([]byte(`{"a":1}`)) == nil {
		t.Error("the schema changed after its admission: it takes a number")
	}
}

func TestZeroValuesRefuse(t *testing.T) {
	t.Parallel()
	var s schema.Schema
	if _, err := s.Compile(); verdict.CodeOf(err) != verdict.SchemaUnenforceable {
		t.Error(err)
	}
	if s.Raw() != nil {
		t.Errorf("the zero schema has the text %s", s.Raw())
	}
	if s.Notes() != nil {
		t.Errorf("the zero schema has the notes %q", s.Notes())
	}
	var m *schema.Mismatch
	if err := (schema.Validator{}).Check([]byte(`{}`)); !errors.As(err, &m) {
		t.Error(err)
	}
}
