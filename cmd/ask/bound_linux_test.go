package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// archive is a home whose server may read the one file that a call names, and post to
// an address: so its calls are counted.
type archive struct {
	*robbed
	dir string
}

func newArchive(t *testing.T) archive {
	t.Helper()
	n := archive{newRobbed(t), ""}
	n.dir = filepath.Join(n.robbed.dir, "data")
	clitest.Write(t, n.home, "allowlist.json", `{"s":["forecast"]}`)
	if err := os.Mkdir(n.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b"} {
		clitest.Write(t, n.dir, name, "text of "+name)
	}
	if err := os.Symlink("a", n.at("link")); err != nil {
		t.Fatal(err)
	}
	n.entry(fmt.Sprintf(`,"manifest":{"description":"reads","permissions":["mcp.ac.filesystem.read","mcp.ac.network.client"]},`+
		`"scopes":{"readPaths":[{"arg":"/path","under":%q}],"allowedHosts":[%q]}`, n.dir, strings.TrimPrefix(n.robbed.at, "http://")))
	clitest.Trust(t, n.home)
	return n
}

func (n archive) at(name string) string { return filepath.Join(n.dir, name) }

// meanwhile is what happens to the files between the question and the answer of the
// person, and whether the call is then made.
func meanwhile() map[string]exchange {
	return map[string]exchange{
		"nothing":             {"a", func(archive) error { return nil }, true},
		"nothing, by a link":  {"link", func(archive) error { return nil }, true},
		"it is edited":        {"a", func(n archive) error { return os.WriteFile(n.at("a"), []byte("text of a, edited"), 0o600) }, true},
		"another is moved to": {"a", func(n archive) error { return os.Rename(n.at("b"), n.at("a")) }, false},
		"it is made again": {"a", func(n archive) error {
			if err := os.Remove(n.at("a")); err != nil {
				return err
			}
			return os.WriteFile(n.at("a"), []byte("text of b"), 0o600)
		}, false},
		"it is removed": {"a", func(n archive) error { return os.Remove(n.at("a")) }, false},
		"it is made":    {"new", func(n archive) error { return os.WriteFile(n.at("new"), []byte("text of b"), 0o600) }, false},
		"the link leads elsewhere": {"link", func(n archive) error {
			if err := os.Symlink("b", n.at("next")); err != nil {
				return err
			}
			return os.Rename(n.at("next"), n.at("link"))
		}, false},
	}
}

type exchange struct {
	names  string // the file that the call names
	change func(n archive) error
	made   bool
}

// check compares what was shown at the end with whether the call was to be made.
func (n archive) check(t *testing.T, shown string, made bool) {
	t.Helper()
	calls := len(n.stolen())
	if made && (calls != 1 || !strings.Contains(shown, "posted, text of a")) {
		t.Errorf("%d calls: %s", calls, shown)
	}
	if !made && calls != 0 {
		t.Errorf("%d calls of another file than was approved: %s", calls, shown)
	}
	if !made && !strings.Contains(shown, "approval.changed") {
		t.Errorf("not refused as changed: %s", shown)
	}
}

// The call is approved in the process that makes it: a file that was replaced meanwhile is
// not the file that the person read.
func TestAFileThatWasReplacedWhileAPersonReadIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range meanwhile() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newArchive(t)
			s := seated(t, nil, n.home, 500, "call", "s/forecast", "path="+n.at(c.names))
			s.until(t, prompt)
			if leads := strings.Contains(s.shown.String(), fmt.Sprintf("path: the server may read %q, where that path leads", n.at("a"))); leads != (c.names == "link") {
				t.Errorf("the view is %s", &s.shown)
			}
			if err := c.change(n); err != nil {
				t.Fatal(err)
			}
			s.types(t, "y\r")
			code := 0
			if !c.made {
				code = 4
			}
			n.check(t, s.ends(t, code), c.made)
		})
	}
}

// The call is approved in another process, which finds the files again.
func TestAFileThatWasReplacedBeforeAnApprovalElsewhereIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range meanwhile() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newArchive(t)
			if _, errs, code := n.ask("call", "s/forecast", "path="+n.at(c.names)); code != 4 {
				t.Fatalf("exit %d: %s", code, errs)
			}
			is := waitingIn(t, n.home)
			if err := c.change(n); err != nil {
				t.Fatal(err)
			}
			out, errs, _ := n.ask("approve", is.RunID, "--digest", is.Digest)
			n.check(t, out+errs, c.made)
			if !c.made && !strings.Contains(errs, "another file is now at") {
				t.Errorf("the reason is %s", errs)
			}
		})
	}
}

// The call of a client waits in ask wrap and is approved from elsewhere.
func TestAFileThatWasReplacedWhileAClientsCallWaitedIsRefused(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"nothing", "another is moved to", "the link leads elsewhere"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n, c := newArchive(t), meanwhile()[name]
			w := speak(t, wrapped(t.Context(), n.home, "s", "--hold", "1h"))
			w.greet("2025-11-25")
			run := w.holds("2", "forecast", fmt.Sprintf(`{"path":%q}`, n.at(c.names)))
			if err := c.change(n); err != nil {
				t.Fatal(err)
			}
			sayYes(t, n.home, run)
			n.check(t, w.answered("2").text, c.made)
		})
	}
}
