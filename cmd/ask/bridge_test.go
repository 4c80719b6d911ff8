package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// mcpRemote is the talker as the program of this name: what counts is how it is started.
func init() { programs["mcp-remote"] = talker }

const apiURL = "https://h.example/mcp"

// bridged is a home with a talker that is started as a bridge to an address.
func bridged(t *testing.T) (home string) {
	t.Helper()
	home = t.TempDir()
	clitest.Write(t, home, "list.json", listedTools)
	clitest.Write(t, home, "mcp.json", fmt.Sprintf(`{"mcpServers":{"t":{"command":"mcp-remote","args":[%q,"--header","X-Team: blue"],"env":{"TALKER_LIST":%q,"TALKER_LOG":%q,"GORACE":%q}}}}`,
		apiURL, home+"/list.json", home+"/log", clitest.AtOnce))
	clitest.Write(t, home, "allowlist.json", `{"t":{"read":["echo"],"write":["log"]}}`)
	return home
}

// A number that a bridge would round does not leave, by any face, and what to do is said.
func TestACallThatABridgeWouldRoundDoesNotLeave(t *testing.T) {
	t.Parallel()
	home := bridged(t)
	clitest.Trust(t, home)
	out, err := askIn(t, home, "call", "t/echo", "--args", `{"n":9007199254740993}`)
	if err == nil || !strings.Contains(out, "call.rounded") || !strings.Contains(out, "ask servers review t") {
		t.Errorf("%v\n%s", err, out)
	}
	s := speak(t, wrapped(t.Context(), home, "t"))
	s.greet("2025-11-25")
	if got := s.ask(calls("1", "echo", `{"n":9007199254740993}`)).text; !strings.Contains(got, "call.rounded") || !strings.Contains(got, "ask servers review t") {
		t.Errorf("%s", got)
	}
	if got := s.ask(calls("2", "log", `{"params":[{"n":-9007199254740993}]}`)).text; !strings.Contains(got, "call.rounded") {
		t.Errorf("a call that a person is asked for: %s", got)
	}
	if n := happened(t, home, "call echo") + happened(t, home, "call log"); n != 0 {
		t.Errorf("the server was called %d times", n)
	}
	if got := s.ask(calls("3", "echo", `{"n":9007199254740992}`)).text; !strings.Contains(got, "9007199254740992") {
		t.Errorf("%s", got)
	}
	run, err := askIn(t, home, "trace", "list", "--jq", ".traces[].run_id")
	for id := range strings.FieldsSeq(run) {
		if out, err := askIn(t, home, "trace", "replay", id); err != nil {
			t.Errorf("%s: %v\n%s", id, err, out)
		}
	}
	if err != nil || run == "" {
		t.Errorf("%v, %s", err, run)
	}
}

// The address of a server behind a bridge is offered where the server is met, with the
// reason, and no secret.
func TestTheAddressBehindABridgeIsOffered(t *testing.T) {
	t.Parallel()
	const command = "ask servers add t --url '" + apiURL + "' --header 'X-Team: ${X_TEAM}'"
	home := bridged(t)
	offered := func(what, out string) {
		t.Helper()
		if !strings.Contains(out, command) || !strings.Contains(out, "integers beyond 2^53") {
			t.Errorf("%s offers nothing:\n%s", what, out)
		}
	}
	out, _ := askIn(t, home, "servers", "review", "t")
	offered("review", out)
	out, _ = askIn(t, home, "servers", "review", "t", "--json")
	if !strings.Contains(out, `"bridge"`) || !strings.Contains(out, `"name": "mcp-remote"`) {
		t.Errorf("%s", out)
	}
	empty := t.TempDir()
	out, err := askIn(t, empty, "servers", "import", home+"/mcp.json", "--no-fetch")
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	offered("import", out)
	out, err = askIn(t, t.TempDir(), "servers", "add", "t", "--no-fetch", "--", "mcp-remote", apiURL, "--header", "X-Team: blue")
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	offered("add", out)
	// The command does what it says.
	for _, args := range [][]string{{"servers", "remove", "t"}, {"servers", "add", "t", "--url", apiURL, "--header", "X-Team: ${X_TEAM}"}} {
		if out, err := askIn(t, empty, args...); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
	if b, err := os.ReadFile(empty + "/mcp.json"); err != nil || strings.Contains(string(b), "mcp-remote") || !strings.Contains(string(b), apiURL) {
		t.Errorf("%s, %v", b, err)
	}
}
