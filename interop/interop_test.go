//go:build interop

// Package interop_test drives servers and a conformance suite that others wrote
// through the built ask. interop/run.sh builds and installs what it needs; what
// is missing fails.
package interop_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"tap": tap, "desk": desk, "golists": golists})
}

func TestFilesystem(t *testing.T) { play(t, "filesystem", nil) }
func TestTaken(t *testing.T)      { play(t, "taken", nil) }
func TestMemory(t *testing.T)     { play(t, "memory", nil) }
func TestPython(t *testing.T)     { play(t, "python", nil) }
func TestConfined(t *testing.T)   { play(t, "confined", nil) }
func TestGoSDK(t *testing.T)      { play(t, "go-sdk", nil) }
func TestFetch(t *testing.T)      { play(t, "fetch", registries(t)) }
func TestPins(t *testing.T)       { play(t, "pins", registries(t)) }
func TestMeetings(t *testing.T)   { play(t, "meet", nil) }

// reaches are variables by which a registry is reached, and believed.
var reaches = regexp.MustCompile(`(?i)^(pip_|npm_|ssl_cert_|node_extra_ca_certs$)|_proxy$`)

// registries are the user's own npm and pip, as the user configured them.
func registries(t *testing.T) map[string]string {
	t.Helper()
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	vars := map[string]string{
		"npm_config_userconfig": filepath.Join(home, ".npmrc"), "npm_config_cache": filepath.Join(home, ".npm"), "PIP_CACHE_DIR": filepath.Join(home, ".cache", "pip"),
	}
	for _, one := range os.Environ() {
		name, value, _ := strings.Cut(one, "=")
		if reaches.MatchString(name) {
			vars[name] = value
		}
	}
	return vars
}

// TestEverything: one script, and one server reached in three ways.
func TestEverything(t *testing.T) {
	t.Parallel()
	for _, transport := range []string{"stdio", "http", "sse"} {
		t.Run(transport, func(t *testing.T) { play(t, "everything", map[string]string{"SERVER": transport}) })
	}
}

// TestProcessesAreFound: the check that nothing is left would find something.
func TestProcessesAreFound(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("cat")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	cmd.Env = []string{"HOME=" + home}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if found := processes(home); found == "" {
		t.Error("a process that runs is not found")
	}
	if err := errors.Join(stdin.Close(), cmd.Wait()); err != nil {
		t.Error(err)
	}
	if found := processes(home); found != "" {
		t.Errorf("%s is found, and has ended", found)
	}
}

// play runs one script, with a home of its own.
func play(t *testing.T, script string, vars map[string]string) {
	t.Parallel()
	path := toolPath(t)
	testscript.Run(t, testscript.Params{
		Files:               []string{filepath.Join("testdata", script+".txtar")},
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			env.Setenv("HOME", home)
			env.Setenv("ASK_HOME", filepath.Join(home, "ask"))
			env.Setenv("PATH", path+string(os.PathListSeparator)+env.Getenv("PATH"))
			env.Setenv("INTEROP", abs(t, "."))
			for name, value := range vars {
				env.Setenv(name, value)
			}
			return nil
		},
		Condition: func(cond string) (bool, error) { return vars["SERVER"] == cond, nil },
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"asks": asks, "serve": serve, "trusts": trusts,
		},
	})
}

// toolPath is where ask, the servers and the pinned node are found first.
func toolPath(t *testing.T) string {
	t.Helper()
	dirs := []string{abs(t, "../bin"), abs(t, "../bin/interop"), abs(t, "node_modules/.bin"), abs(t, "python/venv/bin"), abs(t, "python1/venv/bin")}
	made := []string{
		dirs[0] + "/ask", dirs[1] + "/conformance-client", dirs[1] + "/mcpgo", dirs[1] + "/generators", dirs[1] + "/rust/debug/generator", dirs[1] + "/java/compiled", dirs[2] + "/node", dirs[3] + "/mcp-server-git", dirs[4] + "/mcp-server-sqlite",
		abs(t, "inspector/node_modules/.bin/mcp-inspector"), abs(t, "wrap/node_modules/.bin/codex"), abs(t, "wrap/venv/bin/python"),
	}
	for _, file := range made {
		if _, err := os.Stat(file); err != nil {
			t.Fatalf("%v: run interop/run.sh, which makes it", err)
		}
	}
	return strings.Join(dirs, string(os.PathListSeparator))
}

func abs(t testing.TB, path string) string {
	t.Helper()
	full, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return full
}
