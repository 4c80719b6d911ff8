package proxy

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// A hint is for the operator: it names variables that are set there, and commands.
// A client gets none of it, whatever kept a server from starting. The hint of server.auth
// is another one: it says how to log in, and a client is to repeat that.
func TestAClientGetsNoHintOfAFailedStart(t *testing.T) {
	t.Parallel()
	f := &upstream{Options: Options{Server: "s", Review: "ask servers review s"}}
	for _, code := range []verdict.Code{verdict.ServerStart, verdict.ServerClosed, verdict.ServerProtocol, verdict.ConfigInvalid, verdict.Internal} {
		out := host.Outcome{RunID: "run", Error: &host.Failure{Code: code, Message: "server s did not start", Hint: "it sees PATH alone, and not ODDS_TOKEN"}}
		if said := string(f.result(&request{from: &transport{}}, out)); strings.Contains(said, "ODDS_TOKEN") || !strings.Contains(said, "did not start") {
			t.Errorf("%s: %s", code, said)
		}
	}
}
