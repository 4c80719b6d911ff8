package gate_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/verdict"
)

// declaring is the tool of these tests with an output schema.
func declaring(output string) string {
	return strings.Replace(descriptor, `,"inputSchema"`, `,"outputSchema":`+output+`,"inputSchema"`, 1)
}

// Servers in Python write times without an offset under the format date-time. Such a
// result keeps its type but for that format, and says so; all else is as strict as it was.
func TestADateTimeWithoutAnOffsetKeepsTheResult(t *testing.T) {
	t.Parallel()
	const at = `{"type":"object","properties":{"at":{"type":"string","format":"date-time"},"n":{"type":"integer"}},"required":["at"]}`
	const either = `{"type":"object","properties":{"at":{"anyOf":[{"type":"string","format":"date-time"},{"type":"null"}]}}}`
	const many = `{"type":"object","additionalProperties":{"type":"array","items":{"format":"date-time"}}}`
	const referred = `{"$defs":{"t":{"format":"date-time"}},"type":"object","properties":{"at":{"$ref":"#/$defs/t"}}}`
	for _, c := range []struct {
		output, value, place string
		code                 verdict.Code
	}{
		{at, `{"at":"2026-11-27T10:00:00"}`, "/at", ""},
		{at, `{"at":"2026-11-27T10:00:00.000005"}`, "/at", ""},
		{at, `{"at":"2026-11-27t10:00:00"}`, "/at", ""},
		{at, `{"at":"2026-11-27T10:00:00Z"}`, "", ""},
		{at, `{"at":"2026-11-27T10:00:00+01:00","x":"2026-11-27T10:00:00"}`, "", ""},
		{either, `{"at":"2026-11-27T10:00:00"}`, "/at", ""},
		{referred, `{"at":"2026-11-27T10:00:00"}`, "/at", ""},
		{many, `{"a":["2026-11-27T10:00:00Z","2026-11-27T10:00:00"]}`, "/a/1", ""},
		{`{"type":["array","null"],"items":{"format":"date-time"}}`, `["2026-11-27T10:00:00"]`, "/0", ""},
		{`{"format":"date-time"}`, `"2026-11-27T10:00:00"`, "/", ""},

		{at, `{"at":"2026-11-27 10:00:00"}`, "", verdict.OutputSchema},
		{at, `{"at":"2026-11-27"}`, "", verdict.OutputSchema},
		{at, `{"at":"10:00:00"}`, "", verdict.OutputSchema},
		{at, `{"at":"2026-11-27T10:00"}`, "", verdict.OutputSchema},
		{at, `{"at":"2026-02-30T10:00:00"}`, "", verdict.OutputSchema},
		{at, `{"at":"2026-11-27T10:00:00ZZ"}`, "", verdict.OutputSchema},
		{at, `{"at":"2026-11-27T25:00:00"}`, "", verdict.OutputSchema},
		{at, `{"at":"2026-11-27T10:00:00","n":"1"}`, "", verdict.OutputSchema},
		{at, `{"at":"tomorrow","x":"2026-11-27T10:00:00"}`, "", verdict.OutputSchema},
		{`{"type":"object","properties":{"at":{"format":"date-time","pattern":"Z$"}}}`, `{"at":"2026-11-27T10:00:00"}`, "", verdict.OutputSchema},
		{`{"type":"object","properties":{"at":{"pattern":"^[0-9T:-]+Z$"}}}`, `{"at":"2026-11-27T10:00:00"}`, "", verdict.OutputSchema},
		{`{"type":"object","properties":{"at":{"format":"date"}}}`, `{"at":"2026-11-27T10:00:00"}`, "", verdict.OutputSchema},
		{`{"type":"object","properties":{"at":{"const":{"format":"date-time"}}}}`, `{"at":"2026-11-27T10:00:00"}`, "", verdict.OutputSchema},
	} {
		body := gate.RawResult{Body: []byte(`{"content":[],"structuredContent":` + c.value + `}`)}
		g := gate.New(gate.Options{})
		got, err := g.Accept(redeemed(t, g, declaring(c.output), ""), body)
		if verdict.CodeOf(err) != c.code || got.Unzoned() != c.place {
			t.Errorf("%s: %s: at %q, %v, want at %q, %s", c.output, c.value, got.Unzoned(), err, c.place, c.code)
		}
		if err == nil && (string(got.Value()) != c.value || got.Basis() != catalog.OutputSchema) {
			t.Errorf("%s: %s by %s", c.output, got.Value(), got.Basis())
		}
		if c.place == "" {
			continue
		}
		g = gate.New(gate.Options{StrictOutputs: true})
		_, err = g.Accept(redeemed(t, g, declaring(c.output), ""), body)
		code(t, "strict_outputs", err, verdict.OutputSchema)
		g = gate.New(gate.Options{})
		_, err = g.Accept(redeemed(t, g, descriptor, c.output), body)
		code(t, "the operator's own schema", err, verdict.OutputSchema)
	}
}

// A tool's arguments are as strict as before.
func TestADateTimeOfTheArgumentsHasAnOffset(t *testing.T) {
	t.Parallel()
	raw := strings.Replace(descriptor, `{"type":"integer"}`, `{"type":"string","format":"date-time"}`, 1)
	for value, want := range map[string]verdict.Code{`2026-11-27T10:00:00Z`: "", `2026-11-27T10:00:00`: verdict.SchemaArguments} {
		_, err := gate.New(gate.Options{}).Approve(gate.Asked{Query: query(t, "get "+value, "")}, tools(t, raw, ""), parsed(t, `{"id":"`+value+`"}`))
		code(t, value, err, want)
	}
}

// Any JSON value that fits the approved schema is a result, whatever its type.
func TestAResultIsAnyValueThatFits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		output, value string
		code          verdict.Code
	}{
		{`{"type":["null","array"],"items":{"type":"string"}}`, `["a","b"]`, ""},
		{`{"type":["null","array"],"items":{"type":"string"}}`, `null`, ""},
		{`{"type":["null","array"],"items":{"type":"string"}}`, `["a",1]`, verdict.OutputSchema},
		{`{"type":["null","array"],"items":{"type":"string"}}`, `{"a":1}`, verdict.OutputSchema},
		{`{"type":"string"}`, `"a"`, ""},
		{`{"type":"integer"}`, `9007199254740993`, ""},
		{`{"type":"boolean"}`, `false`, ""},
		{`{"type":"object"}`, `["a"]`, verdict.OutputSchema},
		{`{"type":"object"}`, `null`, verdict.OutputMissing},
		{`{"type":"array"}`, `null`, verdict.OutputMissing},
		{`{}`, `null`, ""},
		{`{}`, `[1]`, ""},
	} {
		g := gate.New(gate.Options{})
		got, err := g.Accept(redeemed(t, g, declaring(c.output), ""), gate.RawResult{Body: []byte(`{"content":[{"type":"text","text":"t"}],"structuredContent":` + c.value + `}`)})
		code(t, c.output+" "+c.value, err, c.code)
		if err == nil && (string(got.Value()) != c.value || got.Basis() != catalog.OutputSchema) {
			t.Errorf("%s: %s by %s", c.output, got.Value(), got.Basis())
		}
	}
	g := gate.New(gate.Options{})
	_, err := g.Accept(redeemed(t, g, declaring(`{}`), ""), gate.RawResult{Body: []byte(`{"content":[{"type":"text","text":"t"}]}`)})
	code(t, "no structure", err, verdict.OutputMissing)
}
