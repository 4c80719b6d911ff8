package lexical_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/planner/lexical"
)

func TestTheLargestTextsGiveAPlan(t *testing.T) {
	t.Parallel()
	c := admit(t, append(demoTools(t), manyTools(50)...)...)
	fill := func(s string, n int) string { return strings.Repeat(s, n/len(s)) }
	for _, piece := range []string{"a ", "7 ", "'x' ", "[", "{} ", "New York, ", "https://x.org/a ", "1,2,3 and ", "May 5, ", "é\u0301 ", "policy-001 ", "((((", "3x^2 + "} {
		q := ask(t, fill(piece, input.MaxQuestion), fill(piece, input.MaxContext))
		if _, err := plan.Parse(propose(t, lexical.New(noon), q, c)); err != nil {
			t.Errorf("%q: %v", piece, err)
		}
	}
}

// Long and strange parameter names do not burst the answer that asks for them.
func TestAnswersStayWithinTheirBound(t *testing.T) {
	t.Parallel()
	var required, properties []string
	for i := range 9 {
		name := fmt.Sprintf(`"%s%d"`, strings.Repeat("\u202eд", 200), i)
		required, properties = append(required, name), append(properties, name+`:{"type":"integer"}`)
	}
	var tools []pin.Descriptor
	for i := range 4 {
		tools = append(tools, pin.Descriptor{Server: strings.Repeat("s", 128), Raw: jsontext.Value(fmt.Sprintf(
			`{"name":"get_%s%d","description":"Get the invoice.","inputSchema":{"type":"object","required":[%s],"properties":{%s}}}`,
			strings.Repeat("n", 120), i, strings.Join(required, ","), strings.Join(properties, ",")))})
	}
	for n := 1; n <= len(tools); n++ {
		for _, words := range []string{"get the invoice", "delete the invoice", "invoice " + strings.Repeat("n", 120) + "1"} {
			got := planned(t, admit(t, tools[:n]...), words, "")
			if !strings.HasPrefix(got, "? ") || strings.Contains(got, "\u202e") {
				t.Errorf("%d tools, %q: %s", n, words, got)
			}
		}
	}
}

// A server gains nothing by many references to one long schema, nor by a long
// schema of many places that are referred to: what planning allocates keeps to
// the descriptor's length. The test is not parallel, because it counts every allocation.
func TestReferencesCostNoMoreThanTheSchemaIsLong(t *testing.T) {
	long := strings.Repeat("word ", 16_000)
	each := func(n int, write func(i int) string) string {
		list := make([]string, n)
		for i := range list {
			list[i] = write(i)
		}
		return strings.Join(list, ",")
	}
	same := func(int) string { return `{"$ref":"#/$defs/a"}` }
	for name, c := range map[string]struct{ properties, defs string }{
		"alternatives of one parameter": {`"p":{"anyOf":[` + each(1900, same) + `]}`, `"a":{"description":"` + long + `"}`},
		"alternatives of many parameters": {
			each(40, func(i int) string { return fmt.Sprintf(`"p%d":{"anyOf":[%s]}`, i, each(40, same)) }),
			`"a":{"description":"` + long + `"}`,
		},
		"many parameters": {each(40, func(i int) string { return fmt.Sprintf(`"p%d":`, i) + same(i) }), `"a":{"description":"` + long + `"}`},
		"many places": {
			`"p":{"anyOf":[` + each(900, func(i int) string { return fmt.Sprintf(`{"$ref":"#/$defs/a%d"}`, i) }) + `]}`,
			each(900, func(i int) string { return fmt.Sprintf(`"a%d":{"description":"word"}`, i) }),
		},
	} {
		raw := `{"name":"get_note","description":"Get one note.","inputSchema":{"type":"object","properties":{` + c.properties + `},"$defs":{` + c.defs + `}}}`
		tools := admit(t, pin.Descriptor{Server: "s", Raw: jsontext.Value(raw)})
		if len(tools.Tools()) != 1 {
			t.Fatalf("%s: the tool is not admitted", name)
		}
		q := ask(t, "get one note", "")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		propose(t, lexical.New(noon), q, tools)
		runtime.ReadMemStats(&after)
		if spent := after.TotalAlloc - before.TotalAlloc; spent > uint64(60*len(raw)) {
			t.Errorf("%s: %d bytes for a descriptor of %d", name, spent, len(raw))
		}
	}
}
