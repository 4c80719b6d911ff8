package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

const cursorFile = "{ // mine\n  \"mcpServers\": {\n    \"s\": {\"command\": \"ask\", \"args\": [\"demo\", \"serve\", \"mcp-servicenow\"], \"env\": {\"API_KEY\": \"hunter-22\"}},\n  },\n}\n"

// clientOf is a home with one client, whose file is the text.
func clientOf(t *testing.T, text string) (home, file string) {
	t.Helper()
	home = t.TempDir()
	if err := os.Mkdir(filepath.Join(home, ".cursor"), 0o700); err != nil {
		t.Fatal(err)
	}
	clitest.Write(t, filepath.Join(home, ".cursor"), "mcp.json", text)
	return home, filepath.Join(home, ".cursor", "mcp.json")
}

// clientsCmd is a command on the clients of a home.
func clientsCmd(t *testing.T, home string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "ask", append([]string{"clients"}, args...)...)
	cmd.Env = append(os.Environ(), "HOME="+home, "ASK_HOME="+filepath.Join(home, "ask"))
	cmd.Dir = home
	return cmd
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A process that is killed on the way has lost nothing: the client's file is whole,
// and what was there comes back.
func TestAKilledWrapLosesNothing(t *testing.T) {
	t.Parallel()
	for name, appears := range map[string]string{"at once": "", "at the backup": "ask/clients/backups/*", "at what is kept": "ask/clients/*.json", "at the servers file": "ask/mcp.json"} {
		for _, unwrap := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s %v", name, unwrap), func(t *testing.T) {
				t.Parallel()
				home, file := clientOf(t, cursorFile)
				verb := "wrap"
				if unwrap {
					verb = "unwrap"
					if out, err := clientsCmd(t, home, "wrap", "cursor", "--yes").CombinedOutput(); err != nil {
						t.Fatalf("%v: %s", err, out)
					}
					for _, path := range there(t, home, "ask/clients/backups/*") {
						if err := os.Remove(path); err != nil {
							t.Fatal(err)
						}
					}
				}
				cmd := clientsCmd(t, home, verb, "cursor", "--yes")
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				ended := make(chan struct{})
				go func() { defer close(ended); _ = cmd.Wait() }()
				for over := false; appears != "" && !over && len(there(t, home, appears)) == 0; {
					select {
					case <-ended:
						over = true
					default:
					}
				}
				_ = cmd.Process.Kill()
				<-ended
				if now := read(t, file); now != cursorFile && !strings.Contains(now, `"args":["wrap","s"]`) {
					t.Errorf("it holds %q", now)
				} else if now != cursorFile && len(there(t, home, "ask/clients/*.json")) != 1 {
					t.Errorf("it is wrapped, and what was there is not kept")
				}
				for _, verb := range []string{"wrap", "unwrap"} {
					if out, err := clientsCmd(t, home, verb, "cursor", "--yes").CombinedOutput(); err != nil {
						t.Fatalf("%s: %v: %s", verb, err, out)
					}
				}
				if now := read(t, file); now != cursorFile {
					t.Errorf("it came back as %q", now)
				}
				if kept := there(t, home, "ask/clients/*.json"); len(kept) != 0 {
					t.Errorf("%v is kept", kept)
				}
			})
		}
	}
}

func there(t *testing.T, home, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(home, pattern))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// Who starts ask by its path gets that path, for a client with another PATH.
func TestAPathIsWrittenWhereAskWasStartedByOne(t *testing.T) {
	t.Parallel()
	dir := released(t)
	path := filepath.Join(dir, "ask")
	for by, want := range map[string]string{"ask": "ask", path: path} {
		home, file := clientOf(t, cursorFile)
		cmd := clientsCmd(t, home, "wrap", "cursor", "--yes")
		cmd.Path, cmd.Args[0] = path, by
		cmd.Env = append(cmd.Env, "PATH="+dir)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if now := read(t, file); !strings.Contains(now, `"command":"`+want+`","args":["wrap","s"]`) {
			t.Errorf("started as %s it holds %s", by, now)
		}
	}
}

// Of processes that wrap at once each leaves what one would have.
func TestTwoThatWrapAtOnceAreAsOne(t *testing.T) {
	t.Parallel()
	var servers []string
	text := cursorFile
	for i := range 8 {
		servers = append(servers, fmt.Sprintf("s%d", i))
		text = strings.Replace(text, "  },\n}", fmt.Sprintf("    \"s%d\": {\"command\": \"x%d\"},\n  },\n}", i, i), 1)
	}
	home, file := clientOf(t, text)
	for _, verb := range []string{"wrap", "unwrap"} {
		var all sync.WaitGroup
		for _, server := range servers {
			all.Go(func() {
				if out, err := clientsCmd(t, home, verb, "cursor", server, "--yes").CombinedOutput(); err != nil {
					t.Errorf("%s: %v: %s", server, err, out)
				}
			})
		}
		all.Wait()
		if n := strings.Count(read(t, file), `"wrap"`); n != map[string]int{"wrap": len(servers), "unwrap": 0}[verb] {
			t.Errorf("after %s %d are wrapped", verb, n)
		}
	}
	if now := read(t, file); now != text {
		t.Errorf("it came back as %q", now)
	}
	ours := read(t, filepath.Join(home, "ask", "mcp.json"))
	if missing := slices.DeleteFunc(servers, func(s string) bool { return strings.Count(ours, `"`+s+`": {`) == 1 }); len(missing) > 0 {
		t.Errorf("%v are not there once: %s", missing, ours)
	}
}

// Only this program makes an entry one of ask's own, and only as `wrap NAME`: what a
// command is called says nothing. In each form, and for each spelling.
func TestOnlyThisProgramIsTakenForAsk(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	dirs := map[string]string{}
	for _, name := range []string{"bin", "other", ".cursor", ".codex", ".config/goose", ".config/opencode", ".config/zed"} {
		dirs[name] = filepath.Join(home, name)
		if err := os.MkdirAll(dirs[name], 0o700); err != nil {
			t.Fatal(err)
		}
	}
	self, err := exec.LookPath("ask")
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range []string{"bin/ask", "bin/called", "other/linked"} {
		if err := os.Symlink(self, filepath.Join(home, link)); err != nil {
			t.Fatal(err)
		}
	}
	clitest.Write(t, dirs["other"], "copied", read(t, self)) // as another installation has it
	clitest.Write(t, dirs["other"], "ask", "#!/bin/sh\n")
	if err := os.Chmod(filepath.Join(dirs["other"], "ask"), 0o700); err != nil {
		t.Fatal(err)
	}
	rows := []struct {
		command string
		args    []string
		path    string // of the entry
		ours    bool
	}{
		{"ask", []string{"wrap", "x"}, "", true},
		{"ask", []string{"wrap", "x", "--hold", "1m"}, "", true},
		{"ask", []string{"wrap", "--name", "x", "--url", "https://h.example"}, "", true},
		{"called", []string{"wrap", "x"}, "", true},
		{dirs["bin"] + "/ask", []string{"wrap", "x"}, "", true},
		{dirs["other"] + "/linked", []string{"wrap", "x"}, "", true},
		{dirs["other"] + "/copied", []string{"wrap", "x"}, "", true},
		{"${HOME}/bin/ask", []string{"wrap", "x"}, "", true},
		{"ask", []string{"wrap", "x"}, dirs["bin"], true},
		{"ask", []string{"wrap", "x"}, dirs["other"], false},
		{"ask", []string{"demo", "serve", "wrap"}, "", false},
		{"ask", []string{"--quiet", "wrap", "x"}, "", false},
		{"ask", []string{"wrap"}, "", false},
		{"ask", []string{"wrap", "--help"}, "", false},
		{"ask", nil, "", false},
		{dirs["other"] + "/ask", []string{"wrap", "x"}, "", false},
		{"/nowhere/ask", []string{"wrap", "x"}, "", false},
		{"ASK", []string{"wrap", "x"}, "", false},
		{"ask.exe", []string{"wrap", "x"}, "", false},
		{"npx", []string{"ask", "wrap", "x"}, "", false},
	}
	cursor, zed := map[string]any{}, map[string]any{}
	opencode, goose, codex := map[string]any{}, map[string]any{}, ""
	for i, r := range rows {
		name, env := fmt.Sprintf("r%d", i), map[string]string{}
		if r.path != "" {
			env["PATH"] = r.path
		}
		args := append([]string{}, r.args...)
		cursor[name] = map[string]any{"command": r.command, "args": args, "env": env}
		zed[name] = map[string]any{"command": map[string]any{"path": r.command, "args": args, "env": env}}
		opencode[name] = map[string]any{"type": "local", "command": append([]string{strings.Replace(r.command, "${HOME}", "{env:HOME}", 1)}, args...), "environment": env}
		goose[name] = map[string]any{"type": "stdio", "cmd": r.command, "args": args, "envs": env}
		codex += fmt.Sprintf("[mcp_servers.%s]\ncommand = %q\nargs = %s\n[mcp_servers.%s.env]\n", name, r.command, text(t, args), name)
		if r.path != "" {
			codex += fmt.Sprintf("PATH = %q\n", r.path)
		}
	}
	clitest.Write(t, dirs[".cursor"], "mcp.json", text(t, map[string]any{"mcpServers": cursor}))
	clitest.Write(t, dirs[".config/zed"], "settings.json", text(t, map[string]any{"context_servers": zed}))
	clitest.Write(t, dirs[".config/opencode"], "opencode.json", text(t, map[string]any{"mcp": opencode}))
	clitest.Write(t, dirs[".config/goose"], "config.yaml", text(t, map[string]any{"extensions": goose}))
	clitest.Write(t, dirs[".codex"], "config.toml", codex)
	for first, bare := range map[string]bool{"bin": true, "other": false} {
		cmd := clientsCmd(t, home, "list", "--json")
		cmd.Env = append(cmd.Env, "PATH="+dirs[first]+":"+dirs["bin"])
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		var found struct {
			Clients []struct {
				Client  string
				Servers []struct{ Name, State string }
			}
		}
		if err := json.Unmarshal(out, &found); err != nil || len(found.Clients) != 5 {
			t.Fatalf("%v: %s", err, out)
		}
		for i, r := range rows {
			want := "direct"
			if r.ours && (bare || r.command != "ask" || r.path != "") {
				want = "elsewhere"
			}
			for _, c := range found.Clients {
				for _, s := range c.Servers {
					if s.Name == fmt.Sprintf("r%d", i) && s.State != want {
						t.Errorf("with %s first, %s of %s %v with the PATH %q is %s, not %s", first, c.Client, r.command, r.args, r.path, s.State, want)
					}
				}
			}
		}
	}
}

func text(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
