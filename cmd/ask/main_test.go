package main

import (
	"testing"

	"github.com/onestep-run/onestep/cmd/cli/clitest"
)

func TestMain(m *testing.M) {
	clitest.Main(m, programs)
}

// programs are what the tests start by name.
var programs = map[string]func(){"ask": main, "staller": staller, "witness": witness}

// TestScripts runs the command line as its users do: each script has a home of
// its own, and sees stdout, stderr and the exit code apart.
func TestScripts(t *testing.T) {
	t.Parallel()
	clitest.Scripts(t, clitest.Verbs{"run-id": runID})
}
