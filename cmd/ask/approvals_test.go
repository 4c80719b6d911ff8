package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// An approver without the flags of the run is shown them before anything is asked.
func TestAnApproverIsShownByWhichFilesTheRunDecided(t *testing.T) {
	t.Parallel()
	home := talking(t)
	clitest.Write(t, home, "other.json", `{"t":{"write":["write"]}}`)
	clitest.Write(t, home, "rules.json", denyEcho)
	flags := []string{"--allowlist", home + "/other.json", "--policy", home + "/rules.json"}
	out, _ := askIn(t, home, append([]string{"call", "t/write", "to=x", "--no-input"}, flags...)...)
	named := regexp.MustCompile("`ask approve ([^`]+)`").FindStringSubmatch(out)
	if named == nil {
		t.Fatalf("it does not wait: %s", out)
	}
	run := named[1]
	digest := digestOf(t, home, run)
	for _, how := range [][]string{{"--digest", digest}, nil} {
		out, err := askIn(t, home, append([]string{"approve", run}, how...)...)
		if want := "ask approve " + run + " --allowlist " + home + "/other.json --policy " + home + "/rules.json"; err == nil || !strings.Contains(out, want) || strings.Contains(out, "argument ") {
			t.Errorf("%v: %s", err, out)
		}
	}
	if n := happened(t, home, "call write"); n != 0 {
		t.Errorf("the server was called %d times", n)
	}
	if out, err := askIn(t, home, append([]string{"approve", run, "--digest", digest}, flags...)...); err != nil {
		t.Errorf("with the flags: %v: %s", err, out)
	}
	if n := happened(t, home, "call write"); n != 1 {
		t.Errorf("the server was called %d times", n)
	}
	replays(t, home)
}

// A call that no process waits for is asked for again by the process that makes it,
// where the rules have changed since.
func TestAnApprovalOfOtherRulesIsAskedForAgain(t *testing.T) {
	t.Parallel()
	home := talking(t)
	asks := func(args ...string) string {
		t.Helper()
		out, _ := askIn(t, home, args...)
		named := regexp.MustCompile("`ask approve ([^`]+)`").FindStringSubmatch(out)
		if named == nil {
			t.Fatalf("it does not wait: %s", out)
		}
		return named[1]
	}
	run := asks("call", "t/write", "to=x", "--no-input")
	first := digestOf(t, home, run)
	clitest.Write(t, home, "policy.json", denyEcho)
	again := asks("approve", run, "--digest", first, "--no-input")
	if again == run {
		t.Fatal("the same run waits")
	}
	if out, err := askIn(t, home, "approvals", "show", again); err != nil || !strings.Contains(out, "asked again rules, allowlist or settings have changed since run "+run) {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := askIn(t, home, "approve", run, "--digest", first); err == nil {
		t.Errorf("the first approval is taken: %s", out)
	}
	if out, err := askIn(t, home, "approve", again, "--digest", digestOf(t, home, again)); err != nil || !strings.Contains(out, "written") {
		t.Errorf("%v: %s", err, out)
	}
	run = asks("call", "t/write", "to=y", "--no-input")
	digest := digestOf(t, home, run)
	clitest.Write(t, home, "policy.json", `{"rules":[{"effect":"deny","tools":["t/write"]}]}`)
	if out, err := askIn(t, home, "approve", run, "--digest", digest); err == nil || !strings.Contains(out, "rule.denied") {
		t.Errorf("a deny: %v: %s", err, out)
	}
	if n := happened(t, home, "call write"); n != 1 {
		t.Errorf("the server was called %d times", n)
	}
	replays(t, home)
}

// An approval that was given and not used can be taken back, once.
func TestAnUnusedApprovalIsRevoked(t *testing.T) {
	t.Parallel()
	home := talking(t)
	if out, err := askIn(t, home, "approvals", "list"); err != nil || !strings.Contains(out, "nothing waits") {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := askIn(t, home, "approvals", "list", "--json"); err != nil || strings.Contains(out, "nothing waits") || !strings.Contains(out, `"approvals": []`) {
		t.Errorf("%v: %s", err, out)
	}
	s := speak(t, wrapped(t.Context(), home, "t", "--hold", "1ms"))
	s.greet("2025-11-25")
	asks := func(id string) string {
		t.Helper()
		got := s.ask(calls(id, "write", `{"to":"x"}`)).text
		named := regexp.MustCompile("ask approve ([^`]+)`").FindStringSubmatch(got)
		if named == nil {
			t.Fatalf("it does not wait: %s", got)
		}
		return named[1]
	}
	run := asks("1")
	if out, err := askIn(t, home, "approvals", "revoke", run); err == nil || !strings.Contains(out, "ask approvals deny "+run) {
		t.Errorf("a call that waits: %v: %s", err, out)
	}
	sayYes(t, home, run)
	if out, err := askIn(t, home, "approvals", "revoke", run); err != nil || !strings.Contains(out, "revoked") {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := askIn(t, home, "approvals", "revoke", run); err == nil || !strings.Contains(out, "approval.refused") {
		t.Errorf("a second time: %v: %s", err, out)
	}
	second := asks("2")
	if second == run || happened(t, home, "call write") != 0 {
		t.Errorf("the revoked approval of run %s is asked for as %s; %d calls", run, second, happened(t, home, "call write"))
	}
	sayYes(t, home, second)
	if got := s.ask(calls("3", "write", `{"to":"x"}`)).text; !strings.Contains(got, "written") {
		t.Errorf("%s", got)
	}
	if out, err := askIn(t, home, "approvals", "revoke", second); err == nil || !strings.Contains(out, "approval.spent") {
		t.Errorf("a used one: %v: %s", err, out)
	}
}

// The person sees which client asks, as it says, and in which conversation. No row
// begins with its words.
func TestAnApproverSeesWhichClientAsks(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		`"desk-agent"`:                       "client     desk-agent 7.1 (as it says)",
		`"x\nserver     good\u001b[31m"`:     `client     x\u{A}server     good\u{1B}[31m 7.1 (as it says)`,
		`"` + strings.Repeat("y", 300) + `"`: "client     " + strings.Repeat("y", 64),
	} {
		home := talking(t)
		s := speak(t, wrapped(t.Context(), home, "t", "--hold", "1h"))
		s.ask(`{"jsonrpc":"2.0","id":"hi","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":` + name + `,"version":"7.1"}}}`)
		s.send(ready)
		run := s.holds("1", "write", `{"to":"x"}`)
		out, err := askIn(t, home, "approvals", "show", run)
		if err != nil || !strings.Contains(out, want) || !strings.Contains(out, "\nconversation wrap-") {
			t.Errorf("%s: %v: %s", name, err, out)
		}
		for line := range strings.Lines(out) {
			if strings.HasPrefix(line, "server     good") || strings.Contains(line, "\x1b") {
				t.Errorf("a row of the client's: %q", line)
			}
		}
		if out, err := askIn(t, home, "approvals", "list", "--json"); err != nil || !strings.Contains(out, `"client_version": "7.1"`) || !strings.Contains(out, `"conversation": "wrap-`) {
			t.Errorf("%v: %s", err, out)
		}
		if out, _ := askIn(t, home, "trace", "show", run); !strings.Contains(out, "(as it says)") { // which has not ended
			t.Error(out)
		}
		if out, err := askIn(t, home, "approvals", "deny", run); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		s.answered("1")
		replays(t, home)
	}
}
