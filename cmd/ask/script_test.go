package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// exits runs a command and asserts its exit code: exits 3 ask …
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	var ended *exec.ExitError
	switch {
	case err == nil && want == 0:
	case errors.As(err, &ended) && ended.ExitCode() == want:
	default:
		ts.Fatalf("%v, want exit code %d", err, want)
	}
}

// runID sets RUN to the id of the newest trace, and TRACE to its path.
func runID(ts *testscript.TestScript, neg bool, args []string) {
	found, err := filepath.Glob(filepath.Join(ts.Getenv("ASK_HOME"), "traces", "trace_*.jsonl"))
	ts.Check(err)
	var newest string
	var at time.Time
	for _, path := range found {
		info, err := os.Stat(path)
		ts.Check(err)
		if info.ModTime().After(at) {
			newest, at = path, info.ModTime()
		}
	}
	if newest == "" {
		ts.Fatalf("no trace")
	}
	ts.Setenv("TRACE", newest)
	name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(newest), "trace_"), ".jsonl")
	ts.Setenv("RUN", name)
}

// edit changes a file: edit FILE OLD NEW replaces the first OLD.
func edit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: edit FILE OLD NEW")
	}
	path := ts.MkAbs(args[0])
	b, err := os.ReadFile(path)
	ts.Check(err)
	if !strings.Contains(string(b), args[1]) {
		ts.Fatalf("%s does not hold %q", path, args[1])
	}
	ts.Check(os.WriteFile(path, []byte(strings.Replace(string(b), args[1], args[2], 1)), 0o600))
}
