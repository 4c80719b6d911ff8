package schema_test

import (
	stdjson "encoding/json"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/onestep-run/onestep/eval/corpus"
	"github.com/onestep-run/onestep/gate/schema"
)

// In each case, every value fits the original schema, unless the case says otherwise.
// So closing alone refuses the others.
var closing = []struct {
	name, schema string
	fits         []string
	extra        map[string]string // value: where the mismatch is
}{
	{
		name:   "a root without properties takes nothing",
		schema: `{"type":"object"}`,
		fits:   []string{`{}`},
		extra:  map[string]string{`{"a":1}`: "/a", `{"":1}`: "/"},
	},
	{
		name:   "a root that requires what it does not list takes nothing at all",
		schema: `{"type":"object","required":["a"]}`,
		extra:  map[string]string{`{"a":1}`: "/a"},
	},
	{
		name:   "a root with empty properties takes nothing",
		schema: `{"type":"object","properties":{}}`,
		fits:   []string{`{}`},
		extra:  map[string]string{`{"a":1}`: "/a"},
	},
	{
		name:   "a root that states additionalProperties is as it says",
		schema: `{"type":"object","additionalProperties":{"type":"string"}}`,
		fits:   []string{`{}`, `{"a":"x"}`},
	},
	{
		name:   "true is a statement",
		schema: `{"type":"object","properties":{"a":{}},"additionalProperties":true}`,
		fits:   []string{`{"b":1}`, `{"a":{"x":1},"b":{"y":[{"z":1}]}}`},
	},
	{
		name:   "names are compared by code point",
		schema: `{"type":"object","properties":{"key":{},"":{}}}`,
		fits:   []string{`{"key":1}`, `{"":1}`, `{"k\u0065y":1}`},
		extra:  map[string]string{`{"Key":1}`: "/Key", `{"key ":1}`: "/key ", "{\"\u212aey\":1}": "/\u212aey", `{"a/b~":1}`: "/a~1b~0"},
	},
	{
		name:   "a nested object that lists members is closed, one that lists none is open",
		schema: `{"type":"object","properties":{"c":{"type":"object","properties":{"a":{}}},"o":{"type":"object"},"e":{"type":"object","properties":{}},"t":true}}`,
		fits:   []string{`{"c":{"a":1},"o":{"x":{"y":1}},"e":{"x":1},"t":{"x":1}}`, `{"c":{"a":{"x":1}}}`, `{"c":{}}`},
		extra:  map[string]string{`{"c":{"b":1}}`: "/c/b", `{"c":{"a":1,"b":1}}`: "/c/b"},
	},
	{
		name:   "members required are not thereby listed",
		schema: `{"type":"object","properties":{"o":{"type":"object","required":["x"]},"c":{"type":"object","properties":{"a":{}},"required":["x"]}}}`,
		fits:   []string{`{"o":{"x":1,"y":1}}`},
		extra:  map[string]string{`{"c":{"x":1}}`: "/c/x"},
	},
	{
		name:   "an object that lists members is closed even where no type is stated",
		schema: `{"type":"object","properties":{"c":{"properties":{"a":{}}}}}`,
		fits:   []string{`{"c":5}`, `{"c":[{"b":1}]}`, `{"c":{"a":1}}`},
		extra:  map[string]string{`{"c":{"b":1}}`: "/c/b"},
	},
	{
		name: "what is referred to elsewhere is closed there too, with what its new place lists",
		schema: `{"type":"object","properties":{"a":{"type":"object","properties":{"x":{}}},"b":{"$ref":"#/properties/a"},
			"c":{"properties":{"y":{}},"allOf":[{"$ref":"#/properties/a"}]},"d":{"type":"array","items":{"$ref":"#/properties/a"}}}}`,
		fits:  []string{`{"a":{"x":1},"b":{"x":1},"c":{"x":1,"y":1},"d":[{"x":1}]}`},
		extra: map[string]string{`{"a":{"y":1}}`: "/a/y", `{"b":{"y":1}}`: "/b/y", `{"c":{"z":1}}`: "/c/z", `{"d":[{"x":1},{"y":1}]}`: "/d/1/y"},
	},
	{
		name:   "a reference in not is a test of what it leads to as it is written",
		schema: `{"type":"object","properties":{"a":{"type":"object","properties":{"x":{"const":1}}},"b":{"not":{"$ref":"#/properties/a"}}}}`,
		fits:   []string{`{"b":{"x":2}}`, `{"b":1}`},
		extra:  map[string]string{`{"b":{"x":1,"y":1}}`: "/b"},
	},
	{
		name: "the first items are closed each by its own list, the rest by theirs",
		schema: `{"type":"object","properties":{"p":{"prefixItems":[{"properties":{"a":{}}},{"type":"object"},true],
			"items":{"properties":{"r":{}}}}}}`,
		fits:  []string{`{"p":[{"a":1},{"b":1},{"c":1},{"r":1}]}`, `{"p":[]}`},
		extra: map[string]string{`{"p":[{"r":1}]}`: "/p/0/r", `{"p":[{},{},{},{},{"a":1}]}`: "/p/4/a"},
	},
	{
		name: "items listed above close an item described again, if they are that item's",
		schema: `{"type":"object","properties":{"p":{"items":{"properties":{"a":{},"b":{}}},"allOf":[{"prefixItems":[{"properties":{"a":{"type":"null"}}}]}]},
			"q":{"prefixItems":[true],"items":{"properties":{"a":{},"b":{}}},"allOf":[{"items":{"properties":{"a":{}}}}]},
			"r":{"prefixItems":[{"properties":{"a":{},"b":{}}}],"allOf":[{"prefixItems":[{"properties":{"a":{}}},{"properties":{"a":{}}}]}]}}}`,
		fits:  []string{`{"p":[{"a":null,"b":1},{"a":1,"b":1}]}`, `{"q":[{"a":1},{"a":1}]}`, `{"r":[{"a":1,"b":1},{"a":1}]}`},
		extra: map[string]string{`{"p":[{"c":1}]}`: "/p/0/c", `{"q":[{"c":1}]}`: "/q/0/c", `{"q":[{"b":1}]}`: "/q/0/b", `{"r":[{},{"b":1}]}`: "/r/1/b", `{"r":[{"c":1}]}`: "/r/0/c"},
	},
	{
		name:   "branches of allOf together name",
		schema: `{"type":"object","allOf":[{"properties":{"a":{}}},{"properties":{"b":{}}},{"allOf":[{"properties":{"c":{}}}]}]}`,
		fits:   []string{`{"a":1,"b":2,"c":3}`},
		extra:  map[string]string{`{"a":1,"d":1}`: "/d"},
	},
	{
		name:   "additionalProperties in one branch of allOf is stated for the object",
		schema: `{"type":"object","properties":{"a":{}},"allOf":[{"additionalProperties":{"type":"number"}}]}`,
		fits:   []string{`{"a":1,"z":2}`},
	},
	{
		name: "failed branches of anyOf name nothing",
		schema: `{"type":"object","anyOf":[{"properties":{"kind":{"const":"a"},"a":{}},"required":["kind"]},
			{"properties":{"kind":{"const":"b"},"b":{}},"required":["kind"]},{"properties":{"both":{}},"required":["both"]}]}`,
		fits:  []string{`{"kind":"a","a":1}`, `{"kind":"b","b":1}`, `{"kind":"a","a":1,"both":1}`},
		extra: map[string]string{`{"kind":"a","b":1}`: "/b", `{"kind":"b","a":1}`: "/a", `{"kind":"a","a":1,"c":1}`: "/c"},
	},
	{
		name: "a failed branch that states additionalProperties opens nothing",
		schema: `{"type":"object","properties":{"k":{}},"anyOf":[{"properties":{"k":{"const":1}}},
			{"properties":{"k":{"const":2}},"required":["k"],"additionalProperties":true}]}`,
		fits:  []string{`{"k":1}`, `{}`, `{"k":2,"z":1}`},
		extra: map[string]string{`{"k":1,"z":1}`: "/z", `{"z":1}`: "/z"},
	},
	{
		name: "an object does not become open by failing the branch that lists",
		schema: `{"type":"object","properties":{"o":{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},
			{"type":"object"}]}}}`,
		fits:  []string{`{"o":{"a":"x"}}`, `{"o":{}}`},
		extra: map[string]string{`{"o":{"b":1}}`: "/o/b", `{"o":{"a":1}}`: "/o/a"},
	},
	{
		name:   "a value or null",
		schema: `{"type":"object","properties":{"o":{"anyOf":[{"type":"null"},{"type":"object","properties":{"a":{}}}]}}}`,
		fits:   []string{`{"o":null}`, `{"o":{"a":1}}`},
		extra:  map[string]string{`{"o":{"b":1}}`: "/o/b"},
	},
	{
		// With closed branches {"a":1,"b":1} would match the second branch
		// alone; it matches both, so it is refused, and closing leaves it so.
		name:   "closing does not turn two matches of oneOf into one",
		schema: `{"type":"object","oneOf":[{"properties":{"a":{}},"required":["a"]},{"properties":{"a":{},"b":{}},"required":["b"]}]}`,
		fits:   []string{`{"a":1}`, `{"b":1}`},
		extra:  map[string]string{`{"b":1,"c":1}`: "/c", `{"a":1,"b":1}`: ""},
	},
	{
		name:   "nor does it turn a failed not into a passed one",
		schema: `{"type":"object","properties":{"a":{}},"not":{"properties":{"a":{"properties":{"x":{}}}},"required":["a"]}}`,
		fits:   []string{`{}`},
		extra:  map[string]string{`{"a":{"y":1}}`: "", `{"b":1}`: "/b"},
	},
	{
		name:   "not names nothing",
		schema: `{"type":"object","properties":{"a":{}},"not":{"properties":{"b":{"const":1}},"required":["b"]}}`,
		fits:   []string{`{"a":1}`},
		extra:  map[string]string{`{"b":2}`: "/b"},
	},
	{
		name: "if names when it holds, then and else as they apply",
		schema: `{"type":"object","properties":{"k":{}},"if":{"properties":{"k":{"const":1},"i":{}},"required":["k"]},
			"then":{"properties":{"t":{}}},"else":{"properties":{"e":{}}}}`,
		fits:  []string{`{"k":1,"i":1,"t":1}`, `{"k":2,"e":1}`, `{"e":1}`},
		extra: map[string]string{`{"k":1,"e":1}`: "/e", `{"k":2,"t":1}`: "/t", `{"k":2,"i":1}`: "/i"},
	},
	{
		name:   "if alone closes nothing",
		schema: `{"type":"object","properties":{"o":{"type":"object","if":{"properties":{"a":{}}}}}}`,
		fits:   []string{`{"o":{"z":1}}`},
	},
	{
		name:   "then closes whether it applies or not",
		schema: `{"type":"object","properties":{"o":{"type":"object","if":{"required":["k"]},"then":{"properties":{"k":{}}}}}}`,
		fits:   []string{`{"o":{"k":1}}`, `{"o":{}}`},
		extra:  map[string]string{`{"o":{"k":1,"z":1}}`: "/o/z", `{"o":{"z":1}}`: "/o/z"},
	},
	{
		name: "a condition on a nested object and the list of its members stand apart",
		schema: `{"type":"object","properties":{"o":{"type":"object","properties":{"k":{},"v":{}}}},
			"if":{"properties":{"o":{"properties":{"k":{"const":1}},"required":["k"]}},"required":["o"]},
			"then":{"properties":{"o":{"properties":{"v":{"type":"string"}},"required":["v"]}}}}`,
		fits:  []string{`{"o":{"k":1,"v":"x"}}`, `{"o":{"k":2}}`, `{"o":{"v":1}}`},
		extra: map[string]string{`{"o":{"k":1,"v":"x","z":1}}`: "/o/z", `{"o":{"k":1,"v":1}}`: "/o/v"},
	},
	{
		// As in draft 2020-12, where neither branch sees into the other.
		name:   "two branches that describe one nested object must each name all of it",
		schema: `{"type":"object","allOf":[{"properties":{"o":{"properties":{"a":{}}}}},{"properties":{"o":{"properties":{"b":{}}}}}]}`,
		fits:   []string{`{"o":{}}`},
		extra:  map[string]string{`{"o":{"a":1,"b":1}}`: "/o/a", `{"o":{"a":1}}`: "/o/a", `{"o":{"c":1}}`: "/o/c"},
	},
	{
		name: "a shared definition is closed where it is used, with what stands beside it",
		schema: `{"type":"object","$defs":{"base":{"type":"object","properties":{"id":{}}},
			"more":{"allOf":[{"$ref":"#/$defs/base"},{"properties":{"x":{}}}]}},
			"properties":{"b":{"$ref":"#/$defs/base"},"m":{"$ref":"#/$defs/more"},"l":{"type":"array","items":{"$ref":"#/$defs/more"}}}}`,
		fits:  []string{`{"b":{"id":1},"m":{"id":1,"x":1},"l":[{"id":1,"x":1},{"x":1}]}`},
		extra: map[string]string{`{"b":{"x":1}}`: "/b/x", `{"m":{"y":1}}`: "/m/y", `{"l":[{"x":1},{"id":1,"y":1}]}`: "/l/1/y"},
	},
	{
		name:   "definitions of draft-07",
		schema: `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","definitions":{"p":{"type":"object","properties":{"x":{}}}},"properties":{"p":{"$ref":"#/definitions/p","description":"beside it"}}}`,
		fits:   []string{`{"p":{"x":1}}`},
		extra:  map[string]string{`{"p":{"y":1}}`: "/p/y"},
	},
	{
		name:   "items of arrays, and of arrays in arrays",
		schema: `{"type":"object","properties":{"l":{"items":{"items":{"properties":{"a":{}}}}}}}`,
		fits:   []string{`{"l":[[{"a":1},5,"x"],[]]}`},
		extra:  map[string]string{`{"l":[[],[{"a":1},{"b":1}]]}`: "/l/1/1/b"},
	},
	{
		name:   "items that nothing describes are open",
		schema: `{"type":"object","properties":{"l":{"type":"array"}}}`,
		fits:   []string{`{"l":[{"x":1}]}`},
	},
	{
		name:   "contains is a test: it closes nothing and names nothing",
		schema: `{"type":"object","properties":{"l":{"items":{"properties":{"k":{},"v":{}}},"contains":{"properties":{"k":{"const":1},"z":{}},"required":["k"]}}}}`,
		fits:   []string{`{"l":[{"k":1,"v":2},{"v":1}]}`},
		extra:  map[string]string{`{"l":[{"k":1,"z":2}]}`: "/l/0/z"},
	},
	{
		name:   "patternProperties name, and close what they do not name",
		schema: `{"type":"object","patternProperties":{"^x-":{"type":"object","properties":{"a":{}}}},"properties":{"o":{"type":"object","patternProperties":{"^y":{}}}}}`,
		fits:   []string{`{"x-1":{"a":1},"o":{"y1":1}}`},
		extra:  map[string]string{`{"y":1}`: "/y", `{"x-1":{"b":1}}`: "/x-1/b", `{"o":{"x":1}}`: "/o/x", `{"ax-":1}`: "/ax-"},
	},
	{
		name:   "what additionalProperties describes is closed in turn",
		schema: `{"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"object","properties":{"a":{}}}}}}`,
		fits:   []string{`{"m":{"any":{"a":1},"other":{}}}`},
		extra:  map[string]string{`{"m":{"any":{"b":1}}}`: "/m/any/b"},
	},
	{
		name:   "additionalProperties says nothing about the members that are listed",
		schema: `{"type":"object","properties":{"m":{"properties":{"a":{"properties":{"x":{}}}},"additionalProperties":{"properties":{"y":{}}}}}}`,
		fits:   []string{`{"m":{"a":{"x":1},"b":{"y":1}}}`},
		extra:  map[string]string{`{"m":{"a":{"y":1}}}`: "/m/a/y", `{"m":{"b":{"x":1}}}`: "/m/b/x"},
	},
	{
		name:   "propertyNames names nothing",
		schema: `{"type":"object","propertyNames":{"enum":["a","b"]},"properties":{"a":{}}}`,
		fits:   []string{`{"a":1}`},
		extra:  map[string]string{`{"b":1}`: "/b"},
	},
	{
		name:   "false names a member that nothing fits",
		schema: `{"type":"object","properties":{"a":false,"b":true}}`,
		fits:   []string{`{}`, `{"b":{"x":1}}`},
		extra:  map[string]string{`{"a":1}`: "/a", `{"c":1}`: "/c"},
	},
	{
		name: "a definition that is tested is tested as it is written",
		schema: `{"type":"object","$defs":{"k":{"required":["o"],"properties":{"o":{"required":["a"],"properties":{"a":{"const":1}}}}}},
			"properties":{"o":{"properties":{"a":{},"b":{}}},"t":{},"e":{}},"if":{"$ref":"#/$defs/k"},"then":{"required":["t"]},"else":{"required":["e"]}}`,
		fits:  []string{`{"o":{"a":1,"b":1},"t":1}`, `{"o":{"a":2},"e":1}`},
		extra: map[string]string{`{"o":{"a":1,"b":1},"e":1}`: "", `{"o":{"a":1,"c":1},"t":1}`: "/o/c"},
	},
	{
		name: "an alternative that states additionalProperties takes what the closed one does not",
		schema: `{"type":"object","properties":{"l":{"items":{"anyOf":[{"type":"object","properties":{"s":{"type":"object","properties":{"a":{}}}},"required":["s"]},
			{"type":"object","additionalProperties":{}}]}}}}`,
		fits: []string{`{"l":[{"s":{"a":1}},{"s":{"b":1}},{"t":1}]}`},
	},
	{
		name:   "a nested object listed only in a branch is closed there",
		schema: `{"type":"object","properties":{"o":{"type":"object"}},"allOf":[{"properties":{"o":{"properties":{"a":{}}}}}]}`,
		fits:   []string{`{"o":{"a":1}}`},
		extra:  map[string]string{`{"o":{"z":1}}`: "/o/z"},
	},
	{
		name:   "default is never filled in",
		schema: `{"type":"object","properties":{"a":{"type":"string","default":"x"}},"required":["a"]}`,
		fits:   []string{`{"a":"y"}`},
		extra:  map[string]string{`{}`: ""},
	},
}

// A schema that names nothing is said to, whatever the argument is called: some servers
// publish a union of objects so.
func TestASchemaWithoutParametersIsNamed(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`{"type":"object","properties":{}}`:                                      "at /a: the schema names no parameters at all",
		`{"type":"object"}`:                                                      "at /a: the schema names no parameters at all",
		`{"type":"object","properties":{"b":{}}}`:                                "at /a: the schema names no such member",
		`{"type":"object","anyOf":[{"properties":{"b":{}}},{"required":["c"]}]}`: "at /a: the schema names no such member",
	} {
		s, err := schema.Admit([]byte(raw), schema.Options{Role: schema.Input})
		if err != nil {
			t.Fatal(err)
		}
		v, err := s.Compile()
		if err != nil {
			t.Fatal(err)
		}
		if err := v.Check([]byte(`{"a":1}`)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", raw, err, want)
		}
	}
}

func TestClosingRefusesWhatTheSchemaDoesNotName(t *testing.T) {
	t.Parallel()
	for _, c := range closing {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in, out := compiled(t, []byte(c.schema), schema.Input), compiled(t, []byte(c.schema), schema.Output)
			for _, value := range c.fits {
				if err := in.Check([]byte(value)); err != nil {
					t.Errorf("%s: %v", value, err)
				}
				if err := out.Check([]byte(value)); err != nil {
					t.Errorf("%s, as an output: %v", value, err)
				}
			}
			for value, pointer := range c.extra {
				var m *schema.Mismatch
				if err := in.Check([]byte(value)); !errors.As(err, &m) || m.Pointer != pointer {
					t.Errorf("%s: got %v, want a mismatch at %q", value, err, pointer)
				}
			}
		})
	}
}

func TestOutputsAreNotClosed(t *testing.T) {
	t.Parallel()
	v := compiled(t, []byte(`{"type":"object","properties":{"a":{"properties":{"b":{}}}}}`), schema.Output)
	if err := v.Check([]byte(`{"a":{"x":1},"y":1}`)); err != nil {
		t.Error(err)
	}
}

// reference says closing in JSON Schema itself, for schemas without
// conditions: unevaluatedProperties:false at the outermost schema of each
// object location. It is the definition, written down a second time.
type reference struct{ root object }

func (r reference) close(s any, outermost bool) any {
	m, ok := s.(object)
	if !ok {
		return s
	}
	out := maps.Clone(m)
	for _, k := range []string{"properties", "patternProperties", "$defs", "definitions"} {
		if named, ok := m[k].(object); ok {
			sub := object{}
			for name, v := range named {
				sub[name] = r.close(v, strings.HasSuffix(strings.ToLower(k), "properties"))
			}
			out[k] = sub
		}
	}
	for _, k := range []string{"allOf", "anyOf", "oneOf"} {
		if list, ok := m[k].([]any); ok {
			sub := make([]any, len(list))
			for i, v := range list {
				sub[i] = r.close(v, false)
			}
			out[k] = sub
		}
	}
	for _, k := range []string{"items", "additionalProperties"} {
		if v, ok := m[k]; ok {
			out[k] = r.close(v, true)
		}
	}
	if outermost && r.lists(m) {
		out["unevaluatedProperties"] = false
	}
	return out
}

func (r reference) lists(m object) bool {
	if named, ok := m["properties"].(object); ok && len(named) > 0 {
		return true
	}
	var beside []any
	for _, k := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := m[k].([]any)
		beside = append(beside, list...)
	}
	if ref, ok := m["$ref"].(string); ok {
		part := strings.Split(ref, "/")
		beside = append(beside, r.root[part[1]].(object)[part[2]])
	}
	return slices.ContainsFunc(beside, func(s any) bool {
		sub, ok := s.(object)
		return ok && r.lists(sub)
	})
}

// fits compiles the schema as it is and closed; both must accept.
func (r reference) fits(tb testing.TB) func(value any) bool {
	tb.Helper()
	shut := r.close(r.root, false).(object)
	shut["unevaluatedProperties"] = false
	c := jsonschema.NewCompiler()
	for name, doc := range map[string]object{"mem:///open": r.root, "mem:///shut": shut} {
		delete(doc, "$schema")
		if err := c.AddResource(name, doc); err != nil {
			tb.Fatal(err)
		}
	}
	asIs, closed := c.MustCompile("mem:///open"), c.MustCompile("mem:///shut")
	return func(v any) bool { return asIs.Validate(v) == nil && closed.Validate(v) == nil }
}

// neighbours are calls one change away. At each place, one has another member, one
// member less, a renamed member, or a value of another type.
func neighbours(v any, made func(any)) {
	switch v := v.(type) {
	case object:
		more := maps.Clone(v)
		more["zz"] = "x"
		made(more)
		for name, sub := range v {
			less := maps.Clone(v)
			delete(less, name)
			made(maps.Clone(less))
			less[strings.ToUpper(name)+"_"] = sub
			made(less)
			neighbours(sub, func(n any) {
				with := maps.Clone(v)
				with[name] = n
				made(with)
			})
		}
	case []any:
		made(append(slices.Clone(v), object{"zz": 1.0}))
		for i, sub := range v {
			neighbours(sub, func(n any) {
				with := slices.Clone(v)
				with[i] = n
				made(with)
			})
		}
	}
	made(object{"type": 1.0})
	made(7.0)
}

func TestClosingAgreesWithUnevaluatedPropertiesOnRealTools(t *testing.T) {
	t.Parallel()
	accepted, refused := 0, 0
	for _, tool := range realTools(t) {
		v, want := compiled(t, tool.input, schema.Input), reference{tool.schema}.fits(t)
		for _, full := range []bool{false, true} {
			neighbours(caller{tool.schema, full}.value(tool.schema), func(call any) {
				err := v.Check(text(t, call))
				if err == nil {
					accepted++
				} else {
					refused++
				}
				if (err == nil) != want(call) {
					t.Errorf("%s: %s: got %v, the reference says %v", tool.name, text(t, call), err, want(call))
				}
			})
		}
	}
	t.Logf("%d neighbouring calls: %d accepted, %d refused", accepted+refused, accepted, refused)
	if accepted < 200 || refused < 4000 {
		t.Error("too few calls")
	}
}

// The public suite has tests of unevaluatedProperties:false at the root. The same
// schema without that keyword must give the same verdict once closed.
func TestClosingAgreesWithThePublicSuite(t *testing.T) {
	t.Parallel()
	file := filepath.Join(corpus.Schemas(t), "draft2020-12", "unevaluatedProperties.json")
	tests := 0
	for _, g := range groups(t, file) {
		var s object
		if err := stdjson.Unmarshal(g.Schema, &s); err != nil {
			t.Fatal(err)
		}
		if s["unevaluatedProperties"] != false {
			continue
		}
		delete(s, "unevaluatedProperties")
		s["type"] = "object"
		a, err := schema.Admit(text(t, s), schema.Options{})
		if err != nil {
			continue
		}
		v, err := a.Compile()
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range g.Tests {
			if c.Data[0] != '{' {
				continue
			}
			tests++
			if err := v.Check(c.Data); (err == nil) != c.Valid {
				t.Errorf("%s: %s: got %v, want valid %v", g.Description, c.Description, err, c.Valid)
			}
		}
	}
	t.Logf("%d tests", tests)
	if tests < 40 {
		t.Error("too few tests")
	}
}
