//go:build interop

package interop_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/eval/corpus"
	"github.com/onestep-run/onestep/gate/schema"
)

// judged is a schema, in a role, with values that fit and values that do not.
type judged struct {
	Schema string   `json:"schema"`
	Values []string `json:"values"`
	role   schema.Role
	from   string
	admits schema.Schema
}

// TestNoValidatorAcceptsWhatAReferenceRefuses: of every schema that is admitted, what
// both of ours accept ajv and jsonschema accept too. Formats are notes to the two.
func TestNoValidatorAcceptsWhatAReferenceRefuses(t *testing.T) {
	t.Parallel()
	all := append(append(publicSchemas(t), suite(t)...), forms(t)...)
	ours := make([][]bool, len(all))
	for i, j := range all {
		v, err := j.admits.Compile()
		if err != nil {
			t.Fatalf("%s: admitted and does not compile: %v", j.from, err)
		}
		for _, value := range j.Values {
			ours[i] = append(ours[i], v.Check([]byte(value)) == nil)
		}
	}
	for name, command := range map[string][]string{
		"ajv":        {abs(t, "node_modules/.bin/node"), "schemas.mjs"},
		"jsonschema": {abs(t, "python/venv/bin/python"), "schemas.py"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compare(t, name, all, ours, reference(t, command, all))
		})
	}
}

// verdicts are what a reference says of the values of one schema.
type verdicts struct {
	Error string
	Valid []bool
}

func compare(t *testing.T, name string, all []judged, ours [][]bool, theirs []verdicts) {
	var values, both, stricter, uncompiled, nullable int
	for i, j := range all {
		if theirs[i].Error != "" {
			if uncompiled++; !explained(theirs[i].Error) {
				t.Errorf("%s: %s does not take it: %s\n%s", j.from, name, theirs[i].Error, j.Schema)
			}
			continue
		}
		for k, value := range j.Values {
			values++
			switch accepts := theirs[i].Valid[k]; {
			case ours[i][k] && !accepts && strings.Contains(j.Schema, `"nullable"`) && strings.Contains(value, "null"):
				nullable++ // jsonschema does not know the keyword
			case ours[i][k] && !accepts:
				t.Errorf("%s: accepted, and refused by %s:\n%s\n%s", j.from, name, j.Schema, value)
			case ours[i][k]:
				both++
			case accepts:
				stricter++
			}
		}
	}
	t.Logf("%s: %d schemas, %d of them not compiled there; %d values: both accept %d, ours alone refuses %d; nullable %d", name, len(all), uncompiled, values, both, stricter, nullable)
	if both < 10_000 || values < 2*both {
		t.Errorf("too few values tell anything")
	}
}

// explained reports whether a reference refuses an admitted schema for a known reason.
// One is a pattern of RE2 and ECMA 262 that Python cannot read (\p{Letter}). The other
// is nullable without a type, which is a note here and an error to ajv.
func explained(why string) bool {
	return strings.Contains(why, "is not a 'regex'") || strings.Contains(why, `"nullable" cannot be used without "type"`)
}

// reference asks a program about all of them.
func reference(t *testing.T, command []string, all []judged) []verdicts {
	t.Helper()
	var in bytes.Buffer
	for _, j := range all {
		line, err := json.Marshal(j)
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(line, '\n'))
	}
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Stdin, cmd.Stderr = &in, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var said []verdicts
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var v verdicts
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		said = append(said, v)
	}
	if len(said) != len(all) {
		t.Fatalf("%d answers to %d schemas", len(said), len(all))
	}
	return said
}

// admitted is one of them, with values; false where it is not admitted.
func admitted(from, text string, role schema.Role, more ...string) (judged, bool) {
	s, err := schema.Admit([]byte(text), schema.Options{Role: role})
	if err != nil {
		return judged{}, false
	}
	j := judged{Schema: text, role: role, from: from, admits: s, Values: more}
	for _, whole := range []bool{true, false} {
		value := schema.NewSampler(5000).Value(s.Root(), whole)
		j.Values = append(j.Values, string(schema.Literal(value)))
		j.Values = append(j.Values, variants(value)...)
	}
	return j, true
}

// others take the place of each part of a value.
var others = []any{nil, true, json.Number("0"), json.Number("-1"), json.Number("1.5"), "", "x", "1", []any{}, []any{"x", json.Number("1")}, map[string]any{}, map[string]any{"x": json.Number("1")}}

// maxChanged bounds how many values are made of one.
const maxChanged = 150

// variants are values that differ from one in a single place.
func variants(root any) (all []string) {
	var walk func(v any, put func(any) any)
	keep := func(v any) {
		if len(all) < maxChanged {
			all = append(all, string(schema.Literal(v)))
		}
	}
	walk = func(v any, put func(any) any) {
		for _, o := range others {
			keep(put(o))
		}
		switch v := v.(type) {
		case map[string]any:
			for name, e := range v {
				without := map[string]any{}
				for n, e := range v {
					if n != name {
						without[n] = e
					}
				}
				keep(put(without))
				walk(e, func(o any) any { return put(replaced(v, name, o)) })
			}
			keep(put(replaced(v, "not named anywhere", "x")))
		case []any:
			keep(put(append(append([]any{}, v...), v...)))
			for i, e := range v {
				walk(e, func(o any) any {
					list := append([]any{}, v...)
					list[i] = o
					return put(list)
				})
			}
		case string:
			keep(put(v + v))
			keep(put(v + "é\n"))
		}
	}
	walk(root, func(o any) any { return o })
	return all
}

func replaced(m map[string]any, name string, value any) map[string]any {
	out := map[string]any{name: value}
	for n, e := range m {
		if n != name {
			out[n] = e
		}
	}
	return out
}

// publicSchemas are the schemas of public servers' tools, and how many are not admitted.
func publicSchemas(t *testing.T) (all []judged) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(corpus.Path(t, "tools-list-versions"), "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	listings := corpus.Listings(t)
	for _, file := range files {
		l := corpus.Listing{Server: filepath.Base(file)}
		b, err := os.ReadFile(file)
		if err := errors.Join(err, json.Unmarshal(b, &l)); err != nil {
			t.Fatal(err)
		}
		listings = append(listings, l)
	}
	tools, lost, seen := 0, 0, map[string]bool{}
	for _, l := range listings {
		for _, raw := range l.Tools {
			var tool struct {
				Name                      string
				InputSchema, OutputSchema json.RawMessage
			}
			if err := json.Unmarshal(raw, &tool); err != nil {
				t.Fatal(err)
			}
			tools++
			for role, text := range map[schema.Role]json.RawMessage{schema.Input: tool.InputSchema, schema.Output: tool.OutputSchema} {
				if text == nil {
					continue
				}
				j, ok := admitted(l.Server+"/"+tool.Name, string(text), role)
				if !ok && role == schema.Input {
					lost++
				}
				if ok && !seen[j.Schema] {
					seen[j.Schema] = true
					all = append(all, j)
				}
			}
		}
	}
	t.Logf("%d descriptors, %d of them lost by their input schema; %d different schemas", tools, lost, len(all))
	return all
}

// suite are the schemas of the public test suite that are admitted, with its values.
func suite(t *testing.T) (all []judged) {
	t.Helper()
	for draft, dialect := range map[string]string{"draft7": "http://json-schema.org/draft-07/schema#", "draft2020-12": "https://json-schema.org/draft/2020-12/schema"} {
		files, err := filepath.Glob(filepath.Join(corpus.Schemas(t), draft, "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no tests of %s: %v", draft, err)
		}
		for _, file := range files {
			var groups []struct {
				Description string
				Schema      json.RawMessage
				Tests       []struct{ Data json.RawMessage }
			}
			b, err := os.ReadFile(file)
			if err := errors.Join(err, json.Unmarshal(b, &groups)); err != nil {
				t.Fatal(err)
			}
			for _, g := range groups {
				var values []string
				for _, c := range g.Tests {
					values = append(values, string(c.Data))
				}
				text := string(g.Schema)
				if strings.HasPrefix(text, "{") && !strings.Contains(text, `"$schema"`) {
					text = strings.TrimSuffix(fmt.Sprintf(`{"$schema":%q,%s`, dialect, text[1:]), ",}") // an empty one has nothing to say
				}
				if j, ok := admitted(draft+" "+g.Description, text, schema.Output, values...); ok {
					all = append(all, j)
				}
			}
		}
	}
	return all
}

// forms are schemas of the kinds that few public tools have. All are admitted.
func forms(t *testing.T) (all []judged) {
	t.Helper()
	const tree = `{"type":"object","properties":{"name":{"type":"string","minLength":1},"kids":{"type":"array","items":{"$ref":"#/$defs/tree"}},"left":{"$ref":"#/$defs/tree"}},"required":["name"]}`
	trees := []string{
		`{"name":"a","kids":[{"name":"b","kids":[{"name":"c"}]}]}`, `{"name":"a","kids":[{"name":"b","kids":[{"name":""}]}]}`, `{"name":"a","left":{"name":"b","left":{"kids":[]}}}`, `{"name":"a","left":null}`,
		`{"root":{"name":"a","kids":[{"name":"b","kids":[{"name":"c"}]}]}}`, `{"root":{"name":"a","left":{"name":"b","kids":[7]}}}`, `[["a"],[["b",[]]]]`, `[["a",1]]`, `{"a":{"a":{"a":1}}}`,
	}
	for _, role := range []schema.Role{schema.Input, schema.Output} {
		for i, text := range []string{
			`{"type":"object","properties":{"root":{"$ref":"#/$defs/tree"}},"required":["root"],"$defs":{"tree":` + tree + `}}`,
			`{"type":"object","properties":{"name":{"type":"string"},"left":{"$ref":"#"}}}`,
			`{"type":"object","additionalProperties":{"$ref":"#"}}`,
			`{"type":"object","properties":{"list":{"type":"array","prefixItems":[{"type":"string"},{"$ref":"#/properties/list"}],"items":false}}}`,
			`{"type":"object","properties":{"n":{"type":"string","nullable":true},"m":{"type":["integer","boolean"],"nullable":true},"k":{"nullable":true}}}`,
			`{"type":"object","properties":{"e":{"type":"string","nullable":true,"enum":["a",null]},"f":{"type":"string","nullable":true,"enum":["a"]},"g":{"type":"string","nullable":true,"const":"a"}}}`,
			`{"type":"object","properties":{"e":{"type":"string","nullable":false},"x":{"anyOf":[{"type":"string","nullable":true},{"type":"integer"}]},"y":{"not":{"type":"string","nullable":true}}}}`,
			`{"properties":{"a":{"type":"integer","multipleOf":0.1}},"required":["a"]}`,
			`{}`, `{"$schema":"http://json-schema.org/draft-07/schema#"}`,
			`{"$schema":"https://json-schema.org/draft/2019-09/schema","type":"object","properties":{"n":{"type":"string","pattern":"^[a-z]+$"},"o":{"if":{"type":"string"},"then":{"minLength":2},"else":{"type":"integer"}}}}`,
			`{"$schema":"https://json-schema.org/draft/2019-09/schema","type":"object","properties":{"kid":{"$ref":"#/$defs/kid"}},"$defs":{"kid":{"type":"object","properties":{"kid":{"$ref":"#/$defs/kid"}},"additionalProperties":false}}}`,
			`{"type":"object","properties":{"a":{"type":"array","contains":{"const":1},"uniqueItems":true,"maxItems":3},"b":{"propertyNames":{"pattern":"^x"}}},"minProperties":1}`,
			`{"type":"object","allOf":[{"properties":{"a":{"type":"string"}}},{"properties":{"b":{"type":"number","exclusiveMinimum":0}}}],"anyOf":[{"required":["a"]},{"required":["b"]}]}`,
			`{"type":"object","oneOf":[{"properties":{"kind":{"const":"a"},"x":{"type":"integer"}},"required":["kind"]},{"properties":{"kind":{"const":"b"},"y":{"type":"string"}},"required":["kind"]}]}`,
			`{"type":"object","patternProperties":{"^s_":{"type":"string"},"^n_":{"type":["number","null"]}},"additionalProperties":false}`,
			`{"type":"object","properties":{"é":{"type":"string","maxLength":2},"a/b":{"$ref":"#/properties/c~0d"},"c~d":{"enum":[1,"1",null,[1],{"a":1}]}}}`,
		} {
			j, ok := admitted(fmt.Sprintf("form %d", i), text, role, trees...)
			if !ok {
				t.Errorf("it is not admitted: %s", text)
			}
			all = append(all, j)
		}
	}
	return all
}
