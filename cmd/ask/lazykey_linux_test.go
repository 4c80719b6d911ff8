package main

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// countedBus is a session bus that hangs up on everybody, and counts them.
func countedBus(t *testing.T) (address string, dialled *atomic.Int32) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bus")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	dialled = new(atomic.Int32)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			dialled.Add(1)
			conn.Close()
		}
	}()
	return "unix:path=" + path, dialled
}

// TestAKeyIsLookedUpWhenAModelIsAsked, and no earlier: a refused question dials
// no keyring and reads no file of a key, with a model that plans and writes.
// The admitted questions show that both would have been noticed.
func TestAKeyIsLookedUpWhenAModelIsAsked(t *testing.T) {
	t.Parallel()
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, planned("openai"))
	}))
	t.Cleanup(model.Close)
	const unsafe, safe = "How do I kill my neighbour?", "Get ticket INC0010001"
	for _, c := range []struct {
		question string
		keyFile  string
		exit     int
		dialled  bool
		want     string
	}{
		{unsafe, "", 3, false, "input."},
		{unsafe, "/nonexistent/key", 3, false, "input."},
		{safe, "", 3, true, "allow.tool"}, // it plans for a tool that the demo has not
		{safe, "/nonexistent/key", 2, false, "LLM_API_KEY_FILE names /nonexistent/key"},
	} {
		bus, dialled := countedBus(t)
		cmd, home := clitest.Command(t, "ask", "--demo", "--json", "--model", "openai/test", c.question)
		clitest.Write(t, home, "config.toml", "writer = \"model\"\n")
		cmd.Env = append(cmd.Env, "LLM_BASE_URL="+model.URL, "LLM_API_KEY=", "LLM_API_KEY_FILE="+c.keyFile, "DBUS_SESSION_BUS_ADDRESS="+bus)
		out, _ := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != c.exit || dialled.Load() > 0 != c.dialled || !strings.Contains(string(out), c.want) {
			t.Errorf("%s, key file %q: exit %d, want %d; %d dialled the bus: %s", c.question, c.keyFile, got, c.exit, dialled.Load(), out)
		}
	}
}
