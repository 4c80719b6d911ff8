package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// scripted is a home whose talker is started by a script, which is what is approved.
func scripted(t *testing.T) (home string, write func(more string)) {
	t.Helper()
	home = talking(t)
	write = func(more string) { clitest.Write(t, home, "server.sh", "exec talker\n"+more) }
	write("")
	clitest.Write(t, home, "mcp.json", fmt.Sprintf(`{"mcpServers":{"t":{"command":"sh","args":[%q],"env":{"TALKER_LIST":%q,"TALKER_LOG":%q,"GORACE":%q}}}}`,
		home+"/server.sh", home+"/list.json", home+"/log", clitest.AtOnce))
	clitest.Trust(t, home)
	clitest.Write(t, home, "log", "")
	return home, write
}

// TestAReplacedProgramIsNotStartedAndARunningOneIsNotReadAgain: what runs is what was
// approved, whatever its file holds by now. A start reads the file, each time, and
// what that refuses holds no tool back.
func TestAReplacedProgramIsNotStartedAndARunningOneIsNotReadAgain(t *testing.T) {
	t.Parallel()
	home, write := scripted(t)
	s := speak(t, wrapped(t.Context(), home, "t"))
	s.greet("2025-11-25")
	for i, step := range []struct {
		change func()
		tool   string
		want   string
		starts int
	}{
		{func() {}, "rich", `one\ntwo`, 1},
		{func() { write("# another\n") }, "rich", `one\ntwo`, 1},
		{func() {}, "die", "call.outcome_unknown", 1},
		{func() {}, "rich", "pin.changed", 1},
		{func() {}, "rich", "pin.changed", 1},
		{func() { write("") }, "rich", `one\ntwo`, 2},
	} {
		step.change()
		if got := s.ask(calls(fmt.Sprint(i), step.tool, "{}")).text; !strings.Contains(got, step.want) {
			t.Errorf("step %d: %s has no %q", i, got, step.want)
		}
		if n := happened(t, home, "started"); n != step.starts {
			t.Errorf("step %d: it was started %d times, want %d", i, n, step.starts)
		}
	}
}

// TestAnotherApprovalHasTheProgramReadAgain, also of a server that runs.
func TestAnotherApprovalHasTheProgramReadAgain(t *testing.T) {
	t.Parallel()
	home, write := scripted(t)
	s := speak(t, wrapped(t.Context(), home, "t"))
	s.greet("2025-11-25")
	s.ask(calls("1", "rich", "{}"))
	write("# another\n")
	clitest.Trust(t, home) // a person approves that
	write("")              // and it is not what would be started
	if got := s.ask(calls("2", "rich", "{}")).text; !strings.Contains(got, "pin.changed") {
		t.Errorf("%s", got)
	}
	write("# another\n")
	if got := s.ask(calls("3", "rich", "{}")).text; !strings.Contains(got, `one\ntwo`) {
		t.Errorf("%s", got)
	}
}

// TestADecisionElsewhereCountsAtTheNextCall, whatever was read before.
func TestADecisionElsewhereCountsAtTheNextCall(t *testing.T) {
	t.Parallel()
	home := talking(t)
	s := speak(t, wrapped(t.Context(), home, "t"))
	s.greet("2025-11-25")
	call := func(tool, want string, happens int) {
		t.Helper()
		got := s.ask(calls("1", tool, "{}")).text
		for strings.Contains(got, "tools/list_changed") {
			got = s.next().text
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s has no %q", tool, got, want)
		}
		if n := happened(t, home, "call "+tool); n != happens {
			t.Errorf("%s was called %d times, want %d", tool, n, happens)
		}
	}
	call("rich", `one\ntwo`, 1)
	call("rich", `one\ntwo`, 2)
	cmd := exec.Command("ask", "servers", "reject", "t", "rich")
	cmd.Env = append(os.Environ(), "ASK_HOME="+home)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	call("rich", "rich was rejected by ", 2)
	call("fail", "no such row", 1)
	clitest.Write(t, home, "list.json", strings.Replace(listedTools, `"name":"fail",`, `"name":"fail","description":"Now with words.",`, 1))
	call("fail", "onestep refused: pin.", 1)
	clitest.Trust(t, home)
	call("fail", "no such row", 2)
}
