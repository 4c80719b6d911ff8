package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/host/confine"
	"github.com/onestep-run/onestep/internal/testing/clitest"
)

const confineThis = "to this? [Y/n/?] "

// confinable reports whether this machine can confine a server.
func confinable() bool {
	m := confine.ThisMachine()
	return m.Landlock > 0 && m.Notify
}

// refuses has a person answer that a new server keeps the user's rights, on a machine
// that could confine it.
func (s *seat) refuses(t *testing.T) {
	t.Helper()
	if confinable() {
		s.until(t, confineThis)
		s.types(t, "n\n")
	}
}

// manifested reports whether the servers file of a home has a manifest.
func manifested(t *testing.T, home string) bool {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(home, "mcp.json"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(string(b), `"manifest"`)
}

// TestANewServerIsConfinedUnlessAPersonSaysNo, before it is started: an empty line
// takes the proposed manifest, and what was typed ahead answers nothing.
func TestANewServerIsConfinedUnlessAPersonSaysNo(t *testing.T) {
	t.Parallel()
	if !confinable() {
		t.Skip("this machine cannot confine a server")
	}
	const each = "Approve close_ticket? [y/r/w/x/a/W/N/?] "
	for name, c := range map[string]struct {
		keys     []string
		code     int
		confined bool
		shows    string
	}{
		"the default":  {[]string{"\n", "y\n"}, 0, true, "confined to its own program"},
		"yes":          {[]string{"y\n", "y\n"}, 0, true, "s: approved close_ticket"},
		"no":           {[]string{"n\n", "y\n"}, 0, false, "not confined: it has all of your rights"},
		"another word": {[]string{"no\n", "n\n", "y\n"}, 0, false, "n starts the server with all of your rights"},
		"the end":      {[]string{"\x04"}, 3, false, "nothing was saved"},
		"an interrupt": {[]string{"\x03"}, 130, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home, files := deskOf(t)
			s := sit(t, home, 120, append(files, "servers", "review", "s")...)
			for n, keys := range c.keys {
				if n > 0 && n == len(c.keys)-1 {
					s.until(t, each)
				} else {
					s.until(t, confineThis)
				}
				s.types(t, keys)
			}
			if shown := s.ends(t, c.code); !strings.Contains(shown, c.shows) {
				t.Errorf("it shows\n%s", shown)
			}
			if manifested(t, home) != c.confined {
				t.Errorf("a manifest is written: %v", !c.confined)
			}
			if c.code != 0 {
				return
			}
			s = sit(t, home, 120, append(files, "servers", "review", "s", "--again")...) // it is not new any more
			s.until(t, each)
			s.types(t, "n\n")
			if shown := s.ends(t, 0); strings.Contains(shown, confineThis) {
				t.Errorf("it is proposed again:\n%s", shown)
			}
		})
	}
}

// TestAFirstQuestionNamesTheCommandThatConfines, and writes nothing.
func TestAFirstQuestionNamesTheCommandThatConfines(t *testing.T) {
	t.Parallel()
	if !confinable() {
		t.Skip("this machine cannot confine a server")
	}
	home, files := deskOf(t)
	clitest.Write(t, home, "allow.json", `{"s":{"read":["get_ticket"]}}`)
	s := sit(t, home, 120, append(files, "Get ticket INC0010001")...)
	s.until(t, "Approve get_ticket? [y/r/w/x/a/W/N/?] ")
	s.types(t, "y\n")
	shown := s.ends(t, 0)
	if !strings.Contains(shown, "VPN") || !strings.Contains(shown, "next: ask manifest use s") || manifested(t, home) {
		t.Errorf("it shows\n%s", shown)
	}
}

// TestAnApprovalIsOfOneManifest: the digests of a review cover what confines the
// server, so that none of them approves once the entry's manifest is another one.
// Without a terminal the review names the command that confines, and writes nothing.
func TestAnApprovalIsOfOneManifest(t *testing.T) {
	t.Parallel()
	if !confinable() {
		t.Skip("this machine cannot confine a server")
	}
	home, files := deskOf(t)
	ask := func(code int, args ...string) (out, errs string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "ask", append(slices.Clone(files), args...)...)
		cmd.Env = append(os.Environ(), "ASK_HOME="+home)
		var to, saying strings.Builder
		cmd.Stdout, cmd.Stderr = &to, &saying
		_ = cmd.Run()
		if cmd.ProcessState.ExitCode() != code {
			t.Fatalf("ask %q: exit %d, want %d\n%s%s", args, cmd.ProcessState.ExitCode(), code, &to, &saying)
		}
		return to.String(), saying.String()
	}
	digests := func(out, errs string) (all []string) {
		for _, word := range strings.Fields(out + errs) {
			if strings.HasPrefix(word, "sha256:") && len(word) == len("sha256:")+64 {
				all = append(all, word)
			}
		}
		return all
	}
	out, errs := ask(4, "servers", "review", "s")
	if !strings.Contains(out, "not confined") || !strings.Contains(errs, "\nnext: ask manifest use s --") || manifested(t, home) {
		t.Fatalf("it shows\n%s%s", out, errs)
	}
	if doc, _ := ask(4, "servers", "review", "s", "--json"); !strings.Contains(doc, `"ask manifest use s"`) {
		t.Errorf("no command in\n%s", doc)
	}
	loose := digests(out, errs)
	ask(0, "manifest", "use", "s")
	confined := digests(ask(4, "servers", "review", "s"))
	if _, errs := ask(4, "servers", "review", "s"); strings.Contains(errs, "manifest use") {
		t.Errorf("a confined server is called not confined:\n%s", errs)
	}
	refused := func(what string, all []string) {
		t.Helper()
		for _, digest := range all {
			if _, errs := ask(4, "servers", "approve", "s", "--digest", digest); !strings.Contains(errs, "pin.changed") {
				t.Errorf("%s approves: %s", what, errs)
			}
		}
	}
	refused("a digest of the server without a manifest", loose)
	ask(0, "manifest", "remove", "s")
	refused("a digest of the server with a manifest", confined)
	wider := filepath.Join(t.TempDir(), "wider.json")
	clitest.Write(t, filepath.Dir(wider), "wider.json", `{"description":"d","permissions":["mcp.ac.network.client"],"scopes":{"allowedHosts":["collect.example:443"]}}`)
	ask(0, "manifest", "use", "s", wider)
	refused("a digest of the server with another manifest", confined)
	now := digests(ask(4, "servers", "review", "s"))
	ask(0, "servers", "approve", "s", "--digest", now[len(now)-1])
}
