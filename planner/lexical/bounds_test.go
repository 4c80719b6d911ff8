package lexical_test

import (
	"fmt"
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
