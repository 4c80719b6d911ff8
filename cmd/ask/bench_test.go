package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// BenchmarkStart is whole processes of programs that are built as `make build`
// builds them, from start to exit: an ask that has nothing to do, a bare
// program of the SDK that has nothing to do either, and a question to the demo
// servers with its trace on disk.
func BenchmarkStart(b *testing.B) {
	ask, bare := filepath.Join(released(b), "ask"), built(b, "./testdata/bare")
	for _, process := range []struct {
		name    string
		code    int
		command []string
	}{
		{"error_exit", 2, []string{ask, "nosuchcommand"}},
		{"bare_SDK", 2, []string{bare}},
		{"demo", 0, []string{ask, "--demo", "-q", "Summarize policy-002"}},
	} {
		b.Run(process.name, func(b *testing.B) {
			env := append(os.Environ(), "ASK_HOME="+b.TempDir())
			for b.Loop() {
				cmd := exec.CommandContext(b.Context(), process.command[0], process.command[1:]...)
				cmd.Env = env
				if out, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != process.code {
					b.Fatalf("%v: %s", err, out)
				}
			}
		})
	}
}

// built is the program of a folder: the test binary carries far more than it.
func built(b *testing.B, folder string) string {
	b.Helper()
	program := filepath.Join(b.TempDir(), "program")
	if err := build(program, folder); err != nil {
		b.Fatal(err)
	}
	return program
}
