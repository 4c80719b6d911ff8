package main

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// TestAServerThatWantsALogInIsListedAsSuch, whichever command met that.
func TestAServerThatWantsALogInIsListedAsSuch(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
	}))
	t.Cleanup(server.Close)
	for _, verb := range []string{"test", "review", "refresh"} {
		cmd, home := command(t, "servers", verb, "s")
		clitest.Write(t, home, "mcp.json", `{"mcpServers":{"s":{"url":"`+server.URL+`"}}}`)
		clitest.Write(t, home, "allowlist.json", `{"s":{"read":["get"]}}`)
		if said, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 6 {
			t.Errorf("%s: exit %d\n%s", verb, cmd.ProcessState.ExitCode(), said)
		}
		list := exec.CommandContext(t.Context(), cmd.Path, "servers", "list")
		list.Env = cmd.Env
		said, _ := list.Output() // exit 4: its tool waits for a review
		if list.ProcessState.ExitCode() != 4 || !strings.Contains(string(said), ", needs login since 20") {
			t.Errorf("after %s: exit %d\n%s", verb, list.ProcessState.ExitCode(), said)
		}
	}
}
