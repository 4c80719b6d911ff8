package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/config/desk/policy"
	"github.com/onestep-run/onestep/internal/testing/clitest"
)

const grantPrompt = "Make this call? g also grants later ones [y/g/N/?] "

// removes are the words of a call that deletes a policy, in a conversation.
func removes(conversation, policy string) []string {
	return []string{"call", "mcp-policy-kb/delete_policy_entry", "--args", `{"policy_id":"` + policy + `"}`, "--conversation", conversation}
}

// alone runs ask without a terminal, and gives its exit status and what it printed.
func alone(t *testing.T, home string, env []string, args ...string) (int, string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "ask", append([]string{"--demo", "--allowlist", filepath.Join(home, "all.json")}, args...)...)
	cmd.Env = append(append(os.Environ(), "ASK_HOME="+home), env...)
	var both bytes.Buffer
	cmd.Stdout, cmd.Stderr = &both, &both
	var ended *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &ended) {
		t.Error(err)
	}
	return cmd.ProcessState.ExitCode(), both.String()
}

func exits(t *testing.T, home string, want int, args ...string) string {
	t.Helper()
	code, text := alone(t, home, nil, args...)
	if code != want {
		t.Errorf("%q: exit %d, not %d:\n%s", args, code, want, text)
	}
	return text
}

// Approved for one resource in one conversation: the second call asks no person, and
// any other asks.
func TestAPersonGrantsLaterCallsAtATerminal(t *testing.T) {
	t.Parallel()
	home := homeOf(t)
	exits(t, home, 4, removes("c1", "policy-002")...)
	s := sit(t, home, 200, removes("c1", "policy-001")...)
	s.until(t, grantPrompt)
	s.types(t, "?\n")
	s.until(t, grantPrompt)
	s.types(t, "g 48h\n")
	s.until(t, grantPrompt)
	s.types(t, "g 90m\n")
	text := s.ends(t, 0)
	for _, want := range []string{"about      policy:policy-001", "destroys   the server says", "g: also later calls of mcp-policy-kb/delete_policy_entry about policy:policy-001", deleted} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	exits(t, home, 0, removes("c1", "policy-001")...)
	exits(t, home, 4, removes("c1", "policy-002")...)
	for policy, answers := range map[string]bool{"policy-001": true, "policy-002": false} {
		text := exits(t, home, 0, "policy", "explain", "mcp-policy-kb/delete_policy_entry", "--args", `{"policy_id":"`+policy+`"}`, "--conversation", "c1")
		if !strings.Contains(text, ": ask, by") || strings.Contains(text, "covers it") != answers {
			t.Errorf("%s: %s", policy, text)
		}
	}
	exits(t, home, 4, removes("c2", "policy-001")...)
	exits(t, home, 4, removes("c1", "policy-001")[:4]...)
	exits(t, home, 2, removes("wrap-c1", "policy-001")...)
	exits(t, home, 2, removes("client-1", "policy-001")...)
	if code, text := alone(t, home, []string{"ASK_CONVERSATION=c1"}, removes("c1", "policy-001")[:4]...); code != 0 {
		t.Errorf("by the variable: exit %d:\n%s", code, text)
	}
	id := strings.Fields(exits(t, home, 0, "grants", "list"))[0]
	if text := exits(t, home, 0, "grants", "explain", id); !strings.Contains(text, "policy:policy-001") || !strings.Contains(text, "stands") {
		t.Error(text)
	}
	exits(t, home, 0, "grants", "revoke", id)
	exits(t, home, 4, removes("c1", "policy-001")...)
	if text := exits(t, home, 0, "grants", "list", "--all"); !strings.Contains(text, "revoked by") {
		t.Error(text)
	}
}

// A call that waits is approved elsewhere, with a grant; its conversation is ended.
func TestAPersonGrantsLaterCallsElsewhere(t *testing.T) {
	t.Parallel()
	home := homeOf(t)
	exits(t, home, 4, removes("c1", "policy-001")...)
	run := waits(t, home)[0]
	s := sit(t, home, 200, "approve", run)
	s.until(t, grantPrompt)
	s.types(t, "g\n")
	if text := s.ends(t, 0); !strings.Contains(text, deleted) {
		t.Error(text)
	}
	exits(t, home, 0, removes("c1", "policy-001")...)
	var found struct {
		Grants []policy.Grant `json:"grants"`
	}
	if err := json.Unmarshal([]byte(exits(t, home, 0, "grants", "list", "--json")), &found); err != nil {
		t.Fatal(err)
	}
	if len(found.Grants) != 1 || found.Grants[0].ID != run || !found.Grants[0].Destructive || !found.Grants[0].Stands() {
		t.Errorf("%+v", found)
	}
	exits(t, home, 2, "conversations", "end", "c2")
	exits(t, home, 2, "conversations", "end")
	exits(t, home, 2, "conversations", "end", "c1", "--older-than", "1d")
	if text := exits(t, home, 0, "conversations", "list"); !strings.Contains(text, "c1") || !strings.Contains(text, "1 grant") {
		t.Error(text)
	}
	exits(t, home, 0, "conversations", "end", "c1")
	exits(t, home, 4, removes("c1", "policy-001")...)
}

// grants approves a run's call at a terminal, and later ones with it.
func grants(t *testing.T, home, run string) {
	t.Helper()
	p := seated(t, nil, home, 200, "approve", run)
	p.until(t, grantPrompt)
	p.types(t, "g\n")
	p.ends(t, 0)
}

// boxed is a home whose writing tool says what it is about.
func boxed(t *testing.T) string {
	t.Helper()
	home := talking(t)
	clitest.Write(t, home, "allowlist.json", `{"t":{"read":["echo"],"write":[{"name":"write","resource":"box:{to}"}]}}`)
	return home
}

// Of a client's calls those are made without asking that a person granted in this
// process of ask wrap. Another one, and another box, asks.
func TestAGrantStaysWithItsProcessOfWrap(t *testing.T) {
	t.Parallel()
	home := boxed(t)
	s := speak(t, wrapped(t.Context(), home, "t", "--hold", "1h"))
	s.greet("2025-11-25")
	grants(t, home, s.holds("1", "write", `{"to":"x"}`))
	if a := s.answered("1"); !strings.Contains(a.text, "written") {
		t.Fatal(a.text)
	}
	if a := s.ask(calls("2", "write", `{"to":"x"}`)); !strings.Contains(a.text, "written") {
		t.Errorf("what was granted: %s", a.text)
	}
	s.holds("3", "write", `{"to":"y"}`)
	other := speak(t, wrapped(t.Context(), home, "t", "--hold", "1h"))
	other.greet("2025-11-25")
	other.holds("1", "write", `{"to":"x"}`)
	if n := happened(t, home, "call write"); n != 2 {
		t.Errorf("%d calls", n)
	}
}

// What one wrapped server of a client read counts for the others.
func TestTheServersOfAClientShareItsLabels(t *testing.T) {
	t.Parallel()
	home := boxed(t)
	clitest.Write(t, home, "policy.json", `{"rules":[{"effect":"deny","tools":["*/*"],"when":{"labels":{"has":"exposed"},"effect":"write"}}]}`)
	reads, writes := speak(t, wrapped(t.Context(), home, "t")), speak(t, wrapped(t.Context(), home, "t", "--hold", "1ms"))
	reads.greet("2025-11-25")
	writes.greet("2025-11-25")
	if a := writes.ask(calls("1", "write", `{"to":"x"}`)); !strings.Contains(a.text, "approval.needed") {
		t.Fatal(a.text)
	}
	if a := reads.ask(calls("1", "echo", `{"s":"hi"}`)); !strings.Contains(a.text, "hi") {
		t.Fatal(a.text)
	}
	if a := writes.ask(calls("2", "write", `{"to":"x"}`)); !strings.Contains(a.text, "rule.denied") {
		t.Errorf("after a page was read: %s", a.text)
	}
	if out, err := askIn(t, home, "conversations", "list"); err != nil || !strings.Contains(out, fmt.Sprintf("client-%d-", os.Getpid())) || !strings.Contains(out, "exposed") {
		t.Errorf("%v: %s", err, out)
	}
	if n := happened(t, home, "call write"); n != 0 {
		t.Errorf("%d calls", n)
	}
}

// The result of a call labels the client that gets it, whose process is another one.
func TestAReleasedResultLabelsTheClientThatTakesIt(t *testing.T) {
	t.Parallel()
	home := talking(t)
	clitest.Write(t, home, "policy.json", `{"rules":[{"effect":"deny","tools":["*/*"],"when":{"labels":{"has":"exposed"},"effect":"write"}}]}`)
	one := speak(t, wrapped(t.Context(), home, "t"))
	one.greet("2025-11-25")
	run := regexp.MustCompile(`run.onestep/run_id":"([^"]+)"`).FindStringSubmatch(one.ask(calls("1", "inject", "{}")).text)[1]
	if out, err := askIn(t, home, "quarantine", "release", run); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), "sh", "-c", "ask wrap t --hold 1ms; exit $?") // the client is this shell
	cmd.Env = append(os.Environ(), "ASK_HOME="+home)
	other := speak(t, cmd)
	other.greet("2025-11-25")
	if a := other.ask(calls("1", "write", `{"to":"x"}`)); !strings.Contains(a.text, "approval.needed") {
		t.Fatal(a.text)
	}
	if a := other.ask(calls("2", "onestep_released", fmt.Sprintf(`{"run_id":%q}`, run))); !strings.Contains(a.text, "word") {
		t.Fatal(a.text)
	}
	if a := other.ask(calls("3", "write", `{"to":"x"}`)); !strings.Contains(a.text, "rule.denied") {
		t.Errorf("after the result of a page: %s", a.text)
	}
}

const ownArgs = "The arguments as one JSON object: "

// A person who is asked may write other arguments: the call that they were shown is
// not made, and theirs is asked for with what they wrote.
func TestAPersonWritesOtherArguments(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(*testing.T, string) *seat{
		"asked at once": func(t *testing.T, home string) *seat { return sit(t, home, 200, removes("c1", "policy-001")...) },
		"asked elsewhere": func(t *testing.T, home string) *seat {
			exits(t, home, 4, removes("c1", "policy-001")...)
			return sit(t, home, 200, "approve", waits(t, home)[0])
		},
	} {
		home := homeOf(t)
		s := start(t, home)
		s.until(t, grantPrompt)
		s.types(t, "e\n")
		s.until(t, ownArgs)
		s.types(t, `{"policy_id":"policy-002"}`+"\n")
		s.until(t, grantPrompt)
		s.types(t, "y\n")
		text := s.ends(t, 0)
		if !strings.Contains(text, `"policy-002"  [written by the person who was asked]`) || !strings.Contains(text, deleted) {
			t.Errorf("%s: %s", name, text)
		}
		if n := len(waits(t, home)); n != 0 {
			t.Errorf("%s: %d approvals wait", name, n)
		}
		all, err := filepath.Glob(home + "/traces/trace_*.jsonl")
		if err != nil || len(all) != 2 {
			t.Errorf("%s: %q, %v", name, all, err)
		}
		for _, run := range all {
			exits(t, home, 0, "trace", "replay", run)
		}
	}
}

// The new arguments meet the same gates, and a yes to one call is not a yes to the other.
func TestOtherArgumentsMeetTheGates(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args string
		asks bool
		code int
	}{
		"no JSON": {"policy-002", false, 3}, "no object": {`["policy-002"]`, false, 3}, "nothing": {"", false, 3},
		"another name": {`{"policyid":"policy-002"}`, false, 3}, "no yes": {`{"policy_id":"policy-002"}`, true, 3},
	} {
		home := homeOf(t)
		s := sit(t, home, 200, removes("c1", "policy-001")...)
		s.until(t, grantPrompt)
		s.types(t, "e\n")
		s.until(t, ownArgs)
		s.types(t, c.args+"\n")
		if c.asks {
			s.until(t, grantPrompt)
			s.types(t, "\n")
		}
		if text := s.ends(t, c.code); strings.Contains(text, deleted) {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// A grant lasts a day, or what the person writes, which is no longer.
func TestHowLongAGrantLasts(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]time.Duration{
		"g": 24 * time.Hour, "g 24h": 24 * time.Hour, "g 90m": 90 * time.Minute, "g  1h30m": 90 * time.Minute,
		"g 24h1s": 0, "g 0s": 0, "g -1h": 0, "g ": 0, "g 5": 0, "g x": 0, "go": 0, "go 1h": 0, "g 1h 2h": 0,
	} {
		if life, ok := lifeOf(answer); ok != (want > 0) || ok && life != want {
			t.Errorf("%q: %s, %t", answer, life, ok)
		}
	}
}
