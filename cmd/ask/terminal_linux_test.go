package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// seat is a person's terminal with one `ask` on it.
type seat struct {
	cmd      *exec.Cmd
	keyboard *os.File
	screen   *bufio.Reader
	shown    bytes.Buffer
}

// homeOf is a new home, whose allowlist calls nothing reading.
func homeOf(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	clitest.Write(t, home, "all.json", `{"mcp-policy-kb":["search_policy_kb","fetch_policy_entry","delete_policy_entry"]}`)
	return home
}

// waits are the runs that wait for an approval.
func waits(t *testing.T, home string) []string {
	t.Helper()
	var ids []string
	for _, a := range allWaiting(t, home) {
		ids = append(ids, a.RunID)
	}
	return ids
}

// sit starts `ask` on a terminal of 24 rows.
func sit(t *testing.T, home string, columns uint16, args ...string) *seat {
	t.Helper()
	return sitWith(t, nil, home, columns, args...)
}

// sitWith is sit with more variables set.
func sitWith(t *testing.T, env []string, home string, columns uint16, args ...string) *seat {
	t.Helper()
	return seated(t, env, home, columns, append([]string{"--demo", "--allowlist", filepath.Join(home, "all.json")}, args...)...)
}

// seated starts `ask` on a terminal with the servers of the home.
func seated(t *testing.T, env []string, home string, columns uint16, args ...string) *seat {
	t.Helper()
	master, terminal := openTerminal(t, columns)
	defer terminal.Close()
	s := &seat{keyboard: master, screen: bufio.NewReader(master)}
	s.cmd = exec.CommandContext(t.Context(), "ask", args...)
	s.cmd.Env = append(append(os.Environ(), "ASK_HOME="+home, "TERM=xterm"), env...)
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = terminal, terminal, terminal
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return s
}

// openTerminal is a terminal of 24 rows: the side of the person, and the side of the program.
func openTerminal(t *testing.T, columns uint16) (master, terminal *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { master.Close() })
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err = errors.Join(err, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0),
		unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns})); err != nil {
		t.Fatal(err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return master, terminal
}

// until reads the screen on, up to a text.
func (s *seat) until(t *testing.T, text string) {
	t.Helper()
	for {
		c, err := s.screen.ReadByte()
		if err != nil {
			t.Fatalf("no %q: %v\n%s", text, err, &s.shown)
		}
		s.shown.WriteByte(c)
		if bytes.HasSuffix(s.shown.Bytes(), []byte(text)) {
			return
		}
	}
}

func (s *seat) types(t *testing.T, keys string) {
	t.Helper()
	if _, err := s.keyboard.WriteString(keys); err != nil {
		t.Fatal(err)
	}
}

// ends holds the run to its exit status, and gives all that was shown.
func (s *seat) ends(t *testing.T, code int) string {
	t.Helper()
	rest, err := io.ReadAll(s.screen)
	if err != nil && !errors.Is(err, syscall.EIO) { // what a terminal says when no process has it open
		t.Fatal(err)
	}
	s.shown.Write(rest)
	if _ = s.cmd.Wait(); s.cmd.ProcessState.ExitCode() != code {
		t.Errorf("exit %d, want %d:\n%s", s.cmd.ProcessState.ExitCode(), code, &s.shown)
	}
	return s.shown.String()
}

// joined is what was shown, with each line whole again.
func joined(shown string) string {
	return regexp.MustCompile(`\r\n *\| `).ReplaceAllString(shown, " ")
}

const (
	prompt  = "Make this call? [y/N/?] "
	deleted = "deleted  true"
)

func TestAPersonAtATerminalDecides(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		keys string
		code int
	}{
		"yes":               {"y\n", 0},
		"no":                {"n\n", 3},
		"an empty line":     {"\n", 3},
		"a capital":         {"Y\n", 3},
		"a word":            {"yes, do\n", 3},
		"end of the input":  {"\x04", 4}, // no answer: it waits
		"a yes without end": {"y\x04\x04", 4},
		"an interrupt":      {"\x03", 130},
		"help, then a yes":  {"?\ny\n", 0},
		"help, then a no":   {"?\nn\n", 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := homeOf(t)
			s := sit(t, home, 120, "Delete policy-002")
			s.until(t, prompt)
			s.types(t, c.keys)
			shown := s.ends(t, c.code)
			if left := waits(t, home); (len(left) == 1) != (c.code == 4) {
				t.Errorf("%q wait", left)
			}
			if strings.Contains(shown, deleted) != (c.code == 0) || strings.Contains(shown, "called mcp") != (c.code == 0) {
				t.Errorf("it shows\n%s", shown)
			}
			if strings.Contains(c.keys, "?") && !strings.Contains(shown, `ask call mcp-policy-kb/delete_policy_entry --args '{"policy_id":"policy-002"}'`) {
				t.Errorf("the help is\n%s", shown)
			}
			if c.code == 3 && !strings.Contains(shown, "approval.refused") {
				t.Errorf("the end is\n%s", shown)
			}
		})
	}
}

// A view that scrolled away was not read: a y is too easy then.
func TestAViewLongerThanTheScreenWantsTheToolsName(t *testing.T) {
	t.Parallel()
	for keys, code := range map[string]int{"y\n": 3, "delete_policy_entry\n": 0} {
		s := sit(t, homeOf(t), 12, "Delete policy-002")
		s.until(t, "help: ") // in many rows
		s.types(t, keys)
		if shown := s.ends(t, code); strings.Contains(joined(shown), "deleted true") != (code == 0) {
			t.Errorf("%q: %s", keys, shown)
		}
	}
}

func TestACallOfOnesOwnIsAskedForToo(t *testing.T) {
	t.Parallel()
	s := sit(t, homeOf(t), 120, "call", "mcp-policy-kb/delete_policy_entry", "--args", `{"policy_id":"policy-001"}`)
	s.until(t, prompt)
	s.types(t, "y\n")
	if shown := s.ends(t, 0); !strings.Contains(shown, deleted) || !strings.Contains(shown, `policy_id = "policy-001"  [given]`) {
		t.Error(shown)
	}
}

// A reader is not hurried.
func TestTheTimeLimitStandsStillWhileAPersonReads(t *testing.T) {
	t.Parallel()
	s := sit(t, homeOf(t), 120, "--timeout", "1500ms", "Delete policy-002")
	s.until(t, prompt)
	slept := exec.CommandContext(t.Context(), "sleep", "2")
	if err := slept.Run(); err != nil {
		t.Fatal(err)
	}
	s.types(t, "y\n")
	if shown := s.ends(t, 0); !strings.Contains(shown, deleted) {
		t.Error(shown)
	}
}

// A late answer is reported, and nothing is called.
func TestAYesAfterItsTimeIsNone(t *testing.T) {
	t.Parallel()
	home := homeOf(t)
	clitest.Write(t, home, "config.toml", "approval_ttl = \"1s\"\n")
	s := sit(t, home, 120, "Delete policy-002")
	s.until(t, prompt)
	if err := exec.CommandContext(t.Context(), "sleep", "2").Run(); err != nil {
		t.Fatal(err)
	}
	s.types(t, "y\n")
	if shown := s.ends(t, 4); strings.Contains(shown, deleted) || !strings.Contains(shown, "approval.expired") {
		t.Error(shown)
	}
}

// A pending call is shown and asked for by `ask approve`, until it is made.
func TestAPendingCallIsApprovedAtATerminal(t *testing.T) {
	t.Parallel()
	home := homeOf(t)
	first := sit(t, home, 120, "--no-input", "Delete policy-002").ends(t, 4)
	left := waits(t, home)
	if len(left) != 1 || !strings.Contains(first, "ask approve "+left[0]) {
		t.Fatalf("%q wait: %s", left, first)
	}
	for _, c := range []struct {
		keys string
		code int
	}{{"\n", 3}, {"y\n", 0}} { // Enter leaves it pending
		s := sit(t, home, 120, "approve", left[0])
		s.until(t, prompt)
		s.types(t, c.keys)
		if shown := s.ends(t, c.code); strings.Contains(shown, deleted) != (c.code == 0) {
			t.Errorf("%q: %s", c.keys, shown)
		}
	}
	if shown := sit(t, home, 120, "approve", left[0]).ends(t, 4); !strings.Contains(shown, "approval.spent") {
		t.Error(shown)
	}
}

// A plain no is kept: no user can approve the call afterwards.
func TestARefusalAtATerminalIsKept(t *testing.T) {
	t.Parallel()
	home := homeOf(t)
	sit(t, home, 120, "--no-input", "Delete policy-002").ends(t, 4)
	run := waits(t, home)[0]
	s := sit(t, home, 120, "approve", run)
	s.until(t, prompt)
	s.types(t, "n\n")
	s.ends(t, 3)
	if shown := sit(t, home, 120, "approve", run).ends(t, 3); !strings.Contains(shown, "refused the call of run") || strings.Contains(shown, prompt) {
		t.Error(shown)
	}
}

// The inbox shows a call as it comes to wait; the run that waits makes it.
func TestAHeldCallIsApprovedInTheInbox(t *testing.T) {
	t.Parallel()
	home := homeOf(t)
	inbox := sit(t, home, 120, "approvals", "--watch")
	inbox.until(t, "Waiting for calls to approve")
	held := sit(t, home, 120, "--no-input", "--hold", "5m", "Delete policy-002")
	held.until(t, "waiting for an approval")
	inbox.until(t, prompt)
	inbox.types(t, "y\n")
	inbox.until(t, "was waiting and makes the call")
	if shown := held.ends(t, 0); !strings.Contains(shown, deleted) {
		t.Error(shown)
	}
	refused := sit(t, home, 120, "--no-input", "--hold", "5m", "Delete policy-001")
	inbox.until(t, prompt)
	inbox.types(t, "n\n")
	if shown := refused.ends(t, 3); strings.Contains(shown, deleted) {
		t.Error(shown)
	}
	held = sit(t, home, 120, "--no-input", "--hold", "5m", "Delete policy-003")
	inbox.until(t, prompt)
	inbox.types(t, "\n")
	inbox.until(t, "skipped, still waiting: run "+waits(t, home)[0])
	if out, err := askIn(t, home, "approvals", "deny", waits(t, home)[0]); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	held.ends(t, 3)
	inbox.types(t, "\x03")
	inbox.ends(t, 0)
}

// What was typed before the call was shown answers nothing.
func TestAYesThatWasTypedAheadIsNone(t *testing.T) {
	t.Parallel()
	s := sit(t, homeOf(t), 120, "Delete policy-002")
	s.types(t, "y\n")
	s.until(t, prompt)
	s.types(t, "n\n")
	if shown := s.ends(t, 3); strings.Contains(shown, deleted) {
		t.Error(shown)
	}
}

func TestAnInputOfTheServersFileIsAskedFor(t *testing.T) {
	t.Parallel()
	home := homeOf(t)
	clitest.Write(t, home, "allow.json", `{"mcp-servicenow":{"read":["get_ticket"]}}`)
	clitest.Write(t, home, "mcp.json", `{"inputs":[{"id":"which","type":"promptString","description":"Which server"},{"id":"key","type":"promptString","description":"Key","password":true}],
		"servers":{"mcp-servicenow":{"command":"ask","args":["demo","serve","${input:which}"],"env":{"KEY":"${input:key}"}}}}`)
	files := []string{"--demo=false", "--servers", filepath.Join(home, "mcp.json"), "--allowlist", filepath.Join(home, "allow.json")}
	given := func(args ...string) *seat {
		s := sit(t, home, 100, append(files, args...)...)
		if slices.Contains(args, "review") {
			s.refuses(t)
		}
		s.until(t, "Which server: ")
		s.types(t, "mcp-servicenow\n")
		s.until(t, "Key (it is not shown): ")
		s.types(t, "SECRET-of-ada\n")
		return s
	}
	s := given("servers", "review", "mcp-servicenow")
	s.until(t, "[y/r/w/x/a/W/N/?] ")
	s.types(t, "y\n")
	if shown := s.ends(t, 0); strings.Contains(shown, "SECRET") {
		t.Error(shown)
	}
	files = append(files, "Get ticket INC0010001")
	s = given()
	if shown := s.ends(t, 0); strings.Contains(shown, "SECRET") || !strings.Contains(shown, "VPN") {
		t.Error(shown)
	}
	s = sit(t, home, 100, append([]string{"--no-input"}, files...)...)
	if shown := s.ends(t, 2); !strings.Contains(joined(shown), "the variable ASK_INPUT_which is not set") {
		t.Error(shown)
	}
	s = sit(t, home, 100, files...)
	s.until(t, "Which server: ")
	s.types(t, "\x03")
	s.ends(t, 130)
}

// A call that names its server needs no value that another server takes.
func TestACallAsksForTheInputsOfItsOwnServerAlone(t *testing.T) {
	t.Parallel()
	home := homeOf(t)
	clitest.Write(t, home, "allow.json", `{"mcp-policy-kb":{"read":["fetch_policy_entry"]},"mcp-servicenow":{"read":["get_ticket"]}}`)
	clitest.Write(t, home, "mcp.json", `{"inputs":[{"id":"key","type":"promptString","description":"Key"},{"id":"other","type":"promptString","description":"The other key"}],
		"servers":{"mcp-servicenow":{"command":"ask","args":["demo","serve","mcp-servicenow"],"env":{"KEY":"${input:key}"}},
		"mcp-policy-kb":{"command":"ask","args":["demo","serve","mcp-policy-kb"],"env":{"KEY":"${input:other}"}}}}`)
	files := []string{"--servers", filepath.Join(home, "mcp.json"), "--allowlist", filepath.Join(home, "allow.json")}
	clitest.Trust(t, home, files...)
	s := sit(t, home, 100, append(files, "--demo=false", "call", "mcp-servicenow/get_ticket", "ticket_id=INC0010001")...)
	s.until(t, "Key: ")
	s.types(t, "k\n")
	if shown := s.ends(t, 0); strings.Contains(shown, "other key") || !strings.Contains(shown, "VPN") {
		t.Error(shown)
	}
}

// Of a server with several tools, the words shown are the called tool's.
func TestAPendingCallIsShownWithItsOwnToolsWords(t *testing.T) {
	t.Parallel()
	home := homeOf(t)
	ask := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), "ask", append([]string{"--demo", "--no-input", "--allowlist", filepath.Join(home, "all.json")}, args...)...)
		cmd.Env = append(os.Environ(), "ASK_HOME="+home)
		out, _ := cmd.CombinedOutput() // exit 4: it waits
		return string(out)
	}
	ask("call", "mcp-policy-kb/search_policy_kb", "--args", `{"query":"vpn"}`)
	shown := ask("approvals", "show", waits(t, home)[0])
	if said := regexp.MustCompile(`the server says of it: .*`).FindString(shown); said != "the server says of it: Search the company policies by topic and return the id, the title and the best matching sentence of each hit. Use it to find a policy whose id is not known." {
		t.Errorf("%q in\n%s", said, shown)
	}
}
