package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// decided gives a home a decision point: a program that denies while the file deny exists, fails
// while the file down exists, and keeps the record of each question.
func decided(t *testing.T, more string) (home string) {
	t.Helper()
	home = talking(t)
	script := filepath.Join(home, "decide")
	text := "#!/bin/sh\ncat >>" + home + "/records; echo >>" + home + "/records\n" +
		"[ -e " + home + "/down ] && { echo 'no rules' >&2; exit 1; }\n" +
		"[ -e " + home + "/deny ] && { printf '%s' '{\"decision\":\"deny\",\"reason\":\"change \\u202efreeze\"}'; exit; }\n" +
		"printf '%s' '{\"decision\":\"allow\"}'\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	clitest.Write(t, home, "config.toml", "[decision]\ncommand = \""+script+"\"\n"+more)
	return home
}

// asks is how often the decision point was asked.
func asks(t *testing.T, home string) int {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(home, "records"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Count(string(b), "\n")
}

var approvalDigest = regexp.MustCompile(`"approval_digest": "(sha256:[0-9a-f]+)"`)

// TestEveryFaceAsksTheDecisionPoint: a command, a client and an approval. What it refuses reaches no
// server, and spends no approval.
func TestEveryFaceAsksTheDecisionPoint(t *testing.T) {
	t.Parallel()
	home := decided(t, "")
	waits, err := askIn(t, home, "call", "t/write", "--args", `{"to":"a"}`, "--json")
	run, digest := runIn().FindStringSubmatch(waits), approvalDigest.FindStringSubmatch(waits)
	if err == nil || run == nil || digest == nil || asks(t, home) != 1 {
		t.Fatalf("%v, asked %d times: %s", err, asks(t, home), waits)
	}
	faces := map[string]func() string{
		"call": func() string { out, _ := askIn(t, home, "call", "t/echo", "--args", `{"s":"x"}`); return out },
		"wrap": func() string {
			s := speak(t, wrapped(t.Context(), home, "t"))
			s.greet("2025-11-25")
			return s.ask(calls("1", "echo", `{"s":"x"}`)).text
		},
		"approve": func() string { out, _ := askIn(t, home, "approve", run[1], "--digest", digest[1]); return out },
	}
	made := func() int { return happened(t, home, "call echo") + happened(t, home, "call write") }
	n := asks(t, home)
	for _, state := range []struct {
		file, want string
		calls      int
	}{{"deny", "decision.denied", 0}, {"down", "decision.unanswered", 0}, {"none", "", 1}} {
		clitest.Write(t, home, state.file, "")
		for name, face := range faces {
			before := made()
			got := face()
			n++
			if made()-before != state.calls || asks(t, home) != n {
				t.Errorf("%s, %s: %d calls, asked %d times, not %d: %s", state.file, name, made()-before, asks(t, home), n, got)
			}
			if !strings.Contains(got, state.want) || strings.Contains(got, "\u202e") {
				t.Errorf("%s, %s: %q", state.file, name, got)
			}
		}
		_ = os.Remove(filepath.Join(home, state.file))
	}
}

// TestAChoiceToGoOnWithoutADecisionIsShown in the settings, the policy, the note of the run and its
// trace.
func TestAChoiceToGoOnWithoutADecisionIsShown(t *testing.T) {
	t.Parallel()
	home := decided(t, "on_error = \"continue\"\n")
	clitest.Write(t, home, "down", "")
	out, err := askIn(t, home, "call", "t/echo", "--args", `{"s":"x"}`, "--json")
	if err != nil || happened(t, home, "call echo") != 1 || !strings.Contains(out, "its setting on_error lets calls go on") {
		t.Fatalf("%v: %s", err, out)
	}
	run := regexp.MustCompile(`"run_id": "([^"]+)"`).FindStringSubmatch(out)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"config", "show"}, "decision.on_error"},
		{[]string{"policy", "show"}, `on_error = "continue": WITHOUT ITS ANSWER A CALL GOES ON`},
		{[]string{"policy", "show", "--json"}, "decision_points"},
		{[]string{"trace", "show", run[1]}, `its setting on_error is "continue"`},
		{[]string{"trace", "replay", run[1]}, ""},
		{[]string{"trace", "verify", run[1]}, "consistent"},
	} {
		if out, err := askIn(t, home, c.args...); err != nil || !strings.Contains(out, c.want) {
			t.Errorf("%q: %v, %s", c.args, err, out)
		}
	}
	if asks(t, home) != 1 {
		t.Errorf("asked %d times", asks(t, home))
	}
	clitest.Write(t, home, "deny", "")
	_ = os.Remove(filepath.Join(home, "down"))
	if out, err := askIn(t, home, "call", "t/echo", "--args", `{"s":"x"}`); err == nil || happened(t, home, "call echo") != 1 || !strings.Contains(out, "decision.denied") {
		t.Errorf("a denial: %v, %s", err, out)
	}
}

// TestADecisionPointHoldsFromTheNextCallOn: a client's process follows the settings, and a decision
// point that cannot be used refuses every call.
func TestADecisionPointHoldsFromTheNextCallOn(t *testing.T) {
	t.Parallel()
	home := decided(t, "")
	is, err := os.ReadFile(filepath.Join(home, "config.toml"))
	if err != nil {
		t.Fatal(err)
	}
	clitest.Write(t, home, "config.toml", "")
	clitest.Write(t, home, "deny", "")
	s := speak(t, wrapped(t.Context(), home, "t"))
	s.greet("2025-11-25")
	for i, c := range []struct {
		config, want string
		calls        int
	}{
		{"", `"run.onestep/verdict":"allow"`, 1},
		{string(is), "decision.denied", 1},
		{"decision = { url = \"http://decide.example/\" }\n", "config.invalid", 1},
		{"decision = { command = \"./decide\" }\n", "config.invalid", 1},
		{"decision = { on_error = \"continue\" }\n", "config.invalid", 1},
		{"", `"run.onestep/verdict":"allow"`, 2},
	} {
		clitest.Write(t, home, "config.toml", c.config)
		got := s.ask(calls(strconv.Itoa(i), "echo", `{"s":"x"}`)).text
		if !strings.Contains(got, c.want) || happened(t, home, "call echo") != c.calls {
			t.Errorf("%q: %d calls, %s", c.config, happened(t, home, "call echo"), got)
		}
	}
}
