package main

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// A terminal gets a table of its own width.
func TestATerminalGetsWhatCanBeRead(t *testing.T) {
	t.Parallel()
	home := homeOf(t)
	clitest.Write(t, home, "read.json", `{"mcp-policy-kb":{"read":["search_policy_kb"]}}`)
	question := []string{"--allowlist", filepath.Join(home, "read.json"), "Search the policy KB for customer data"}
	shown := sit(t, home, 50, question...).ends(t, 0)
	for _, want := range []string{"\r\n| results\r\n", "\r\n|   id          snippet", "\r\n|   policy-002  ", "…"} {
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

// A waiting user sees what for, and nothing of it is left when that is over.
func TestALongWaitShowsOnATerminal(t *testing.T) {
	t.Parallel()
	home, pipe, args := slow(t)
	for _, more := range []string{"--debug", "--json", "--no-color", "--live"} {
		const said = "starting mcp-servicenow (sh …) "
		s := sitWith(t, []string{"GATE=" + pipe}, home, 80, append(args, more)...)
		s.until(t, said) // after a second or more
		s.until(t, "\r\x1b[K")
		s.until(t, said)
		goes(t, pipe)
		shown := s.ends(t, 0)
		if _, after, _ := strings.Cut(shown[strings.LastIndex(shown, said):], "\r\x1b[K"); !strings.Contains(after, "VPN") {
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
	s.until(t, " s)")
	close(seen)
	shown := s.ends(t, 7)
	row, _, cleared := strings.Cut(shown[strings.Index(shown, "Waiting"):], "\r\x1b[K")
	if !cleared {
		t.Errorf("the row stays in\n%s", shown)
	}
	if len([]rune(row)) > 49 {
		t.Errorf("%q takes more than the row", row)
	}
}

// reporting is a home whose server reports of a call until the test writes to the pipe.
func reporting(t *testing.T) (home, pipe string) {
	t.Helper()
	home = t.TempDir()
	pipe = filepath.Join(home, "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	clitest.Write(t, home, "mcp.json", `{"mcpServers":{"kb":{"command":"staller","env":{"REPORT_UNTIL":"${GATE:-}"}}}}`)
	clitest.Write(t, home, "allowlist.json", `{"kb":{"read":["fetch_entry"]}}`)
	clitest.Trust(t, home)
	return home, pipe
}

// TestAPersonWhoWaitsSeesWhatTheServerReports in the row of the wait, and at the
// end no more than with --debug.
func TestAPersonWhoWaitsSeesWhatTheServerReports(t *testing.T) {
	t.Parallel()
	home, pipe := reporting(t)
	s := sitWith(t, []string{"GATE=" + pipe}, home, 100, "--demo=false", "--allowlist", filepath.Join(home, "allowlist.json"), "call", "kb/fetch_entry", "id=e-1")
	s.until(t, "Waiting for kb/fetch_entry (")
	s.until(t, `; kb reports: log warning: the index\u{A}is\u{1B}[2J old`)
	goes(t, pipe)
	shown := s.ends(t, 0)
	_, after, _ := strings.Cut(shown[strings.LastIndex(shown, "reports"):], "\r\x1b[K")
	if strings.Contains(after, "reports") || !strings.Contains(after, "done") {
		t.Errorf("after the wait it shows\n%q", after)
	}
}

// TestAReadingCallWithoutAnAnswerHasNoEffectToFindOut: of any other call the effect
// is unknown.
func TestAReadingCallWithoutAnAnswerHasNoEffectToFindOut(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]string{
		"read": "A call of a reading tool left, and no answer came back. It was not repeated.", "write": "A call left and its effect is unknown. It was not repeated.",
	} {
		home, pipe := reporting(t)
		clitest.Write(t, home, "allowlist.json", `{"kb":{"`+list+`":["fetch_entry"]}}`)
		clitest.Trust(t, home)
		args := []string{"--demo=false", "call", "kb/fetch_entry", "id=e-1"}
		if list == "write" {
			args = append(args, "--yes")
		}
		cmd := exec.Command("ask", args...)
		cmd.Env = append(os.Environ(), "ASK_HOME="+home, "GATE="+pipe)
		var out strings.Builder
		cmd.Stderr = &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		held, err := os.OpenFile(pipe, os.O_WRONLY, 0) // it is open once the server has the call
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		held.Close()
		if diff := cmp.Diff(130, cmd.ProcessState.ExitCode()); diff != "" {
			t.Errorf("%s exit (-want +got):\n%s", list, diff)
		}
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s: no %q in\n%s", list, want, &out)
		}
	}
}

// TestDebugPrintsWhatAServerReported: a pipe shows the lines after the run, and
// only where they were asked for.
func TestDebugPrintsWhatAServerReported(t *testing.T) {
	t.Parallel()
	for flag, want := range map[string][]string{
		"--debug": {"server kb reports: progress 3 of 10: reading", `server kb reports: log warning: the index\u{A}is\u{1B}[2J old`}, "--no-color": nil,
	} {
		home, pipe := reporting(t)
		cmd := exec.Command("ask", "--demo=false", "call", "kb/fetch_entry", "id=e-1", flag)
		cmd.Env = append(os.Environ(), "ASK_HOME="+home, "GATE="+pipe)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		goes(t, pipe)
		if err := cmd.Wait(); err != nil {
			t.Fatalf("%v: %s", err, &stderr)
		}
		var got []string
		for line := range strings.Lines(stderr.String()) {
			if strings.Contains(line, "reports") {
				got = append(got, strings.TrimSpace(line))
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s\n%s", flag, diff, &stderr)
		}
	}
}

func TestAFetchShowsOnATerminal(t *testing.T) {
	t.Parallel()
	home := homeOf(t)
	pipe, bin := filepath.Join(home, "pipe"), filepath.Join(home, "bin")
	npm := "#!/bin/sh\ncase \"$*\" in *config*) echo '{\"registry\":\"http://127.0.0.1:1\",\"cafile\":\"" + pipe + "\"}'; exit;; esac\nread go <'" + pipe + "'\nexit 1\n"
	if err := errors.Join(unix.Mkfifo(pipe, 0o600), os.Mkdir(bin, 0o700), os.WriteFile(filepath.Join(bin, "npm"), []byte(npm), 0o700)); err != nil {
		t.Fatal(err)
	}
	clitest.Write(t, home, "mcp.json", `{"mcpServers":{"tickets":{"command":"npx","args":["-y","tickets@1.0.0"]}}}`)
	s := sitWith(t, []string{"PATH=" + bin + ":" + os.Getenv("PATH")}, home, 80, "servers", "fetch", "tickets", "--demo=false", "--servers", filepath.Join(home, "mcp.json"))
	s.until(t, "Waiting for npm tickets@1.0.0 from 127.0.0.1:1 for server tickets (")
	goes(t, pipe)
	if shown := s.ends(t, 6); strings.Contains(shown, "fetching npm") {
		t.Error(shown)
	}
}
