package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// reported starts the hook of a client as the client does.
func reported(t *testing.T, home, client, report string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "ask", "hook", client)
	cmd.Env, cmd.Stdin = append(os.Environ(), "ASK_HOME="+home), strings.NewReader(report)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("the hook: %v, %q", err, out)
	}
}

var waitsFor = regexp.MustCompile(`ask approve ([^"]+)"`)

// TestTheApprovalShowsWhereAnArgumentComesFrom: a message, and no message.
func TestTheApprovalShowsWhereAnArgumentComesFrom(t *testing.T) {
	t.Parallel()
	home := talking(t)
	reported(t, home, "codex", `{"session_id":"s1","hook_event_name":"UserPromptSubmit","prompt":"write to anna@example.com"}`)
	for id, one := range map[string]struct{ to, want string }{
		"call_1": {"anna@example.com", "[your client says you said it, message 1]"},
		"call_2": {"eve@evil.example", "[CHECK: no known source]"},
		"":       {"lin@crm.example", ""},
	} {
		if id != "" {
			reported(t, home, "codex", `{"session_id":"s1","hook_event_name":"PreToolUse","tool_name":"mcp__t__write","tool_use_id":"`+id+`","tool_input":{"to":"`+one.to+`"}}`)
		}
		s := speak(t, wrapped(t.Context(), home, "t", "--hold", "1h"))
		s.greet("2025-11-25")
		s.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write","arguments":{"to":"` + one.to + `"},"_meta":{"progressToken":9,"callId":"` + id + `"}}}`)
		run := waitsFor.FindStringSubmatch(s.next().text)
		if run == nil {
			t.Fatal("the call does not wait")
		}
		shown, err := askIn(t, home, "approvals", "show", run[1])
		if err != nil || !strings.Contains(shown, one.want) {
			t.Errorf("%s: %v\n%s", one.to, err, shown)
		}
		if known := !strings.Contains(shown, "sources    not known: "); known != (id != "") {
			t.Errorf("%q: whether the sources are known:\n%s", id, shown)
		}
		if id == "" && strings.Contains(shown, "CHECK") {
			t.Errorf("without a hook it is marked:\n%s", shown)
		}
		trace, _ := askIn(t, home, "trace", "show", run[1], "--json") // its run has not ended
		if strings.Contains(trace, "write to anna") {
			t.Error("the trace has the words")
		}
		if (id != "") != strings.Contains(trace, `"origins": [`) {
			t.Errorf("%q: the trace is %s", id, trace)
		}
		if n := happened(t, home, "call write"); n != 0 {
			t.Errorf("a hook made %d calls", n)
		}
	}
}

// TestAHookPrintsNothingAndNeverFails, whatever the client sends, and where nothing can be kept.
func TestAHookPrintsNothingAndNeverFails(t *testing.T) {
	t.Parallel()
	home := talking(t)
	for _, report := range []string{"", "{", "null", "[]", `{"prompt":"x"}`, `{"session_id":"","tool_name":"t"}`, strings.Repeat("a", 1<<20)} {
		reported(t, home, "gemini", report)
	}
	full := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(full, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	reported(t, full, "codex", `{"session_id":"s","prompt":"x"}`)
}
