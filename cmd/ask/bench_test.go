package main

import (
	"os"
	"os/exec"
	"testing"
)

// BenchmarkDemoProcess is `ask --demo` from the process's start to its exit,
// its trace on disk.
func BenchmarkDemoProcess(b *testing.B) {
	env := append(os.Environ(), "ASK_HOME="+b.TempDir())
	for b.Loop() {
		cmd := exec.CommandContext(b.Context(), "ask", "--demo", "-q", "Summarize policy-002")
		cmd.Env = env
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
	}
}
