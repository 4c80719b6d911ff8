package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
	"github.com/onestep-run/onestep/internal/testing/logintest"
)

// TestALoginUnderTheKeyInARealKeyring: a locked keyring does not end a login, and neither
// does a missing one.
func TestALoginUnderTheKeyInARealKeyring(t *testing.T) {
	t.Parallel()
	bus := startKeyring(t)
	dir, env := newHome(t)
	if err := os.Remove(filepath.Join(dir, "config.toml")); err != nil { // it has the key in a file
		t.Fatal(err)
	}
	server := logintest.New(t, logintest.Options{})
	on := func(bus string, exit int, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
		cmd.Env, cmd.Dir = append(env, "DBUS_SESSION_BUS_ADDRESS="+bus), dir
		if args[0] == "ask" {
			cmd.Path, cmd.Err = filepath.Join(released(t), "ask"), nil
		}
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != exit {
			t.Fatalf("%q: %v, want exit %d: %s", args, err, exit, out)
		}
		return string(out)
	}
	on(bus, 0, "ask", "servers", "add", "tickets", "--url", server.URL())
	on(bus, 0, "ask", "servers", "login", "tickets")
	on(bus, 0, "ask", "servers", "test", "tickets")
	if _, err := os.Stat(filepath.Join(dir, "logins", "key")); err == nil {
		t.Error("the key is in a file")
	}
	all, err := filepath.Glob(filepath.Join(dir, "logins", "*.login"))
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	was, err := os.ReadFile(all[0])
	if err != nil {
		t.Fatal(err)
	}
	server.Expire()
	before := server.Requests() + server.Count("/token")
	stored := func(bus string) {
		t.Helper()
		for _, args := range [][]string{{"servers", "test", "tickets"}, {"servers", "login", "tickets"}} {
			if out := on(bus, 6, append([]string{"ask"}, args...)...); !strings.Contains(out, "login.store") {
				t.Errorf("%q: %s", args, out)
			}
		}
		if is, err := os.ReadFile(all[0]); err != nil || string(is) != string(was) {
			t.Errorf("the login was changed: %v", err)
		}
		if out := on(bus, 0, "ask", "servers", "list"); strings.Contains(out, "needs login") {
			t.Error(out)
		}
	}
	const service = "org.freedesktop.Secret.Service."
	secrets := func(does string) {
		t.Helper()
		on(bus, 0, "dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets", service+does, "array:objpath:/org/freedesktop/secrets/collection/login")
	}
	secrets("Lock")
	stored(bus)
	stored("unix:path=" + filepath.Join(dir, "nothing"))
	if n := server.Requests() + server.Count("/token") - before; n != 0 {
		t.Errorf("%d requests without the key", n)
	}
	checkFiles(t, dir, server.Issued())
}

// TestALoginAsksAtATerminal: only "y" goes on, and nothing is registered before.
func TestALoginAsksAtATerminal(t *testing.T) {
	t.Parallel()
	dir, env := newHome(t)
	server := logintest.New(t, logintest.Options{})
	if err := os.WriteFile(filepath.Join(dir, "mcp.json"), []byte(`{"mcpServers":{"tickets":{"url":"`+server.URL()+`"}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		answer        string
		exit, reaches int
	}{{"n", 3, 0}, {"", 3, 0}, {"yes", 3, 0}, {"y", 0, 1}} {
		keyboard, screen := clitest.Terminal(t)
		cmd := exec.CommandContext(t.Context(), filepath.Join(released(t), "ask"), "servers", "login", "tickets")
		cmd.Env, cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = env, dir, screen, screen, screen
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		screen.Close()
		shown, said := bufio.NewReader(keyboard), ""
		for !strings.HasSuffix(said, "[y/N]") {
			b, err := shown.ReadByte()
			if err != nil {
				t.Fatalf("%v after %q", err, said)
			}
			said += string(b)
		}
		for _, part := range []string{server.Issuer(), server.URL(), "redirect   http://127.0.0.1:"} {
			if !strings.Contains(said, part) {
				t.Errorf("%q is not shown in %q", part, said)
			}
		}
		if n := server.Count("/register"); n != 0 {
			t.Errorf("%d registrations before the answer", n)
		}
		fmt.Fprintln(keyboard, row.answer)
		_, _ = io.Copy(io.Discard, shown) // EIO once the last writer is gone
		_ = cmd.Wait()
		if exit, n := cmd.ProcessState.ExitCode(), server.Count("/token"); exit != row.exit || n != row.reaches {
			t.Errorf("%q: exit %d, %d requests for a token", row.answer, exit, n)
		}
	}
}
