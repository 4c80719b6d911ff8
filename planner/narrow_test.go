package planner_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/planner"
)

func TestTheSchemaMayHoldTheArgumentsOfEachTool(t *testing.T) {
	t.Parallel()
	for name, c := range map[string][2]string{
		"what a grammar does not hold goes": {
			`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","description":"IMPORTANT","properties":{"id":{"type":"string","maxLength":9,"title":"ID","format":"uuid"},"n":{"type":"integer","default":5}},"required":["id"]}`,
			`{"type":"object","properties":{"id":{"type":"string"},"n":{"type":"integer"}},"required":["id"],"additionalProperties":false}`,
		},
		"the form of an identifier and bounds stay": {
			`{"type":"object","properties":{"id":{"type":"string","pattern":"^INC[0-9]{7}$","minLength":3},"n":{"type":"integer","minimum":1,"maximum":10}}}`,
			`{"type":"object","properties":{"id":{"type":"string","pattern":"^INC[0-9]{7}$","minLength":3},"n":{"type":"integer","minimum":1,"maximum":10}},"additionalProperties":false}`,
		},
		"a pattern that not all read alike goes": {
			`{"type":"object","properties":{"a":{"pattern":"x$"},"b":{"pattern":"^(a|b)$"},"c":{"pattern":"^\\d+$"},"d":{"pattern":"^[^x]$"},"e":{"pattern":"^a{2,}$"},"f":{"pattern":"^x{1000}$"},"g":{"pattern":"^a.b$"},"h":{"pattern":"^$"},"i":{"pattern":"^a$|^b$"}}}`,
			`{"type":"object","properties":{"a":{},"b":{},"c":{},"d":{},"e":{},"f":{},"g":{},"h":{},"i":{}},"additionalProperties":false}`,
		},
		"members in their order, and inner ones": {
			`{"type":"object","properties":{"z":{"type":"array","items":{"type":"object","properties":{"k":{"enum":["a","b"]}}}},"a":{"oneOf":[{"const":1},{"type":"null"}]}}}`,
			`{"type":"object","properties":{"z":{"type":"array","items":{"type":"object","properties":{"k":{"enum":["a","b"]}},"additionalProperties":false}},"a":{"anyOf":[{"const":1},{"type":"null"}]}},"additionalProperties":false}`,
		},
		"an open object stays open": {
			`{"type":"object","properties":{"a":{}},"additionalProperties":{"type":"string","maxLength":4}}`,
			`{"type":"object","properties":{"a":{}},"additionalProperties":{"type":"string"}}`,
		},
		"a reference would lead elsewhere": {
			`{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":"string"}}}`,
			`{"type":"object"}`,
		},
		"items would be said of those that have their own": {
			`{"type":"object","properties":{"a":{"prefixItems":[{"type":"string"}],"items":false}}}`,
			`{"type":"object"}`,
		},
		"what does not show is made visible": {
			`{"type":"object","properties":{"a":{"enum":["x\u202ey"]}}}`,
			`{"type":"object","properties":{"a":{"enum":["x\\u{202E}y"]}},"additionalProperties":false}`,
		},
	} {
		s := &script{lines: []string{anyPlan}}
		propose(t, planner.Model{Chat: s, Narrow: true}, ask(t, "one", ""), admit(t, tool{server: "a", name: "one", schema: c[0]}, tool{server: "a", name: "two"}))
		got := string(s.asked[0].Schema)
		if !strings.Contains(got, `"tool":{"type":"string","enum":["one"]},"args":`+c[1]+`},"required"`) || !strings.Contains(got, `"enum":["two"]`) {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, c[1])
		}
	}
}

func TestManyLongArgumentsAreLeftOpen(t *testing.T) {
	t.Parallel()
	values := make([]string, 20)
	for i := range values {
		values[i] = fmt.Sprintf(`"%d%s"`, i, strings.Repeat("x", 400))
	}
	long := `{"type":"object","properties":{"a":{"enum":[` + strings.Join(values, ",") + `]}}}`
	var tools []tool
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"} {
		tools = append(tools, tool{server: "s", name: name, schema: long})
	}
	s := &script{lines: []string{anyPlan}}
	propose(t, planner.Model{Chat: s, Narrow: true}, ask(t, "one", ""), admit(t, tools...))
	if got := string(s.asked[0].Schema); !strings.Contains(got, `"enum":["a","b","c","d","e","f","g","h","i","j"]},"args":{"type":"object"}}`) {
		t.Errorf("%d bytes: %.2000s", len(got), got)
	}
}
