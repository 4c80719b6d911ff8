package config_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/escape"
)

func TestANameIsMadeOfWhatItCanHold(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{
		"plain":                  "plain",
		"My_server.v2-x":         "My_server.v2-x",
		"Framed Design (Beta)":   "Framed-Design-Beta",
		"@scope/magic":           "scope-magic",
		"io.github.me/server":    "io.github.me-server",
		"Ada's notes":            "Ada-s-notes",
		"a:b":                    "a-b",
		"[prod] db":              "prod-db",
		"  x  ":                  "x",
		"-x":                     "x",
		"--help":                 "help",
		"x\x1b[2J\nok":           "x-2J-ok",
		"\u202ereversed":         "reversed",
		"台本 v2":                  "v2",
		"./../x":                 "x",
		strings.Repeat("a", 128): strings.Repeat("a", 128),
		strings.Repeat("a", 129): strings.Repeat("a", 64),
		"\u017f\u212a":           "server-1777be81", // letters that fold to s and k
		"台本":                     "server-f9736f79",
		"/":                      "server-8a5edab2",
		"---":                    "server-cb3f91d5",
	} {
		got := config.ServerName(key)
		if got != want {
			t.Errorf("%q: %q, want %q", key, got, want)
		}
		if !escape.Name(got) || config.ServerName(got) != got {
			t.Errorf("%q: %q is not a name", key, got)
		}
	}
}

// An entry of any name is wrapped under the name that it gets here, and its client's
// key stays.
func TestAnEntryOfAnyNameIsWrappedAndPutBack(t *testing.T) {
	t.Parallel()
	for path, text := range map[string]string{
		home + ".cursor/mcp.json":   `{"mcpServers": {"@a/b": {"command": "x"}, "A's (B)": {"command": "y"}, "\u53f0": {"url": "https://h.example"}}}`,
		home + "opencode.json":      `{"mcp": {"@a/b": {"type": "local", "command": ["x"]}, "A's (B)": {"type": "local", "command": ["y"]}, "台": {"type": "remote", "url": "https://h.example"}}}`,
		home + ".codex/config.toml": "[mcp_servers.\"@a/b\"]\ncommand = 'x'\n[mcp_servers.\"A's (B)\"]\ncommand = 'y'\n[mcp_servers.\"\\u53f0\"]\nurl = 'https://h.example'\n",
		home + "goose/config.yaml":  "extensions:\n  '@a/b':\n    cmd: x\n    type: stdio\n  \"A's (B)\":\n    cmd: y\n    type: stdio\n  台:\n    uri: https://h.example\n    type: streamable_http\n",
	} {
		c, err := config.ParseClientFile(path, "", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		was := map[string]string{}
		for key, as := range map[string]string{"@a/b": "a-b", "A's (B)": "A-s-B", "台": "other"} {
			w := wrapper()
			w.Name = as
			before, _, after, err := c.Wrap(key, w)
			if err != nil {
				t.Fatalf("%s: %s: %v", path, key, err)
			}
			if spec, _, _ := after.Servers.Spec(key); len(spec.Args) != 2 || spec.Args[1] != as {
				t.Errorf("%s: %s starts %v", path, key, spec.Args)
			}
			was[key], c = before, after
		}
		for key, entry := range was {
			if c, err = c.With(key, []byte(entry)); err != nil {
				t.Fatalf("%s: %s: %v", path, key, err)
			}
		}
		if string(c.Text()) != text {
			t.Errorf("%s came back as %q", path, c.Text())
		}
	}
}

// The servers file of ask has names that fit, and no other.
func TestOurOwnFileHasOnlyNamesThatFit(t *testing.T) {
	t.Parallel()
	s, err := config.ParseServers("/h/mcp.json", []byte(`{"mcpServers":{"a b":{"command":"x"},"ok":{"command":"x"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if names := s.Names(); len(names) != 1 || names[0] != "ok" {
		t.Errorf("it has %q", names)
	}
}
