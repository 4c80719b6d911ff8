package host

import (
	"fmt"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
)

// listed is a listing of one tool of so many bytes.
func listed(server string, bytes int) catalog.Listing {
	raw := fmt.Sprintf(`{"name":"get","description":%q}`, strings.Repeat("x", bytes))
	return catalog.Listing{Server: server, Tools: []pin.Descriptor{{Server: server, Raw: []byte(raw)}}}
}

// A host that lives long meets many servers, and servers that list something
// else each time: what it keeps of them stays bounded, and is what it counts.
func TestTheListingsThatAHostKeepsAreBounded(t *testing.T) {
	t.Parallel()
	var s listings
	for i := range 100 {
		l := listed(fmt.Sprint("s", i%9), 100_000*(1+i%7))
		s.object(l)
		s.object(l)
		sum := 0
		for _, k := range s.last {
			sum += k.bytes
		}
		if sum > maxKnown || sum != s.bytes {
			t.Fatalf("after %d: %d bytes are kept, and counted as %d", i, sum, s.bytes)
		}
	}
	if len(s.last) < 2 {
		t.Errorf("%d listings are kept", len(s.last))
	}
	s.object(listed("large", maxKnown+1))
	if _, kept := s.last["large"]; kept {
		t.Error("a listing that is larger than the bound is kept")
	}
}
