package main

import (
	"context"
	"os"
	"testing"

	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/internal/testing/clitest"
)

func TestMain(m *testing.M) {
	clitest.Main(m, map[string]func(){"ask-eval": main, "demo-server": demoServer})
}

// demoServer serves one of the demo's servers over stdio.
func demoServer() {
	if err := demo.New().Serve(context.Background(), os.Args[1], os.Stdin, os.Stdout); err != nil {
		os.Exit(1)
	}
}

// TestScripts runs the suites as their users do.
func TestScripts(t *testing.T) {
	t.Parallel()
	clitest.Scripts(t, nil)
}
