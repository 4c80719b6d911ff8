package schema_test

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/eval/corpus"
	"github.com/onestep-run/onestep/gate/schema"
)

type tool struct {
	name   string
	input  []byte
	schema object
}

type object = map[string]any

// realTools are what public servers list.
func realTools(tb testing.TB) []tool {
	tb.Helper()
	var all []tool
	for _, l := range corpus.Listings(tb) {
		for _, raw := range l.Tools {
			var t struct {
				Name        string
				InputSchema stdjson.RawMessage
			}
			if err := stdjson.Unmarshal(raw, &t); err != nil {
				tb.Fatal(err)
			}
			one := tool{name: l.Server + "/" + t.Name, input: t.InputSchema}
			if err := stdjson.Unmarshal(t.InputSchema, &one.schema); err != nil {
				tb.Fatal(err)
			}
			all = append(all, one)
		}
	}
	return all
}

// caller makes a call that fits a schema, of the required members alone or of
// all that are listed.
type caller struct {
	root object
	full bool
}

func (c caller) value(s object) any {
	if ref, ok := s["$ref"].(string); ok {
		part := strings.Split(ref, "/")
		return c.value(c.root[part[1]].(object)[part[2]].(object))
	}
	if v, ok := s["const"]; ok {
		return v
	}
	if e, ok := s["enum"].([]any); ok {
		return e[0]
	}
	for _, k := range []string{"anyOf", "oneOf"} {
		if branches, ok := s[k].([]any); ok {
			return c.value(branches[0].(object))
		}
	}
	return c.typed(s)
}

func (c caller) typed(s object) any {
	switch t := first(s["type"]); t {
	case "object":
		return c.object(s)
	case "array":
		if low, _ := s["minItems"].(float64); low > 0 || c.full {
			item, _ := s["items"].(object)
			return slices.Repeat([]any{c.value(item)}, max(1, int(low)))
		}
		return []any{}
	case "integer", "number":
		return amount(s)
	case "boolean":
		return true
	case "null":
		return nil
	}
	return word(s)
}

func first(t any) any {
	if list, ok := t.([]any); ok {
		return list[0]
	}
	return t
}

func (c caller) object(s object) any {
	out := object{}
	properties, _ := s["properties"].(object)
	required, _ := s["required"].([]any)
	for name, p := range properties {
		if c.full || slices.Contains(required, any(name)) {
			sub, _ := p.(object)
			out[name] = c.value(sub)
		}
	}
	return out
}

func amount(s object) any {
	n := 1.0
	if low, ok := s["minimum"].(float64); ok {
		n = low
	}
	if low, ok := s["exclusiveMinimum"].(float64); ok {
		n = low + 1
	}
	if high, ok := s["maximum"].(float64); ok {
		n = min(n, high)
	}
	return n
}

func word(s object) any {
	switch s["format"] {
	case "uuid":
		return "2eb8aa08-aa98-11ea-b4aa-73b441d16380"
	case "uri":
		return "https://example.com/a"
	case "json":
		return `{"a":[1]}`
	}
	low, _ := s["minLength"].(float64)
	return strings.Repeat("a", max(1, int(low)))
}

// reporter is what testing and rapid have in common.
type reporter interface {
	Helper()
	Fatal(args ...any)
}

func text(tb reporter, v any) []byte {
	tb.Helper()
	b, err := stdjson.Marshal(v)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func compiled(tb testing.TB, raw []byte, role schema.Role) schema.Validator {
	tb.Helper()
	s, err := schema.Admit(raw, schema.Options{Role: role})
	if err != nil {
		tb.Fatal(err)
	}
	v, err := s.Compile()
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

// ofType has a value of every JSON type.
var ofType = map[string]any{
	"object": object{}, "array": []any{}, "string": "~", "number": 0.5, "integer": 7.0, "boolean": false, "null": nil,
}

// illTyped are values that no schema of type t takes.
func illTyped(t any) []any {
	var types []any
	switch t := t.(type) {
	case string:
		types = []any{t}
	case []any:
		types = t
	default:
		return nil
	}
	var wrong []any
	for _, name := range slices.Sorted(maps.Keys(ofType)) {
		if !slices.Contains(types, any(name)) && (name != "integer" || !slices.Contains(types, any("number"))) {
			wrong = append(wrong, ofType[name])
		}
	}
	return wrong
}

func TestEveryRealToolIsEnforced(t *testing.T) {
	t.Parallel()
	tools := realTools(t)
	if len(tools) != 200 {
		t.Errorf("%d tools, want 200", len(tools))
	}
	var n struct{ valid, extra, open, missing, illTyped int }
	for _, tool := range tools {
		v := compiled(t, tool.input, schema.Input)
		small := caller{tool.schema, false}.value(tool.schema).(object)
		large := caller{tool.schema, true}.value(tool.schema).(object)
		for _, call := range []object{small, large} {
			if err := v.Check(text(t, call)); err != nil {
				t.Errorf("%s: refuses %s: %v", tool.name, text(t, call), err)
			}
			n.valid++
		}
		refused := func(what, pointer string, call object) {
			t.Helper()
			var m *schema.Mismatch
			if err := v.Check(text(t, call)); !errors.As(err, &m) || m.Pointer != pointer {
				t.Errorf("%s: %s: got %v, want a mismatch at %q", tool.name, what, err, pointer)
			}
		}

		extra := maps.Clone(small)
		extra["not_an_argument"] = "x"
		if more := tool.schema["additionalProperties"]; more == nil || more == false {
			n.extra++
			refused("an extra argument", "/not_an_argument", extra)
		} else {
			n.open++
		}
		required, _ := tool.schema["required"].([]any)
		for _, name := range required {
			n.missing++
			less := maps.Clone(large)
			delete(less, name.(string))
			refused(fmt.Sprintf("without %v", name), "", less)
		}
		properties, _ := tool.schema["properties"].(object)
		for name, p := range properties {
			sub, _ := p.(object)
			for _, wrong := range illTyped(sub["type"]) {
				n.illTyped++
				bad := maps.Clone(large)
				bad[name] = wrong
				refused(fmt.Sprintf("%s is %v", name, wrong), "/"+name, bad)
			}
		}
	}
	t.Logf("%d tools: %d valid calls accepted; refused: %d with an extra argument (%d tools declare more), %d with one missing, %d ill-typed",
		len(tools), n.valid, n.extra, n.open, n.missing, n.illTyped)
	if n.missing < 250 || n.illTyped < 1000 || n.extra < 190 {
		t.Errorf("too few near-misses: %+v", n)
	}
}
