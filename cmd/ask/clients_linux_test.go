package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// sitAt is a person who wraps the servers of a home's clients.
func sitAt(t *testing.T, home string, args ...string) *seat {
	t.Helper()
	args = append([]string{"--demo=false", "--allowlist=", "clients"}, args...)
	return sitWith(t, []string{"HOME=" + home}, filepath.Join(home, "ask"), 120, args...)
}

// A person reads what changes, says yes, and reviews the server on the spot.
func TestAPersonWrapsAndReviews(t *testing.T) {
	t.Parallel()
	home, file := clientOf(t, cursorFile)
	s := sitAt(t, home, "wrap", "cursor")
	s.until(t, "Write this? [y/N] ")
	if read(t, file) != cursorFile {
		t.Error("it was written before the answer")
	}
	s.types(t, "y\n")
	s.until(t, "Confine s to this? [Y/n/?] ")
	s.types(t, "n\n")
	s.until(t, "[y/r/w/x/a/W/N/?] ")
	if !strings.Contains(read(t, file), `"args":["wrap","s"]`) {
		t.Errorf("it holds %s", read(t, file))
	}
	s.types(t, "W\n")
	s.until(t, "[y/N] ")
	s.types(t, "w\n")
	shown := s.ends(t, 0)
	if !strings.Contains(shown, "s: approved close_ticket, get_ticket, search_servicenow_tickets") || strings.Contains(shown, "hunter") || strings.Contains(shown, "next: ") || strings.Contains(shown, `u{1B}`) {
		t.Errorf("it shows\n%s", shown)
	}
	// What is approved is not asked about again.
	s = sitAt(t, home, "unwrap", "cursor")
	s.until(t, "Write this? [y/N] ")
	s.types(t, "y\n")
	s.ends(t, 0)
	if read(t, file) != cursorFile {
		t.Errorf("it came back as %q", read(t, file))
	}
	s = sitAt(t, home, "wrap", "cursor")
	s.until(t, "Write this? [y/N] ")
	s.types(t, "y\n")
	if shown := s.ends(t, 0); strings.Contains(shown, "Approve") || !strings.Contains(read(t, file), `"args":["wrap","s"]`) {
		t.Errorf("it shows\n%s", shown)
	}
}

// Whatever is not a y writes nothing.
func TestNoAnswerButAYesWrites(t *testing.T) {
	t.Parallel()
	const text = `{"mcpServers":{"s":{"command":"/nowhere/s"}}}` // which no review waits for
	for answer, code := range map[string]int{"\n": 3, "n\n": 3, "yes\n": 3, "Y\n": 3, "\x04": 3, "\x03": 130} {
		home, file := clientOf(t, text)
		s := sitAt(t, home, "wrap", "cursor")
		s.until(t, "Write this? [y/N] ")
		s.types(t, answer)
		s.ends(t, code)
		if read(t, file) != text || len(there(t, home, "ask/mcp.json"))+len(there(t, home, "ask/clients/*")) > 0 {
			t.Errorf("%q wrote something", answer)
		}
	}
}

// What another program writes while a person reads is not lost, and what was shown
// is not done to what was not.
func TestAFileThatChangedWhileAPersonReadIsRefused(t *testing.T) {
	t.Parallel()
	for name, change := range map[string][2]string{
		"its entry":        {"mcp-servicenow", "mcp-policy-kb"},
		"all else":         {"// mine", "// theirs"},
		"the servers file": {},
	} {
		home, file := clientOf(t, cursorFile)
		s := sitAt(t, home, "wrap", "cursor")
		s.until(t, "Write this? [y/N] ")
		want := strings.Replace(cursorFile, change[0], change[1], 1)
		if name == "the servers file" {
			if err := os.MkdirAll(filepath.Join(home, "ask"), 0o700); err != nil {
				t.Fatal(err)
			}
			clitest.Write(t, filepath.Join(home, "ask"), "mcp.json", `{"mcpServers":{"s":{"command":"other"}}}`)
		} else if err := os.WriteFile(file, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
		s.types(t, "y\n")
		if shown := s.ends(t, 2); !strings.Contains(shown, "was changed after the changes were shown") || read(t, file) != want || len(there(t, home, "ask/clients/*.json")) > 0 {
			t.Errorf("%s: it shows\n%s", name, shown)
		}
	}
}

// Codex is made to leave its dialog to ask by a person's own word, and unwrap takes
// that back.
func TestCodexIsAskedAboutBeforeItIsShown(t *testing.T) {
	t.Parallel()
	const text = "[mcp_servers.s]\ncommand = \"ask\"\nargs = [\"demo\", \"serve\", \"mcp-servicenow\"]\n"
	for answer, n := range map[string]int{"y\n": 1, "\n": 0} {
		home := t.TempDir()
		if err := os.Mkdir(filepath.Join(home, ".codex"), 0o700); err != nil {
			t.Fatal(err)
		}
		clitest.Write(t, filepath.Join(home, ".codex"), "config.toml", text)
		file := filepath.Join(home, ".codex", "config.toml")
		s := sitAt(t, home, "wrap", "codex")
		s.until(t, "Have Codex leave approvals to ask? [y/N] ")
		s.types(t, answer)
		s.until(t, "Write this? [y/N] ")
		if strings.Count(s.shown.String(), "+ default_tools_approval_mode = 'approve'") != n {
			t.Errorf("%q: it shows\n%s", answer, &s.shown)
		}
		s.types(t, "y\n")
		s.until(t, "Confine s to this? [Y/n/?] ")
		s.types(t, "\x03")
		s.ends(t, 130)
		if now := read(t, file); strings.Count(now, "default_tools_approval_mode = 'approve'\n") != n || !strings.Contains(now, "['wrap', 's']") {
			t.Errorf("%q: it holds %s", answer, now)
		}
		if out, err := clientsCmd(t, home, "unwrap", "codex", "--yes").CombinedOutput(); err != nil || read(t, file) != text {
			t.Errorf("%v: %s: it came back as %q", err, out, read(t, file))
		}
	}
}

// The names, commands and reasons of a client's file are a stranger's words: no row
// that shows them begins with one.
func TestNoRowAboutClientsBeginsWithAStrangersWords(t *testing.T) {
	t.Parallel()
	servers := map[string]any{"ZX": map[string]any{"command": flowing, "args": []string{flowing}, "env": map[string]string{"ZX" + flowing: flowing}}}
	for name, entry := range map[string]any{
		"ZXa": map[string]any{"url": "https://zx.example/" + flowing}, "ZX b": map[string]any{"command": "ZX"}, "ZXc": map[string]any{"type": "ZX"},
		flowing: map[string]any{"command": flowing}, "ZX\nZX": map[string]any{"command": "x"}, "ZXd": map[string]any{"command": "ZX${"},
		"ZXe": map[string]any{"command": "ask", "args": []string{"wrap", "ZX"}}, "ZXf": map[string]any{"type": "builtin"},
	} {
		servers[name] = entry
	}
	home, file := clientOf(t, text(t, map[string]any{"mcpServers": servers}))
	clitest.Write(t, home, "ZX.json", read(t, file))
	for _, columns := range []uint16{40, 80, 200} {
		for _, args := range [][]string{
			{"clients", "list"},
			{"clients", "show", "cursor"},
			{"clients", "show", filepath.Join(home, "ZX.json")},
			{"clients", "wrap", "cursor", "--dry-run"},
			{"clients", "wrap", filepath.Join(home, "ZX.json"), "--dry-run"},
			{"servers", "import"},
			{"servers", "import", "cursor", "--dry-run"},
		} {
			s := sitWith(t, []string{"HOME=" + home}, filepath.Join(home, "ask"), columns, append([]string{"--demo=false", "--allowlist="}, args...)...)
			shown := s.whole(t)
			if !strings.Contains(shown, "ZX") {
				t.Errorf("ask %q shows no name:\n%s", args, shown)
			}
			if bad := unmarked(emulated(t, shown, int(columns))); len(bad) > 0 {
				t.Errorf("ask %q in %d columns: %d rows begin with a stranger's words, such as %q:\n%s", args, columns, len(bad), bad[0], shown)
			}
		}
	}
}
