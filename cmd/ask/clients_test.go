package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/onestep-run/onestep/cmd/cli/clitest"
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

// clients is a command on the clients of a home.
func clients(t *testing.T, home string, args ...string) *exec.Cmd {
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
					if out, err := clients(t, home, "wrap", "cursor", "--yes").CombinedOutput(); err != nil {
						t.Fatalf("%v: %s", err, out)
					}
					for _, path := range there(t, home, "ask/clients/backups/*") {
						if err := os.Remove(path); err != nil {
							t.Fatal(err)
						}
					}
				}
				cmd := clients(t, home, verb, "cursor", "--yes")
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
					if out, err := clients(t, home, verb, "cursor", "--yes").CombinedOutput(); err != nil {
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
		cmd := clients(t, home, "wrap", "cursor", "--yes")
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
				if out, err := clients(t, home, verb, "cursor", server, "--yes").CombinedOutput(); err != nil {
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
