package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/internal/testing/clitest"
	"github.com/onestep-run/onestep/internal/testing/logintest"
)

// lineWith is the line of the screen that begins so, as it was written: the terminal
// breaks it into rows.
func lineWith(t *testing.T, screen, begins string) string {
	t.Helper()
	for line := range strings.Lines(screen) {
		if line = strings.TrimRight(line, "\r\n"); strings.HasPrefix(line, begins) {
			return line
		}
	}
	t.Fatalf("no line begins with %q:\n%s", begins, screen)
	return ""
}

// The address of a login is one line, whatever the width, and a link only where the
// terminal's user wants more than text.
func TestTheAddressOfALoginIsOneLine(t *testing.T) {
	t.Parallel()
	const link, text = "\x1b]8;;http://", "http://"
	for name, c := range map[string]struct {
		env   []string
		wants string
	}{
		"a terminal":          {nil, link},
		"NO_COLOR":            {[]string{"NO_COLOR=1"}, text},
		"a dumb terminal":     {[]string{"TERM=dumb"}, text},
		"the console":         {[]string{"TERM=linux"}, text},
		"an unknown terminal": {[]string{"TERM="}, text},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home, server := t.TempDir(), logintest.New(t, logintest.Options{Scopes: []string{"read write"}})
			clitest.Write(t, home, "config.toml", "token_key = \"file\"\n")
			clitest.Write(t, home, "mcp.json", `{"mcpServers":{"tickets":{"type":"http","url":"`+server.URL()+`"}}}`)
			s := seated(t, append(c.env, "HOME="+home), home, 40, "servers", "login", "tickets", "--no-browser")
			s.until(t, "[y/N] ")
			s.types(t, "y\n")
			s.until(t, "here:") // the rows break between words
			address := lineWith(t, s.shown.String(), c.wants)
			if !strings.Contains(address, "code_challenge_method=S256") || !strings.Contains(address, "%3A%2F%2F") {
				t.Errorf("the address is broken: %q", address)
			}
			if links := strings.Count(s.shown.String(), "\x1b]8;;"); (links == 2) != (c.wants == link) || links == 1 {
				t.Errorf("%d links", links)
			}
		})
	}
}

// A command of a hint, the command that approves, and JSON to copy are whole where
// the rows of the terminal would break them.
func TestWhatIsToBeCopiedIsOneLine(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	clitest.Write(t, home, "mcp.json", `{"mcpServers":{"desk":{"command":"ask","args":["demo","serve","mcp-servicenow"]},"policies":{"command":"ask","args":["demo","serve","mcp-policy-kb"]}}}`)
	hint := seated(t, nil, home, 30, "servers", "review", "--all").ends(t, 3)
	if got := lineWith(t, hint, "ask servers review"); got != "ask servers review desk policies" {
		t.Errorf("the command of the hint is %q", got)
	}
	clitest.Write(t, home, "allowlist.json", `{"desk":{"read":["get_ticket"]}}`)
	waits := seated(t, nil, home, 60, "--json", "Get ticket INC0010001").ends(t, 4)
	if got := lineWith(t, waits, "ask servers approve"); !strings.Contains(got, " --digest sha256:") || strings.Contains(got, "|") {
		t.Errorf("the command that approves is %q", got)
	}
	all := seated(t, nil, home, 60, "tools", "--all").ends(t, 0)
	if got := lineWith(t, all, `{"desk":`); !strings.HasSuffix(got, "}}") {
		t.Errorf("the allowlist is %q", got)
	}
	wide := seated(t, nil, home, 200, "servers", "review", "--all", "--allowlist", filepath.Join(home, "none")).ends(t, 3)
	if strings.Contains(wide, "\nask servers review") {
		t.Errorf("a command that was whole is shown twice:\n%s", wide)
	}
}

// A document at a terminal parses as it is on the screen, and so does a command that
// is suggested; a long command of a message is on a line of its own too.
func TestJSONOfATerminalIsWhole(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	clitest.Write(t, home, "mcp.json", `{"mcpServers":{"a-server-with-a-long-name":{"command":"ask","args":["demo","serve","mcp-policy-kb"],"env":{"TEXT":"`+strings.Repeat("a word ", 20)+`"}}}}`)
	for _, args := range [][]string{{"servers", "show", "a-server-with-a-long-name", "--json"}, {"manifest", "propose", "a-server-with-a-long-name"}, {"policy", "schema"}} {
		shown := seated(t, nil, home, 30, args...).ends(t, 0)
		from, to := strings.Index(shown, "{"), strings.LastIndex(shown, "}")
		if from < 0 || !jsontext.Value(shown[from:to+1]).IsValid() {
			t.Errorf("ask %q:\n%s", args, shown)
		}
	}
	added := seated(t, nil, home, 30, "servers", "add", "another-server-of-a-long-name", "--no-fetch", "--", "ask", "demo", "serve", "mcp-servicenow").ends(t, 0)
	if got := lineWith(t, added, "ask servers review"); got != "ask servers review another-server-of-a-long-name" {
		t.Errorf("the command that reviews is %q", got)
	}
}
