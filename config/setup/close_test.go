//go:build unix

package setup_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/host/demo"
)

// server makes this test binary an MCP server that writes its process id into
// the file that the variable names.
const server = "SETUP_TEST_SERVER"

func TestMain(m *testing.M) {
	if file := os.Getenv(server); file != "" {
		if err := os.WriteFile(file, []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
			os.Exit(1)
		}
		_ = demo.New().Serve(context.Background(), "mcp-policy-kb", os.Stdin, os.Stdout)
		select {} // it does not heed the end of its input
	}
	os.Exit(m.Run())
}

// TestNoServerOutlivesItsRun: a program that embeds onestep runs on when a host
// is closed or a review has listed a server.
func TestNoServerOutlivesItsRun(t *testing.T) {
	t.Parallel()
	for name, use := range map[string]func(*testing.T, config.Settings, setup.Options){
		"a host": func(t *testing.T, s config.Settings, o setup.Options) {
			h, err := setup.Host(s, o)
			if err != nil {
				t.Fatal(err)
			}
			if c := h.Catalog(t.Context(), "", "s"); len(c.Tools()) == 0 {
				t.Errorf("the server lists nothing: %v", c.Unreachable())
			}
			if err := h.Close(); err != nil {
				t.Error(err)
			}
		},
		"a review": func(t *testing.T, s config.Settings, o setup.Options) {
			inv, err := setup.Open(s, o)
			if err != nil {
				t.Fatal(err)
			}
			if l := inv.Target("s", true).List(t.Context(), ""); len(l.Tools) == 0 {
				t.Errorf("the server lists nothing: %v", l.Err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			pid := filepath.Join(home, "pid")
			env := func(name string) (string, bool) { return map[string]string{"ASK_HOME": home}[name], name == "ASK_HOME" }
			settings := configured(t, home, env, pid)
			use(t, settings, setup.Options{Env: env, Mode: setup.Listings})
			b, err := os.ReadFile(pid)
			if err != nil {
				t.Fatal(err)
			}
			id, err := strconv.Atoi(string(b))
			if err != nil {
				t.Fatal(err)
			}
			if err := syscall.Kill(id, 0); err != syscall.ESRCH {
				_ = syscall.Kill(id, syscall.SIGKILL)
				t.Errorf("process %d outlives the run: %v", id, err)
			}
		})
	}
}

// configured are settings with this test binary as the server s.
func configured(t testing.TB, home string, env config.Environ, pid string) config.Settings {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	servers := fmt.Sprintf(`{"mcpServers":{"s":{"command":%q,"env":{%q:%q}}}}`, self, server, pid)
	for name, text := range map[string]string{"mcp.json": servers, "allowlist.json": `{"s":["fetch_policy_entry"]}`} {
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	paths, err := config.FindPaths(env)
	if err != nil {
		t.Fatal(err)
	}
	settings, err := config.Load(paths, env, config.Flags{})
	if err != nil {
		t.Fatal(err)
	}
	return settings
}
