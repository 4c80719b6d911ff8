package session_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

// Values that a server makes us send back are bounded. They are the name of its session,
// the place in its stream, and the address for messages.
func TestAServerHasLittleSentBackToIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		length int
		code   verdict.Code
	}{{1000, ""}, {16 << 10, ""}, {16<<10 + 1, verdict.ServerProtocol}, {200 << 10, verdict.ServerProtocol}} {
		long := strings.Repeat("i", c.length)
		var echoed atomic.Int32
		s := newSite(t, "", func(w http.ResponseWriter, r *http.Request, m message) bool {
			if len(r.Header.Get("Mcp-Session-Id"))+len(r.Header.Get("Last-Event-Id")) >= c.length {
				echoed.Add(1)
			}
			if m.Method != "initialize" {
				return false
			}
			w.Header().Set("Mcp-Session-Id", long)
			w.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x","version":"1"}}}`, m.ID)
			return true
		})
		check(t, "a session", s.server(), c.code, &echoed)

		resumed := newSite(t, "", func(w http.ResponseWriter, r *http.Request, m message) bool {
			if r.Method == http.MethodGet {
				echoed.Add(1)
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[]}}\n\n")
				return true
			}
			if m.Method != "tools/list" {
				return false
			}
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "id: "+long+"\nretry: 1\ndata:\n\n")
			return true
		})
		check(t, "a stream", resumed.server(), c.code, &echoed)
	}
	for length, code := range map[int]verdict.Code{1000: "", 17 << 10: verdict.ServerProtocol} {
		log := logFile(t)
		s := legacy(t, "", log, func(string) string { return "/message?session=1&rest=" + strings.Repeat("x", length) })
		if err := discover(t, pool(t, long, s)).Err; verdict.CodeOf(err) != code || code != "" && arrived(t, log, "initialize") > 0 {
			t.Errorf("an address of %d bytes: %v", length, err)
		}
	}
}

func check(t *testing.T, what string, s session.Server, code verdict.Code, echoed *atomic.Int32) {
	t.Helper()
	before := echoed.Load()
	limits := long
	limits.CloseGrace = 1
	err := discover(t, pool(t, limits, s)).Err
	if verdict.CodeOf(err) != code {
		t.Errorf("%s: %v", what, err)
	}
	if n := echoed.Load() - before; (n > 0) != (code == "") {
		t.Errorf("%s is sent back %d times", what, n)
	}
}
