//go:build bench

package clitest_test

import (
	"os"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// TestHome approves the servers of the home in BENCH_HOME. The benchmarks of internal/bench
// run it here and in an earlier commit, so that each program has a state of its own.
func TestHome(t *testing.T) {
	home := os.Getenv("BENCH_HOME")
	if home == "" {
		t.Skip("BENCH_HOME names no home")
	}
	clitest.Trust(t, home)
}
