package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/internal/testing/clitest"
)

const (
	ofHi = "8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4"
)

// saving calls the tool of a server whose answer has attachments.
func saving(t *testing.T, home string, args ...string) (out host.Outcome, code int, stderr string) {
	t.Helper()
	clitest.Write(t, home, "mcp.json", `{"mcpServers":{"s":{"command":"liar","env":{"LIAR":"attachments","LIAR_IS":"1"}}}}`)
	clitest.Write(t, home, "allowlist.json", `{"s":{"read":["t"]}}`)
	clitest.Trust(t, home)
	cmd := exec.CommandContext(t.Context(), "ask", append([]string{"call", "s/t", "--args", "{}", "--json"}, args...)...)
	cmd.Env = append(os.Environ(), "ASK_HOME="+home)
	stdout, stderr := heard(t, cmd)
	var doc struct {
		Attachments []host.Attachment `json:"attachments"`
		Error       *host.Failure     `json:"error"`
		Structured  jsontext.Value    `json:"structured_content"`
	}
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
		t.Fatalf("%v: %s, %s", err, stdout, stderr)
	}
	return host.Outcome{Attachments: doc.Attachments, Error: doc.Error, Structured: doc.Structured}, cmd.ProcessState.ExitCode(), stderr
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func TestAttachmentsAreSavedUnderNamesOfOurOwn(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	dir := filepath.Join(home, "a", "b")
	out, code, stderr := saving(t, home, "--save", dir)
	want := []string{ofHi + ".bin", ofHi + ".png", ofHi + ".txt"}
	if got := names(t, dir); code != 0 || !slices.Equal(got, want) {
		t.Errorf("exit %d, %q, want %q", code, got, want)
	}
	for _, name := range want {
		path := filepath.Join(dir, name)
		info, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != "hi" {
			t.Errorf("%s holds %q, %v", name, b, err)
		}
		if info.Mode() != 0o600 {
			t.Errorf("%s is of mode %s", name, info.Mode())
		}
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%s is of mode %s, %v", dir, info.Mode(), err)
	}
	if !strings.Contains(stderr, ofHi+".png, not scanned") {
		t.Errorf("it is not said that nothing was scanned: %s", stderr)
	}
	for _, a := range out.Attachments {
		if a.Type != "resource_link" && filepath.Dir(a.Saved) != dir || a.Type == "resource_link" && a.Saved != "" {
			t.Errorf("%s is saved as %q", a.Type, a.Saved)
		}
	}
	before := names(t, home)
	if _, code, _ := saving(t, home, "--save", dir); code != 0 || !slices.Equal(names(t, dir), want) || !slices.Equal(names(t, home), before) {
		t.Errorf("a second time: exit %d, %q", code, names(t, dir))
	}
}

func TestNothingThatIsThereIsOverwritten(t *testing.T) {
	t.Parallel()
	for name, put := range map[string]func(path, beyond string) error{
		"a file":                 func(path, _ string) error { return os.WriteFile(path, []byte("no"), 0o600) },
		"a folder":               func(path, _ string) error { return os.Mkdir(path, 0o700) },
		"a link to a file":       func(path, beyond string) error { return os.Symlink(beyond, path) },
		"a link to a new file":   func(path, beyond string) error { return os.Symlink(beyond+".new", path) },
		"a file with more in it": func(path, _ string) error { return os.WriteFile(path, []byte("hi!"), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home, dir := t.TempDir(), t.TempDir()
			beyond := filepath.Join(home, "beyond")
			if err := os.WriteFile(beyond, []byte("hi"), 0o600); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, ofHi+".png")
			if err := put(path, beyond); err != nil {
				t.Fatal(err)
			}
			was, _ := os.ReadFile(path)
			out, code, _ := saving(t, home, "--save", dir)
			if out.Error == nil || out.Error.Code != "output.unsaved" || code != 1 {
				t.Errorf("exit %d, %+v", code, out.Error)
			}
			if now, _ := os.ReadFile(path); string(now) != string(was) {
				t.Errorf("it holds %q now, and held %q", now, was)
			}
			if _, err := os.Lstat(beyond + ".new"); err == nil {
				t.Error("a link was followed")
			}
		})
	}
}

func TestAFolderThatCannotBeMadeStopsTheQuestion(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	clitest.Write(t, home, "file", "")
	out, code, _ := saving(t, home, "--save", filepath.Join(home, "file", "dir"))
	if code != 2 || out.Error == nil || out.Error.Code != "usage.argument" {
		t.Errorf("exit %d, %+v", code, out.Error)
	}
	if runs, err := filepath.Glob(filepath.Join(home, "traces", "*")); err != nil || len(runs) != 0 {
		t.Errorf("it was asked: %q, %v", runs, err)
	}
}

func TestWithoutAFolderNothingIsSaved(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	out, code, stderr := saving(t, home)
	if code != 0 || len(out.Attachments) != 5 || !strings.Contains(stderr, "2 bytes, sha256:"+ofHi+": not shown; --save DIR writes it") {
		t.Errorf("exit %d, %+v, %s", code, out.Attachments, stderr)
	}
	if out.Structured.Kind() != '{' {
		t.Errorf("the structure is %s", out.Structured)
	}
	for _, a := range out.Attachments {
		if a.Saved != "" {
			t.Errorf("%s is saved as %q", a.Type, a.Saved)
		}
	}
}

// An auditor sees everything in the answer, whether or not it was saved.
func TestARunIsToldWithWhatItsAnswerHadBesideText(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	out, code, stderr := saving(t, home)
	if code != 0 {
		t.Fatal(stderr)
	}
	cmd := exec.CommandContext(t.Context(), "ask", "trace", "show", "latest")
	cmd.Env = append(os.Environ(), "ASK_HOME="+home)
	told, _ := heard(t, cmd)
	if n := strings.Count(told, "\n  attachment "); n != len(out.Attachments) || !strings.Contains(told, ofHi) || !strings.Contains(told, "\n  structure ") {
		t.Errorf("%d of %d attachments are shown: %s", n, len(out.Attachments), told)
	}
}

// TestTheAttachmentOfAPageIsSaved as docs/results.md shows it.
func TestTheAttachmentOfAPageIsSaved(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	clitest.Write(t, home, "list.json", `[{"name":"screenshot","inputSchema":{"type":"object"}}]`)
	clitest.Write(t, home, "mcp.json", fmt.Sprintf(`{"mcpServers":{"s":{"command":"talker","env":{"TALKER_LIST":%q,"TALKER_LOG":%q,"GORACE":%q}}}}`, home+"/list.json", home+"/log", clitest.AtOnce))
	clitest.Write(t, home, "allowlist.json", `{"s":{"read":["screenshot"]}}`)
	clitest.Trust(t, home)
	cmd := exec.CommandContext(t.Context(), "ask", "call", "s/screenshot", "--save", "shots")
	cmd.Dir, cmd.Env = home, append(os.Environ(), "ASK_HOME="+home)
	said, _ := cmd.CombinedOutput() // what it prints is compared
	prints(t, pageOf(t, "../../docs/results.md"), "ask call s/screenshot --save shots", string(said))
	if saved := names(t, filepath.Join(home, "shots")); len(saved) != 1 {
		t.Errorf("saved %q", saved)
	}
}
