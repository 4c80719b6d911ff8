package pin_test

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/pin"
)

// Hints count as the same only if every tool states all four of them alike.
func TestSameHints(t *testing.T) {
	t.Parallel()
	const four = `"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":true`
	for _, c := range []struct {
		annotations []string
		same        bool
	}{
		{[]string{`{` + four + `}`, `{"title":"t",` + four + `}`}, true},
		{[]string{`{` + four + `}`}, false},
		{nil, false},
		{[]string{`{` + four + `}`, `{"readOnlyHint":true,"destructiveHint":true,"idempotentHint":false,"openWorldHint":true}`}, false},
		{[]string{`{` + four + `}`, `{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false}`}, false},
		{[]string{`{` + four + `}`, `{` + four + `}`, `{}`}, false},
		{[]string{`{}`, `{}`}, false},
		{[]string{`{"readOnlyHint":true}`, `{"readOnlyHint":true}`}, false},
		{[]string{`{` + four + `}`, `7`}, false},
	} {
		var tools []pin.Descriptor
		for _, a := range c.annotations {
			tools = append(tools, pin.Descriptor{Raw: jsontext.Value(`{"name":"a","inputSchema":{"type":"object"},"annotations":` + a + `}`)})
		}
		if got := pin.SameHints(tools); got != c.same {
			t.Errorf("%q: %v", c.annotations, got)
		}
	}
}
