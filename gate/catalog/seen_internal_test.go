package catalog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/pin"
)

// A long-lived host meets many servers, and servers with a new list each time. Its
// memory stays bounded and equals its count.
func TestWhatIsRememberedIsBounded(t *testing.T) {
	t.Parallel()
	listed := func(server string, bytes int) Listing {
		raw := fmt.Sprintf(`{"name":"get","description":%q}`, strings.Repeat("x", bytes))
		return Listing{Server: server, Tools: []pin.Descriptor{{Server: server, Raw: []byte(raw)}}}
	}
	var s Seen
	for i := range 100 {
		s.of(listed(fmt.Sprint("s", i%9), 100_000*(1+i%7)))
		sum := 0
		for _, r := range s.known {
			sum += r.bytes
		}
		if sum > maxSeen || sum != s.bytes {
			t.Fatalf("after %d: %d bytes are kept, and counted as %d", i, sum, s.bytes)
		}
	}
	if len(s.known) < 2 {
		t.Errorf("%d listings are kept", len(s.known))
	}
	s.of(listed("large", maxSeen+1))
	if _, kept := s.known["large"]; kept {
		t.Error("a listing that is larger than the bound is kept")
	}
}
