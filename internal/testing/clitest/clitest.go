// Package clitest runs the commands as their users do, for the tests of cmd/ask and
// cmd/ask-eval. It runs scripts and processes, each with a separate home, and shows
// exit code, stdout and stderr apart. No other package imports it.
package clitest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// Main runs a command's tests, with its programs on the PATH. The programs start from
// the temporary folder. If that is mounted noexec, Main says so, before a test waits
// for a program that never ran.
func Main(m testscript.TestingM, programs map[string]func()) {
	if programs[filepath.Base(os.Args[0])] == nil { // else this process is one of them
		if err := startsFrom(os.TempDir()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		plainSignals()
		_ = os.Setenv("GORACE", AtOnce) // for programs that the tests start
	}
	testscript.Main(m, programs)
}

// AtOnce is the GORACE setting with which a program ends at once. By default the race
// detector waits for a second, in case it finds another race. A server's entry has to
// set it, because a server does not inherit the environment.
const AtOnce = "atexit_sleep_ms=0"

// plainSignals gives the tests' programs the signals as a shell does. A test under
// nohup, or in the background of a script, would pass on its ignored signals, and no
// program ignores fewer signals than its parent.
func plainSignals() {
	for _, sig := range []os.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT} {
		if signal.Ignored(sig) {
			signal.Notify(make(chan os.Signal, 1), sig) // caught and dropped; no child inherits that
		}
	}
}

// startsFrom returns an error if no program can be started from a folder.
func startsFrom(dir string) error {
	f, err := os.CreateTemp(dir, "start-")
	if err != nil {
		return err
	}
	_, err = f.WriteString("#!/bin/sh\n")
	err = errors.Join(err, f.Chmod(0o700), f.Close())
	if err == nil {
		err = exec.CommandContext(context.Background(), f.Name()).Run()
	}
	if err := errors.Join(err, os.Remove(f.Name())); err != nil {
		return fmt.Errorf("nothing can be started from the temporary folder, which may be mounted noexec; set TMPDIR to another: %w", err)
	}
	return nil
}

// Verbs are the commands of scripts besides testscript's own.
type Verbs = map[string]func(ts *testscript.TestScript, neg bool, args []string)

// Scripts runs the scripts of testdata.
func Scripts(t *testing.T, more Verbs) {
	t.Helper()
	verbs := Verbs{"exits": exits, "edit": edit, "trust": trustVerb}
	for name, do := range more {
		verbs[name] = do
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			env.Setenv("HOME", home)
			env.Setenv("ASK_HOME", filepath.Join(home, "ask"))
			env.Setenv("GORACE", AtOnce)
			return os.MkdirAll(filepath.Join(home, "ask"), 0o700)
		},
		Cmds: verbs,
	})
}

// Command is a program with a separate home.
func Command(t *testing.T, program string, args ...string) (cmd *exec.Cmd, home string) {
	t.Helper()
	home = t.TempDir()
	cmd = exec.CommandContext(context.WithoutCancel(t.Context()), program, args...)                     // ends before the test, or in its clean-up
	cmd.Env = append(os.Environ(), "ASK_HOME="+home, "DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent") // no user's own keyring is asked
	return cmd, home
}

// Write writes a file of a test.
func Write(t testing.TB, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

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
