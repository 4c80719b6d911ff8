package gate_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/onestep-run/onestep/gate"
)

// What a server says of its tool is shown to the approver: it is cut, and
// between two characters.
func TestTheClaimOfAToolIsCut(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 5000)
	a := approve(t, gate.New(gate.Options{}), strings.Replace(descriptor, "Get an entry.", "x"+long, 1), "")
	claim := a.Claim()
	if n := len(claim); n < 1000 || n > 1<<10+len("…") {
		t.Errorf("a claim of %d bytes", n)
	}
	if !utf8.ValidString(claim) {
		t.Errorf("it is cut inside a character: %q", claim[len(claim)-8:])
	}
	if !strings.HasPrefix("x"+long, strings.TrimSuffix(claim, "…")) {
		t.Error("it is not what the server says")
	}
	if !strings.HasSuffix(claim, "…") {
		t.Error("nothing shows that it is cut")
	}
}
