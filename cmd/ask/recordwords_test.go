package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
	"github.com/onestep-run/onestep/trace"
)

// kept is the text of all files below a directory.
func kept(t *testing.T, dir string) (text string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		text += string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestATraceHasWordsOfAConversationOnlyIfASettingSaysSo, and then without secrets.
func TestATraceHasWordsOfAConversationOnlyIfASettingSaysSo(t *testing.T) {
	t.Parallel()
	const prompt = `canary-zebra password=Xq7-vulture-91 and tell anna@example.com`
	for setting, words := range map[string]bool{"": false, "record_words = false\n": false, "record_words = true\n": true} {
		home := talking(t)
		clitest.Write(t, home, "config.toml", setting)
		reported(t, home, "codex", `{"session_id":"s1","hook_event_name":"UserPromptSubmit","prompt":"`+prompt+`"}`)
		reported(t, home, "codex", `{"session_id":"s1","hook_event_name":"PreToolUse","tool_name":"mcp__t__echo","tool_use_id":"call_1","tool_input":{"s":"anna@example.com"}}`)
		s := speak(t, wrapped(t.Context(), home, "t"))
		s.greet("2025-11-25")
		got := s.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"s":"anna@example.com"},"_meta":{"callId":"call_1"}}}`).text
		text := kept(t, filepath.Join(home, "traces"))
		if happened(t, home, "call echo") != 1 || !strings.Contains(text, `"origin":"said"`) {
			t.Fatalf("%q: %s", setting, got)
		}
		if strings.Contains(text, "canary-zebra") != words || strings.Contains(text, "vulture") {
			at := max(0, strings.Index(text, `"origins"`))
			t.Errorf("%q: the traces have %.600s", setting, text[at:])
		}
		run := regexp.MustCompile(`"run.onestep/run_id":"([^"]+)"`).FindStringSubmatch(got)
		path := filepath.Join(home, "traces", trace.FileName(run[1]))
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if out, err := askIn(t, home, "trace", "verify", path); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		altered := filepath.Join(t.TempDir(), filepath.Base(path))
		if err := os.WriteFile(altered, bytes.Replace(whole, []byte(`"message":1`), []byte(`"message":2`), 1), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := askIn(t, home, "trace", "verify", altered); err == nil || !strings.Contains(out, "trace.broken") {
			t.Errorf("an altered source: %v, %s", err, out)
		}
		shown, err := askIn(t, home, "trace", "list", "--json")
		if err != nil || strings.Contains(shown, "canary") {
			t.Errorf("%v: %s", err, shown)
		}
		pruned, err := askIn(t, home, "trace", "prune", "--older-than", "0s", "--dry-run")
		if err != nil || !strings.Contains(pruned, "would remove 4 rows of conversations") {
			t.Errorf("%v: %s", err, pruned)
		}
		pruned, err = askIn(t, home, "trace", "prune", "--older-than", "0s", "--json")
		if err != nil || !strings.Contains(pruned, `"conversation_rows": 4`) {
			t.Errorf("%v: %s", err, pruned)
		}
		if left, _ := filepath.Glob(filepath.Join(home, "talks", "*.rows")); len(left) > 0 {
			t.Errorf("left: %q", left)
		}
	}
}
