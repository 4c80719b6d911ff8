//go:build interop

package interop_test

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// hooked are the clients with hooks, and what each needs to start them without a person.
var hooked = map[string][]string{
	"opencode": nil,
	"codex":    {"--dangerously-bypass-hook-trust"}, // at a terminal the user trusts them with /hooks
	"gemini":   nil,
}

// TestClientsWithHooksSayWhoSaidIt: the question names INC7, and nothing names INC8.
func TestClientsWithHooksSayWhoSaidIt(t *testing.T) {
	seated(t, func(t *testing.T, r *room) {
		flags, some := hooked[r.client.name]
		if !some {
			t.Skipf("%s has no hooks that ask can install", r.client.name)
		}
		before := r.configured(t)
		r.ask(t, slices.Concat([]string{"clients", "wrap", r.client.name, "--hooks", "--yes"}, r.client.wrap)...)
		if got := r.ask(t, "clients", "show", r.client.name, "--jq", ".clients[].hooks.state // empty"); got != "installed" {
			t.Errorf("the hooks are %s", got)
		}
		r.review(t, "--read", "find", "--write", "close_ticket")
		at := slices.Index(r.client.command, "-p") // the question follows it
		if at < 0 {
			at = len(r.client.command)
		}
		r.client.command = slices.Insert(slices.Clone(r.client.command), at, flags...)

		s := r.begin(t)
		s.originOf(t, "INC7", "your client says you said it, message 1")
		s.originOf(t, "INC8", "CHECK: no known source")
		s.end(t)
		if b, _ := os.ReadFile(r.desk + "/calls"); strings.Count(string(b), "close_ticket") != 2 {
			t.Errorf("the server was called %q", b)
		}
		r.ask(t, "clients", "unwrap", r.client.name, "--yes")
		if after := r.configured(t); !bytes.Equal(after, before) {
			t.Errorf("the client's file is now\n%s\nand was\n%s", after, before)
		}
		r.traced(t)
	})
}

// originOf is a call that waits for a person, who sees where its argument comes from.
func (s *session) originOf(t *testing.T, ticket, want string) {
	t.Helper()
	s.call(t, "close_ticket", object{"id": ticket})
	run := s.pending(t)
	if shown := s.ask(t, "approvals", "show", run); !strings.Contains(shown, want) {
		t.Errorf("of %s the approval shows %s", ticket, shown)
	}
	s.approve(t, run)
	if got := s.result(t); !strings.Contains(got, "the ticket is closed") {
		t.Errorf("of a call that was approved the model gets %s", got)
	}
	trace := s.ask(t, "trace", "show", run, "--json")
	var facts struct{ Events []json.RawMessage }
	if err := json.Unmarshal([]byte(trace), &facts); err != nil || !strings.Contains(trace, `"origins": [`) {
		t.Errorf("the trace has no origins: %v\n%s", err, trace)
	}
	if strings.Contains(trace, "Close ticket INC7") {
		t.Error("the trace has the words of the message")
	}
}
