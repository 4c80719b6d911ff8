package pin_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
)

// What is called safer may pass without a person. So whatever two schemas
// differ in: if nothing of it is worse than safer, the new one takes no
// argument that the old one refuses. The schemas and the arguments are drawn
// here, by nothing that gate/pin has.
func TestWhatIsSaferTakesNothingMore(t *testing.T) {
	t.Parallel()
	safer := 0
	rapid.Check(t, func(r *rapid.T) {
		was := drawn(r, 3)
		for n := range 6 {
			safer += takesNoMore(r, was, n)
		}
	})
	t.Logf("%d differences were called safer", safer)
	if safer == 0 {
		t.Error("nothing was called safer")
	}
}

// takesNoMore varies a schema once, and compares what both take where the
// difference is called safer. It returns how many differences were.
func takesNoMore(r *rapid.T, was string, n int) int {
	other := `{}`
	if n%2 == 1 { // half of the time nothing else is compared: most of these are called worse
		other = rapid.SampledFrom(others).Draw(r, "other")
	}
	before, after := whole(was, other), whole(varied(r, was), other)
	all, err := pin.Compare(said(before), said(after))
	accept, bad := pin.ParseAccept([]string{"safer", "cosmetic"})
	if err != nil || bad != nil || !accept.Takes(all) {
		return 0 // as most are, so only the others are compiled
	}
	old, ok := validator(before)
	young, too := validator(after)
	if !ok || !too {
		return 0
	}
	for i := range 40 {
		label := fmt.Sprint("value", n, " ", i)
		args := jsontext.Value(`{"p":` + value(r, label, 3) + rapid.SampledFrom([]string{``, `,"q":` + value(r, label+"q", 3)}).Draw(r, label+"with") + `}`)
		if young.Check(args) == nil && old.Check(args) != nil {
			r.Fatalf("%s\n%s\n%s is taken now, and the differences are %s", before, after, args, told(all))
		}
	}
	return len(all)
}

// others are schemas of another parameter, most of them by what the first is.
var others = []string{
	`{}`, `{"$ref":"#/properties/p"}`, `{"not":{"$ref":"#/properties/p"}}`, `{"oneOf":[{"$ref":"#/properties/p"},{"type":"integer"}]}`,
	`{"if":{"$ref":"#/properties/p"},"then":{"type":"string"}}`, `{"if":{"$ref":"#/properties/p"},"else":false}`,
	`{"type":"array","items":{"not":{"$ref":"#/properties/p"}}}`, `{"not":{"$ref":"#/properties/p/items"}}`, `{"not":{"$ref":"#/properties/p/properties/a"}}`,
	`{"not":{"$ref":"#/properties/p/anyOf/1"}}`, `{"type":"object","propertyNames":{"not":{"$ref":"#/properties/p"}}}`,
}

func whole(p, other string) string {
	return `{"name":"get","inputSchema":{"type":"object","properties":{"p":` + p + `,"q":` + other + `}}}`
}

func validator(tool string) (schema.Validator, bool) {
	f, err := said(tool).Fields()
	if err != nil {
		return schema.Validator{}, false
	}
	s, err := schema.Admit(f.InputSchema, schema.Options{Role: schema.Input})
	if err != nil {
		return schema.Validator{}, false
	}
	v, err := s.Compile()
	return v, err == nil
}

// drawn is a schema of few keywords and small numbers, so that values often
// lie at their bounds.
func drawn(r *rapid.T, depth int) string {
	kinds := []string{"integer", "string", "enum", "types"}
	if depth > 0 {
		kinds = append(kinds, "array", "object", "anyOf", "oneOf", "not", "allOf", "contains", "prefix", "pattern", "names", "if")
	}
	n := rapid.IntRange(0, 4)
	switch rapid.SampledFrom(kinds).Draw(r, "kind") {
	case "integer":
		return fmt.Sprintf(`{"type":"integer","minimum":%d,"maximum":%d}`, n.Draw(r, "least"), n.Draw(r, "most"))
	case "string":
		return fmt.Sprintf(`{"type":"string","maxLength":%d}`, n.Draw(r, "length"))
	case "enum":
		return `{"enum":[` + strings.Join(rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"0", "1", "2", `"a"`, "null"}), 2, 4, rapid.ID).Draw(r, "values"), ",") + `]}`
	case "array":
		return fmt.Sprintf(`{"type":"array","items":%s,"maxItems":%d}`, drawn(r, depth-1), n.Draw(r, "items"))
	case "object":
		return `{"type":"object","properties":{"a":` + drawn(r, depth-1) + `,"b":` + drawn(r, depth-1) + `},"required":[` + rapid.SampledFrom([]string{``, `"a"`, `"a","b"`}).Draw(r, "required") + `]}`
	case "contains":
		return `{"type":"array","contains":` + drawn(r, depth-1) + `}`
	case "prefix":
		return `{"type":"array","prefixItems":[` + drawn(r, depth-1) + `],"items":` + drawn(r, depth-1) + `}`
	case "pattern":
		return `{"type":"object","properties":{"a":` + drawn(r, depth-1) + `},"patternProperties":{"^b":` + drawn(r, depth-1) + `}}`
	case "names":
		return fmt.Sprintf(`{"type":"object","propertyNames":{"maxLength":%d},"additionalProperties":%s}`, n.Draw(r, "name"), drawn(r, depth-1))
	case "if":
		return `{"if":` + drawn(r, depth-1) + `,"then":` + drawn(r, depth-1) + `,"else":` + drawn(r, depth-1) + `}`
	case "not":
		return `{"type":"integer","not":` + drawn(r, depth-1) + `}`
	case "types":
		return `{"type":[` + rapid.SampledFrom([]string{`"integer"`, `"integer","null"`, `"number","null"`}).Draw(r, "types") + `]}`
	default:
		keyword := rapid.SampledFrom([]string{"anyOf", "oneOf", "allOf"}).Draw(r, "keyword")
		return `{"` + keyword + `":[` + drawn(r, depth-1) + `,` + drawn(r, depth-1) + `]}`
	}
}

// varied is a schema in which one or two of the digits, and sometimes a word,
// are others.
func varied(r *rapid.T, s string) string {
	places := []int{}
	for i, c := range s {
		if '0' <= c && c <= '9' {
			places = append(places, i)
		}
	}
	for range rapid.IntRange(0, 2).Draw(r, "edits") {
		if len(places) > 0 {
			i := rapid.SampledFrom(places).Draw(r, "place")
			s = s[:i] + fmt.Sprint(rapid.IntRange(0, 4).Draw(r, "digit")) + s[i+1:]
		}
	}
	words := [][2]string{{`,"null"`, ``}, {`"number"`, `"integer"`}, {`"required":["a"]`, `"required":["a","b"]`}, {`"required":[]`, `"required":["b"]`}, {`"type":"array"`, `"type":"array","uniqueItems":true`}, {`"type":"object"`, `"type":"object","additionalProperties":false`}}
	if w := rapid.SampledFrom(words).Draw(r, "word"); rapid.Bool().Draw(r, "worded") {
		s = strings.Replace(s, w[0], w[1], 1)
	}
	return s
}

func value(r *rapid.T, label string, depth int) string {
	kinds := []string{"0", "1", "2", "3", "4", "0.5", `""`, `"a"`, `"aaa"`, "null", "true"}
	if depth > 0 {
		kinds = append(kinds, "array", "object", "object")
	}
	switch kind := rapid.SampledFrom(kinds).Draw(r, label); kind {
	case "array":
		list := []string{}
		for range rapid.IntRange(0, 3).Draw(r, label+"items") {
			list = append(list, value(r, label+"item", depth-1))
		}
		return "[" + strings.Join(list, ",") + "]"
	case "object":
		return `{"a":` + value(r, label+"a", depth-1) + rapid.SampledFrom([]string{"", `,"b":` + value(r, label+"b", depth-1)}).Draw(r, label+"two") + `}`
	default:
		return kind
	}
}
