package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// startKeyring runs a bus of the test's own with a real keyring on it, and
// gives the bus's address. Where ASK_KEYRING_REQUIRED is set, a machine
// without the programs fails.
func startKeyring(t *testing.T) string {
	t.Helper()
	for _, program := range []string{"dbus-run-session", "gnome-keyring-daemon"} {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("ASK_KEYRING_REQUIRED") != "" {
				t.Fatal(err)
			}
			t.Skipf("no real keyring to ask: %v", err)
		}
	}
	dir, err := os.MkdirTemp("", "kr") //nolint:usetesting // the daemon outlives its bus by a moment, which does not fail the test
	if err != nil {
		t.Fatal(err)
	}
	const start = `printf pass | gnome-keyring-daemon --unlock --components=secrets >/dev/null && echo "$DBUS_SESSION_BUS_ADDRESS" && cat`
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), "dbus-run-session", "--", "sh", "-c", start)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "XDG_RUNTIME_DIR=" + dir, "XDG_DATA_HOME=" + dir}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close() // ends cat, the session, and with its bus the keyring
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
		_ = os.RemoveAll(dir)
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the keyring did not start: %v", err)
	}
	return strings.TrimSpace(address)
}

// gateway answers every client with a key, and keeps the keys that it was brought.
type gateway struct {
	*httptest.Server
	mu   sync.Mutex
	keys []string
}

func newGateway(t *testing.T) *gateway {
	t.Helper()
	g := &gateway{}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		g.mu.Lock()
		g.keys = append(g.keys, key)
		g.mu.Unlock()
		if key == "" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Fprint(w, planned("openai"))
	}))
	t.Cleanup(g.Close)
	return g
}

func (g *gateway) brought() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return strings.Join(g.keys, ",")
}

const keptKey = "sk-kept-5f2c9a7be1d04468"

// TestAKeyInTheKeyring drives the real thing from `key set` to the header of a
// request: for the endpoint it was set for, and no other.
func TestAKeyInTheKeyring(t *testing.T) {
	t.Parallel()
	bus, home := startKeyring(t), t.TempDir()
	mine, other := newGateway(t), newGateway(t)
	ask := func(g *gateway, stdin io.Reader, exit int, args ...string) string {
		t.Helper()
		cmd, _ := command(t, args...)
		cmd.Env = append(cmd.Env, "ASK_HOME="+home, "DBUS_SESSION_BUS_ADDRESS="+bus, "LLM_BASE_URL="+g.URL+"/v1", "ASK_MODEL=openai/m")
		cmd.Stdin = stdin
		out, _ := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != exit || strings.Contains(string(out), keptKey) {
			t.Fatalf("%v: exit %d, want %d: %s", args, got, exit, out)
		}
		return string(out)
	}
	ask(mine, nil, 7, "models", "test")
	ask(mine, strings.NewReader(keptKey+"\n"), 0, "models", "key", "set", "openai")
	if out := ask(mine, nil, 0, "models", "list"); !strings.Contains(out, "keyring (onestep, LLM_API_KEY for "+mine.URL+"/v1)") {
		t.Error(out)
	}
	ask(mine, nil, 0, "models", "test")
	if out := ask(other, nil, 7, "models", "test"); !strings.Contains(out, "no key was sent") || !strings.Contains(out, "ask models key set openai") {
		t.Error(out)
	}
	ask(mine, nil, 3, "--demo", "Summarize policy-002", "--json") // it plans for a tool that the demo has not
	out := ask(mine, nil, 0, "models", "key", "remove", "openai", "--json")
	if !strings.Contains(out, `"changed": true`) {
		t.Error(out)
	}
	if out := ask(mine, nil, 0, "models", "key", "remove", "openai"); !strings.Contains(out, "keeps no key") {
		t.Error(out)
	}
	ask(mine, nil, 7, "models", "test")
	if got := mine.brought(); got != ","+keptKey+","+keptKey+"," {
		t.Errorf("the endpoint was brought the keys %q", got)
	}
	if got := other.brought(); got != "" {
		t.Errorf("another endpoint was brought the keys %q", got)
	}
	leftNowhere(t, home)
}

// leftNowhere looks through every file that was written for the key.
func leftNowhere(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if strings.Contains(string(b), keptKey) {
			t.Errorf("the key is in %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestATypedKeyIsNotShown(t *testing.T) {
	t.Parallel()
	bus := startKeyring(t)
	keyboard, screen := clitest.Terminal(t)
	cmd, _ := command(t, "models", "key", "set", "anthropic")
	cmd.Env = append(cmd.Env, "DBUS_SESSION_BUS_ADDRESS="+bus)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = screen, screen, screen
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	screen.Close()
	shown := bufio.NewReader(keyboard)
	if _, err := shown.ReadString(':'); err != nil {
		t.Fatal(err)
	}
	for echoes(t, keyboard) { // for a moment after the prompt, as ever with term.ReadPassword
		runtime.Gosched()
	}
	fmt.Fprintln(keyboard, keptKey)
	rest, _ := io.ReadAll(shown) // EIO once the last writer is gone
	if err := cmd.Wait(); err != nil || strings.Contains(string(rest), keptKey) || !strings.Contains(string(rest), "keeps the key for anthropic's own address") {
		t.Errorf("%v: %s", err, rest)
	}
}

func echoes(t *testing.T, f *os.File) bool {
	t.Helper()
	mode, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	return mode.Lflag&unix.ECHO != 0
}
