package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/cmd/cli/clitest"
)

// A terminal gets a table of its own width.
func TestATerminalGetsWhatCanBeRead(t *testing.T) {
	t.Parallel()
	home := homeOf(t)
	clitest.Write(t, home, "read.json", `{"mcp-policy-kb":{"read":["search_policy_kb"]}}`)
	question := []string{"--allowlist", filepath.Join(home, "read.json"), "Search the policy KB for customer data"}
	shown := sit(t, home, 50, question...).ends(t, 0)
	for _, want := range []string{"\r\nresults\r\n", "\r\n  id          snippet", "\r\n  policy-002  ", "…"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is not in\n%s", want, shown)
		}
	}
	whole := sit(t, home, 50, append(question, "--json")...).ends(t, 0)
	if !strings.Contains(whole, `"title": "Vendor data sharing policy"`) {
		t.Error(whole)
	}
}

// What is made of a document is escaped on a terminal, whatever it holds.
func TestWhatIsMadeOfADocumentIsEscapedOnATerminal(t *testing.T) {
	t.Parallel()
	home := homeOf(t)
	for _, c := range []struct {
		code int
		args []string
	}{
		{0, []string{"trace", "list", "--jq", `"a\u001b[2J\u202eb"`}},
		{0, []string{"trace", "list", "--jq", `{"x": "a\u001b[2J\u202eb"}`}},
		{0, []string{"trace", "list", "--template", "{{\"a\x1b[2J\u202eb\"}}{{tablerow \"\x1b\u202e\"}}"}},
		{2, []string{"tools", "--demo=false", "--yaml", "--servers", "a\x1b[2J\u202eb.json"}},
	} {
		shown := sit(t, home, 80, append(c.args, "--no-color")...).ends(t, c.code)
		if strings.ContainsAny(shown, "\x1b\u202e") || !strings.Contains(shown, `\u`) {
			t.Errorf("%q shows %q", c.args, shown)
		}
	}
}
