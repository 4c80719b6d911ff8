package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/config/desk"
)

const grantPrompt = "Make this call? g also grants later ones [y/g/N/?] "

// removes are the words of a call that deletes a policy, in a conversation.
func removes(conversation, policy string) []string {
	return []string{"call", "mcp-policy-kb/delete_policy_entry", "--args", `{"policy_id":"` + policy + `"}`, "--conversation", conversation}
}

// alone runs ask where nobody sits, and gives its exit status and what it printed.
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

// Approved for one resource in one conversation: the second call asks nobody, and
// any other asks.
func TestAPersonGrantsLaterCallsAtATerminal(t *testing.T) {
	t.Parallel()
	home := homeOf(t)
	exits(t, home, 4, removes("c1", "policy-002")...)
	s := sit(t, home, 200, removes("c1", "policy-001")...)
	s.until(t, grantPrompt)
	s.types(t, "?\n")
	s.until(t, grantPrompt)
	s.types(t, "g\n")
	text := s.ends(t, 0)
	for _, want := range []string{"about      policy:policy-001", "destroys   the server says", "g: also later calls of mcp-policy-kb/delete_policy_entry about policy:policy-001", deleted} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	exits(t, home, 0, removes("c1", "policy-001")...)
	exits(t, home, 4, removes("c1", "policy-002")...)
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
		Grants []desk.Grant `json:"grants"`
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
	if text := exits(t, home, 0, "conversations", "list"); !strings.Contains(text, "c1") || !strings.Contains(text, "1 grants") {
		t.Error(text)
	}
	exits(t, home, 0, "conversations", "end", "c1")
	exits(t, home, 4, removes("c1", "policy-001")...)
}
