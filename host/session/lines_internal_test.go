package session

import (
	"reflect"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A stand-in is read as the SDK would read it, and nothing else is read as one.
func TestAStandInIsReadAsTheSDKReadsIt(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"0", "1", "50", "999999999999999"} {
		line := standInFor([]byte(id))
		want, err := jsonrpc.DecodeMessage(line)
		if err != nil {
			t.Fatal(err)
		}
		if got := standsIn(line); !reflect.DeepEqual(jsonrpc.Message(got), want) {
			t.Errorf("%s: got %v, want %v", line, got, want)
		}
	}
	for _, id := range []string{"", "-1", "+1", "01", "1.0", "1e0", "null", `"1"`, "1000000000000000", "18446744073709551615", "1,2"} {
		if got := standsIn(standInFor([]byte(id))); got != nil {
			t.Errorf("the id %s is read as %v", id, got.ID)
		}
	}
	for _, line := range []string{"", standInBefore, string(standInAfter), `{"jsonrpc":"2.0","id":1,"result":{}}`} {
		if got := standsIn([]byte(line)); got != nil {
			t.Errorf("%q is read as %v", line, got)
		}
	}
}
