package session_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

// A server may be able to describe a tool in the newer version only. In the older version
// it answers the whole listing with an internal error.
func TestAListingThatFailsIsAskedForInTheNewerVersion(t *testing.T) {
	t.Parallel()
	each(t, newerList, []string{"stdio", "in process", "streamable HTTP", "HTTP stream"}, func(t *testing.T, s session.Server, log string) {
		p := pool(t, long, s)
		l := discover(t, p)
		if l.Err != nil || l.Protocol != "2026-07-28" {
			t.Fatalf("listed in version %q: %v", l.Protocol, l.Err)
		}
		for range 2 {
			a := approve(t, discover(t, p), "srv", "echo", `{"text":"hello"}`)
			if _, _, err := p.Call(t.Context(), a.approved, a.receipt, gate.Consent{}); err != nil {
				t.Fatal(err)
			}
		}
		if n := arrived(t, log, "initialize"); n != 1 {
			t.Errorf("%d handshakes: the version is not kept", n)
		}
		if n := arrived(t, log, "tools/call"); n != 2 {
			t.Errorf("%d calls arrived, want 2", n)
		}
	})
}

// A call whose arguments name what the server may touch has a process for itself.
func TestACallAloneAsksForTheNewerVersionToo(t *testing.T) {
	t.Parallel()
	log := logFile(t)
	p := pool(t, long, stdio(t, newerList, log))
	for range 2 {
		must(t, p.ListAlone(t.Context(), "srv", "echo"))
	}
	if n := arrived(t, log, "initialize"); n != 1 {
		t.Errorf("%d handshakes: the version is not kept", n)
	}
}

// Where the newer version does not help, the fault is the first one.
func TestAListingThatFailsInBothVersionsSaysWhy(t *testing.T) {
	t.Parallel()
	each(t, "lists nothing", nil, func(t *testing.T, s session.Server, log string) {
		p := pool(t, long, s)
		for i := range 2 {
			err := discover(t, p).Err
			if verdict.CodeOf(err) != verdict.ServerProtocol || !strings.Contains(err.Error(), "error -32603: a tool cannot be described") {
				t.Errorf("it came to %v", err)
			}
			if n := arrived(t, log, "initialize"); n != i+2 {
				t.Errorf("%d handshakes after %d listings, want one more than that", n, i+1)
			}
		}
	})
}
