package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/logintest"
)

// What an entry states of a login counts in the operator's own file, is shown
// wherever the login is, and is nothing in a project's file.
func TestAnIssuerThatTheOperatorStatesIsShownAsSuch(t *testing.T) {
	t.Parallel()
	dir, env := newHome(t)
	project := filepath.Join(dir, "project")
	if err := os.Mkdir(project, 0o700); err != nil {
		t.Fatal(err)
	}
	server := logintest.New(t, logintest.Options{At: "nowhere", Edit: func(path string, doc map[string]any) {
		if path == "metadata" {
			delete(doc, "code_challenge_methods_supported")
		}
	}})
	ask := func(exit int, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "ask", args...)
		cmd.Env, cmd.Dir, cmd.Path = env, project, filepath.Join(released(t), "ask")
		out, _ := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != exit {
			t.Fatalf("%q: exit %d, want %d: %s", args, got, exit, out)
		}
		return string(out)
	}
	has := func(text string, parts ...string) {
		t.Helper()
		for _, part := range parts {
			if !strings.Contains(text, part) {
				t.Errorf("no %q in: %s", part, text)
			}
		}
	}
	entry := func(path, oauth string) {
		t.Helper()
		text := fmt.Sprintf(`{"mcpServers":{"tickets":{"url":%q,"oauth":%s}}}`, server.URL(), oauth)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	own, theirs := filepath.Join(dir, "mcp.json"), filepath.Join(project, ".mcp.json")
	stated := fmt.Sprintf(`{"issuer":%q,"pkce":"S256"}`, server.Issuer())

	entry(own, `{}`)
	has(ask(6, "servers", "login", "tickets"), "login.discovery", "publishes no document", `"oauth": {"issuer": `)
	entry(own, fmt.Sprintf(`{"issuer":%q}`, server.Issuer()))
	has(ask(6, "servers", "login", "tickets"), "login.discovery", `"oauth": {"pkce": "S256"}`)

	entry(theirs, stated)
	has(ask(6, "servers", "login", "tickets", "--servers", ".mcp.json"), "login.discovery", "project's file")
	if err := os.Remove(own); err != nil {
		t.Fatal(err)
	}
	has(ask(0, "servers", "import", ".mcp.json", "--no-fetch"), "added tickets", "oauth.issuer (or authServerMetadataUrl, which names it) and oauth.pkce is left out")
	if b, err := os.ReadFile(own); err != nil || strings.Contains(string(b), "issuer") {
		t.Errorf("%s, %v", b, err)
	}
	if n := server.Count("/register") + server.Count("/authorize") + server.Count("/token"); n != 0 {
		t.Errorf("%d requests to an issuer that the operator did not state", n)
	}

	entry(own, stated)
	has(ask(0, "servers", "login", "tickets"), "issuer stated by the operator", "PKCE (S256) stated by the operator", "logged in at 127.0.0.1")
	has(ask(0, "servers", "list"), "issuer stated by the operator")
	has(ask(4, "servers", "review", "tickets", "--all-tools"), "at "+server.Issuer()+": issuer stated by the operator")
	has(ask(4, "servers", "review", "tickets", "--all-tools", "--json"), `"issuer_stated_by_operator": true`)
	has(ask(6, "servers", "test", "tickets", "--servers", ".mcp.json"), "server.auth", "does not state now")
	entry(own, `{}`)
	has(ask(6, "servers", "test", "tickets"), "server.auth", "does not state now")
	if wrongs := server.Wrongs(); len(wrongs) > 0 {
		t.Errorf("the servers saw: %q", wrongs)
	}
}
