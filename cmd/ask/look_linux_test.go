package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/onestep-run/onestep/cmd/cli/clitest"
)

// A terminal gets a table of its own width.
func TestATerminalGetsWhatCanBeRead(t *testing.T) {
	t.Parallel()
	home := homeOf(t)
	clitest.Write(t, home, "read.json", `{"mcp-policy-kb":{"read":["search_policy_kb"]}}`)
	question := []string{"--allowlist", filepath.Join(home, "read.json"), "Search the policy KB for customer data"}
	shown := sit(t, home, 50, question...).ends(t, 0)
	for _, want := range []string{"\r\nresults\r\n", "\r\n  id          snippet", "\r\n  policy-002  ", "…"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is not in\n%s", want, shown)
		}
	}
	whole := sit(t, home, 50, append(question, "--json")...).ends(t, 0)
	if !strings.Contains(whole, `"title": "Vendor data sharing policy"`) {
		t.Error(whole)
	}
}

// What is made of a document is escaped on a terminal, whatever it holds.
func TestWhatIsMadeOfADocumentIsEscapedOnATerminal(t *testing.T) {
	t.Parallel()
	home := homeOf(t)
	for _, c := range []struct {
		code int
		args []string
	}{
		{0, []string{"trace", "list", "--jq", `"a\u001b[2J\u202eb"`}},
		{0, []string{"trace", "list", "--jq", `{"x": "a\u001b[2J\u202eb"}`}},
		{0, []string{"trace", "list", "--template", "{{\"a\x1b[2J\u202eb\"}}{{tablerow \"\x1b\u202e\"}}"}},
		{2, []string{"tools", "--demo=false", "--yaml", "--servers", "a\x1b[2J\u202eb.json"}},
	} {
		shown := sit(t, home, 80, append(c.args, "--no-color")...).ends(t, c.code)
		if strings.ContainsAny(shown, "\x1b\u202e") || !strings.Contains(shown, `\u`) {
			t.Errorf("%q shows %q", c.args, shown)
		}
	}
}

// slow is a home with a server that was approved, and that starts when somebody
// writes to the pipe that GATE names.
func slow(t *testing.T) (home, pipe string, args []string) {
	t.Helper()
	home = t.TempDir()
	pipe = filepath.Join(home, "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	clitest.Write(t, home, "all.json", `{"mcp-servicenow":{"read":["get_ticket"]}}`)
	clitest.Write(t, home, "mcp.json", `{"mcpServers":{"mcp-servicenow":{"command":"sh","args":["-c","[ -z \"$GATE\" ] || read go <\"$GATE\"; exec ask demo serve mcp-servicenow"],"env":{"GATE":"${GATE:-}"}}}}`)
	servers := filepath.Join(home, "mcp.json")
	clitest.Trust(t, home, "--servers", servers, "--allowlist", filepath.Join(home, "all.json"))
	return home, pipe, []string{"--demo=false", "--servers", servers, "Get ticket INC0010001"}
}

func goes(t *testing.T, pipe string) {
	t.Helper()
	if err := os.WriteFile(pipe, []byte("go\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Whoever waits is told what for, and nothing of it is left when that is over.
func TestALongWaitShowsOnATerminal(t *testing.T) {
	t.Parallel()
	home, pipe, args := slow(t)
	for _, more := range []string{"--debug", "--json", "--no-color", "--live"} {
		said := "Waiting for mcp-servicenow/get_ticket" // it starts when it is called
		if more == "--live" {
			said = "Waiting for server mcp-servicenow"
		}
		s := sitWith(t, []string{"GATE=" + pipe}, home, 80, append(args, more)...)
		s.until(t, said+" (1 s)")
		s.until(t, "\r\x1b[K"+said)
		goes(t, pipe)
		shown := s.ends(t, 0)
		if _, after, _ := strings.Cut(shown[strings.LastIndex(shown, said):], "\r\x1b[K"); !strings.Contains(after, "VPN") || strings.Contains(after, "Waiting") {
			t.Errorf("%s shows\n%q", more, shown)
		}
	}
}

func TestNobodyIsToldOfAWaitWhoDoesNotWantIt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ env, flag string }{
		"quiet": {"TERM=xterm", "-q"}, "a terminal that moves no cursor": {"TERM=dumb", "--no-color"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home, pipe, args := slow(t)
			s := sitWith(t, []string{c.env, "GATE=" + pipe}, home, 80, append(args, c.flag)...)
			if err := exec.CommandContext(t.Context(), "sleep", "2").Run(); err != nil {
				t.Fatal(err)
			}
			goes(t, pipe)
			if shown := s.ends(t, 0); strings.Contains(shown, "Waiting") || strings.Contains(shown, "\x1b[K") || !strings.Contains(shown, "VPN") {
				t.Error(shown)
			}
		})
	}
}

// The line takes no more than one row.
func TestAModelIsWaitedForInOneRow(t *testing.T) {
	t.Parallel()
	seen := make(chan struct{})
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		select {
		case <-seen:
		case <-t.Context().Done():
		}
		http.Error(w, "no", http.StatusTeapot)
	}))
	t.Cleanup(model.Close)
	name := "openai/" + strings.Repeat("m", 60)
	s := sitWith(t, []string{"LLM_BASE_URL=" + model.URL, "LLM_API_KEY=k"}, homeOf(t), 50, "--model", name, "Get ticket INC0010001")
	s.until(t, "Waiting for the model openai/mm")
	s.until(t, "… (1 s)")
	row := s.shown.String()
	row = row[strings.LastIndex(row, "Waiting"):]
	close(seen)
	if shown := s.ends(t, 7); len([]rune(row)) > 49 || !strings.Contains(shown, "\r\x1b[K") {
		t.Errorf("%q in\n%s", row, shown)
	}
}
