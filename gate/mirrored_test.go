package gate_test

import (
	"fmt"
	"testing"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/verdict"
)

const mirroring = `{"name":"get","inputSchema":{"type":"object","properties":{"id":{"type":"integer","x-mcp-header":"Id"}}}}`

// What a header repeats is of the arguments that were approved.
func TestTheCallSaysWhatIsRepeatedInHeaders(t *testing.T) {
	t.Parallel()
	g := gate.New(gate.Options{})
	a := approve(t, g, mirroring, "")
	call, err := a.Redeem(live(mirroring), receipt(t, a), gate.Consent{})
	if got := fmt.Sprint(call.Mirrored); err != nil || got != "[{Mcp-Param-Id 1}]" {
		t.Errorf("%s, %v", got, err)
	}
	_, err = g.Approve(gate.Asked{Query: query(t, "get 9007199254740993", "")}, tools(t, mirroring, ""), parsed(t, `{"id":9007199254740993}`))
	code(t, "an integer that a header does not take", err, verdict.SchemaArguments)
	_, err = g.Approve(gate.Asked{Query: query(t, "get 9007199254740993", "")}, tools(t, descriptor, ""), parsed(t, `{"id":9007199254740993}`))
	code(t, "the same without a header", err, "")
}
