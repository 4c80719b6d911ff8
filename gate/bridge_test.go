package gate_test

import (
	"testing"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
)

// A number that the bridge before a server would change is refused; a server that is
// reached by itself gets every digit.
func TestANumberThatABridgeRoundsIsRefused(t *testing.T) {
	t.Parallel()
	const raw = `{"name":"get","inputSchema":{"type":"object","properties":{"id":{"type":"number"},"all":{"type":"array","items":{"type":"object","properties":{"n":{"type":"integer"}}}}}}}`
	allow, err := catalog.ParseAllowlist([]byte(`{"kb":{"read":["get"]}}`))
	if err != nil {
		t.Fatal(err)
	}
	for bridge, rounds := range map[string]bool{"mcp-remote": true, "": false} {
		c := catalog.Admit([]catalog.Listing{{Server: "kb", Tools: []pin.Descriptor{live(raw)}}}, allow, catalog.Options{
			Identities: map[string]pin.Identity{"kb": {Kind: "stdio", Rounds: bridge}},
		})
		for args, refused := range map[string]bool{
			`{"id":9007199254740993}`: true, `{"id":-9007199254740994}`: true, `{"all":[{"n":1},{"n":9007199254740993}]}`: true, `{"id":0.12345678901234567890}`: true, `{"id":1e300}`: true,
			`{"id":9007199254740992}`: false, `{"id":1}`: false, `{"id":0.1}`: false, `{}`: false,
		} {
			_, err := gate.New(gate.Options{}).Approve(gate.Asked{Query: query(t, "get 1", "")}, c, parsed(t, args))
			if got := verdict.CodeOf(err) == verdict.CallRounded; got != (refused && rounds) {
				t.Errorf("behind %q, %s: %v", bridge, args, err)
			}
			if err != nil && !rounds {
				t.Errorf("%s: %v", args, err)
			}
		}
	}
}
