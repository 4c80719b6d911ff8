package config_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"

	"github.com/onestep-run/onestep/config"
)

// Lines whose keys name a server are replaced by such lines, which take in nothing
// that follows them. The old lines come back byte for byte.
func TestLinesWithDottedKeysAreEditedInTheirPlace(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"at the top":         "mcp_servers.a.command = 'x'\nmcp_servers.a.args = ['y']\nmodel = 'm'\n[z]\nk = 1\n",
		"in the middle":      "first = 1\n\n# the server\nmcp_servers.a.command = 'x'\n# its arguments\nmcp_servers.a.args = [\n  'y', # one\n]\n\n# the model\nmodel = 'm'\nother.key = 2\n",
		"before another":     "mcp_servers.a.command = 'x'\nmcp_servers.b.command = 'z'\nmodel = 'm'\n",
		"after another":      "mcp_servers.b.command = 'z'\nmcp_servers.a.command = 'x'\nmodel = 'm'\n",
		"below a table":      "model = 'm'\n[mcp_servers]\na.command = 'x'\na.args = ['y']\nb.command = 'z'\n[z]\nk = 1\n",
		"a value of a table": "model = 'm'\n[mcp_servers]\na = {command = 'x', env = {A = 'b'}}\nb = {command = 'z'}\n[z]\nk = 1\n",
		"a value":            "mcp_servers.a = {command = 'x'}\nmodel = 'm'\n",
		"with quotes":        "'mcp_servers'.\"a\".command = 'x'\nmodel = 'm'\n",
		"indented":           "  mcp_servers.a.command = 'x'\n  model = 'm'\n",
		"with other lines":   "mcp_servers.a.command = 'x'\nmcp_servers.a.startup_timeout_sec = 20\nmcp_servers.a.env.A = 'b'\nmodel = 'm'\n",
		"without an end":     "model = 'm'\nmcp_servers.a.command = 'x'",
		"other ends of line": "mcp_servers.a.command = 'x'\r\nmodel = 'm'\r\n",
		"in a long text":     "mcp_servers.a.command = '''\nx'''\nmodel = 'm'\n",
	} {
		c, err := config.ParseClientFile(home+".codex/config.toml", "", []byte(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		was, _, after, err := c.Wrap("a", wrapper())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(without(t, text, "a"), without(t, string(after.Text()), "a")); diff != "" {
			t.Errorf("%s: the lines around are others:\n%s\n%s", name, diff, after.Text())
		}
		if spec, _, is := after.Servers.Spec("a"); !is || spec.Command != "/opt/ask" || !slices.Equal(spec.Args, []string{"wrap", "a"}) {
			t.Errorf("%s: it starts %+v\n%s", name, spec, after.Text())
		}
		if strings.Contains(string(after.Text()), "[mcp_servers.") {
			t.Errorf("%s: it has a table:\n%s", name, after.Text())
		}
		back, err := after.With("a", []byte(was))
		if err != nil || string(back.Text()) != text {
			t.Errorf("%s: it comes back as %q, %v", name, back.Text(), err)
		}
	}
}

// What is written by hand, in place of the lines of the entry, takes in no other line.
func TestASnippetTakesInNoOtherLine(t *testing.T) {
	t.Parallel()
	for name, row := range map[string][]string{ // the text, and in it each part that the snippet replaces
		"two places":     {"mcp_servers.a.command = 'x'\nmodel = 'm'\nmcp_servers.a.args = ['y']\n[z]\nk = 1\n", "mcp_servers.a.command = 'x'", "mcp_servers.a.args = ['y']\n"},
		"below a table":  {"[mcp_servers]\na.command = 'x'\nb.command = 'z'\na.args = ['y']\nc.command = 'z'\n", "a.command = 'x'", "a.args = ['y']\n"},
		"with a table":   {"[mcp_servers]\na.command = 'x'\nb.command = 'z'\n[mcp_servers.a.env]\nA = 'b'\n[z]\nk = 1\n", "a.command = 'x'", "[mcp_servers.a.env]\nA = 'b'\n"},
		"in one value":   {"model = 'm'\nmcp_servers = {b = {command = 'z'}, a = {command = 'x'}}\nother = 1\n", "a = {command = 'x'}"},
		"several tables": {"[mcp_servers.a]\ncommand = 'x'\n[z]\nk = 1\n[mcp_servers.a.env]\nA = 'b'\n", "[mcp_servers.a]\ncommand = 'x'", "[mcp_servers.a.env]\nA = 'b'\n"},
	} {
		text := row[0]
		c, err := config.ParseClientFile(home+".codex/config.toml", "", []byte(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, _, after, err := c.Wrap("a", wrapper()); err == nil {
			t.Errorf("%s: it is edited: %s", name, after.Text())
		}
		pasted := c.Snippet("a", wrapper())
		edited := strings.Replace(text, row[1], pasted, 1)
		for _, rest := range row[2:] {
			edited = strings.Replace(edited, rest, "", 1)
		}
		if diff := cmp.Diff(without(t, text, "a"), without(t, edited, "a")); diff != "" {
			t.Errorf("%s: the lines around are others:\n%s\n%s", name, diff, edited)
		}
		is, err := config.ParseClientFile(home+".codex/config.toml", "", []byte(edited))
		if spec, _, _ := is.Servers.Spec("a"); err != nil || spec.Command != "/opt/ask" {
			t.Errorf("%s: %v\n%s", name, err, edited)
		}
	}
}

// without is a TOML document without one of its servers.
func without(t *testing.T, text, server string) (all map[string]any) {
	t.Helper()
	if err := toml.Unmarshal([]byte(text), &all); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	servers, _ := all["mcp_servers"].(map[string]any)
	delete(servers, server)
	return all
}
