package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
	"github.com/onestep-run/onestep/internal/testing/logintest"
)

const loginPage = "../../docs/login.md"

// newHome is a home of its own, with a key in a file and a browser that goes where
// it is sent.
func newHome(t *testing.T) (dir string, env []string) {
	t.Helper()
	if _, err := exec.LookPath("curl"); err != nil {
		if os.Getenv("ASK_RECIPES_REQUIRED") != "" {
			t.Fatal(err)
		}
		t.Skip("the browser of this test is curl, which is not installed")
	}
	dir = t.TempDir()
	browser := filepath.Join(dir, "browser")
	err := errors.Join(
		os.Mkdir(browser, 0o700),
		os.WriteFile(filepath.Join(browser, "xdg-open"), []byte("#!/bin/sh\nexec curl -s -L -o /dev/null \"$1\"\n"), 0o700),
		os.WriteFile(filepath.Join(dir, "config.toml"), []byte("token_key = \"file\"\n"), 0o600),
	)
	if err != nil {
		t.Fatal(err)
	}
	return dir, []string{"PATH=" + released(t) + ":" + browser + ":" + os.Getenv("PATH"), "HOME=" + dir, "ASK_HOME=" + dir, "LANG=C.UTF-8"}
}

// loginServers are the recipes of the page, and the server of each.
func loginServers() map[string]logintest.Options {
	return map[string]logintest.Options{
		"A server that registers its clients": {Scopes: []string{"read"}},
		"A client that you registered":        {Closed: true, Clients: map[string]string{"registered-by-hand": "hush-hush-7f3a"}},
		"A client ID metadata document":       {Closed: true, Documents: true},
		"A machine without a browser":         {Pending: 1},
		"A job that logs in as itself":        {Closed: true, Clients: map[string]string{"ci-job": "hush-hush-91bc"}},
	}
}

// The recipes of the page about logins work as they are printed.
func TestLoginRecipes(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(loginPage)
	if err != nil {
		t.Fatal(err)
	}
	for title, options := range loginServers() {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			dir, env := newHome(t)
			server := logintest.New(t, options)
			page := filepath.Join(dir, "login.md")
			here := strings.NewReplacer("https://tickets.example/mcp", server.URL(), "added tickets to $ASK_HOME", "added tickets to "+dir, "### ", "## ").Replace(string(text))
			if err := os.WriteFile(page, []byte(here), 0o600); err != nil {
				t.Fatal(err)
			}
			clitest.Recipe(t, page, title, dir, env)
			if wrongs := server.Wrongs(); len(wrongs) > 0 {
				t.Errorf("the servers saw: %q", wrongs)
			}
		})
	}
}

// TestALoginFromTheFirstCommandToTheTrace drives all that a user does with one.
func TestALoginFromTheFirstCommandToTheTrace(t *testing.T) {
	t.Parallel()
	dir, env := newHome(t)
	server := logintest.New(t, logintest.Options{Needs: map[string]string{"change": "write"}, Scopes: []string{"read"}})
	ask := func(exit int, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "ask", args...)
		cmd.Env, cmd.Dir, cmd.Path = env, dir, filepath.Join(released(t), "ask")
		out, _ := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != exit {
			t.Fatalf("%q: exit %d, want %d: %s", args, got, exit, out)
		}
		for _, secret := range server.Issued() {
			if strings.Contains(string(out), secret) {
				t.Errorf("%q prints %s", args, secret)
			}
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
	ask(0, "servers", "add", "tickets", "--url", server.URL())
	has(ask(6, "servers", "test", "tickets"), "server.auth", "ask servers login tickets")
	has(ask(0, "servers", "login", "tickets"), "logged in at 127.0.0.1", "scopes read", "ask servers review tickets")
	if err := os.WriteFile(filepath.Join(dir, "allowlist.json"), []byte(`{"tickets":{"read":["echo","change"]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	review := ask(4, "servers", "review", "tickets")
	digest := review[strings.LastIndex(review, "sha256:"):]
	ask(0, "servers", "approve", "tickets", "--digest", strings.Fields(digest)[0])
	has(ask(0, "servers", "list"), "logged in at 127.0.0.1", "2 approved")
	has(ask(0, "call", "tickets/echo", "--args", `{"text":"hello there"}`), "hello there")

	server.Expire()
	has(ask(0, "call", "tickets/echo", "--args", `{"text":"hello again"}`), "hello again")
	if n := server.Count("grant refresh_token"); n != 1 {
		t.Errorf("%d refreshes", n)
	}
	has(ask(0, "trace", "show", "latest"), "it carried the login at "+server.Issuer())
	trace := ask(0, "trace", "show", "latest", "--json")
	has(trace, `"refreshed"`, server.Issuer())

	has(ask(5, "call", "tickets/change", "--args", `{"text":"x"}`), "output.refused", "ask servers login tickets --scope write")
	if n := server.Count("tools/call"); n != 2 {
		t.Errorf("%d calls were carried out", n)
	}
	ask(0, "servers", "login", "tickets", "--scope", "write")
	has(ask(0, "call", "tickets/change", "--args", `{"text":"changed"}`), "changed")
	has(ask(0, "doctor"), "login tickets")

	server.EndAll()
	has(ask(6, "call", "tickets/echo", "--args", `{"text":"x"}`), "server.auth", "ask servers login tickets")
	has(ask(0, "servers", "list"), "needs login")
	has(ask(10, "doctor"), "it has ended")
	ask(0, "servers", "login", "tickets", "--account", "work")
	has(ask(4, "call", "tickets/echo", "--args", `{"text":"x"}`), "pin.unapproved")
	has(ask(0, "servers", "logout", "tickets"), "needs login")
	has(ask(2, "servers", "login", "nothere"), "there is no server nothere")
	ask(0, "servers", "login", "tickets")
	ask(0, "servers", "remove", "tickets")
	if left, err := filepath.Glob(filepath.Join(dir, "logins", "*.login*")); err != nil || slices.ContainsFunc(left, func(name string) bool { return !strings.HasSuffix(name, ".lock") }) {
		t.Errorf("of a server that was removed: %q, %v", left, err)
	}
	if wrongs := server.Wrongs(); len(wrongs) > 0 {
		t.Errorf("the servers saw: %q", wrongs)
	}
	checkFiles(t, dir, server.Issued())
}

// checkFiles fails where a file of a home holds a secret in plain sight.
func checkFiles(t *testing.T, dir string, secrets []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		for _, secret := range secrets {
			if strings.Contains(string(b), secret) {
				t.Errorf("%s holds %s", path, secret)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
