package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ask": main, "staller": staller, "witness": witness})
}

// TestScripts runs the command line as its users do: each script has a home of
// its own, and sees stdout, stderr and the exit code apart.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			env.Setenv("HOME", home)
			env.Setenv("ASK_HOME", filepath.Join(home, "ask"))
			env.Setenv("GORACE", "atexit_sleep_ms=0")
			return os.MkdirAll(filepath.Join(home, "ask"), 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "run-id": runID, "edit": edit,
		},
	})
}
