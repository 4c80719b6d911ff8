package lexical_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/planner/lexical"
)

// A server gains nothing by many references to one long schema, nor by a long
// schema of many places that are referred to: what planning allocates keeps to
// the descriptor's length. The test is alone, because it counts all that is.
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
