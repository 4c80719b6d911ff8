package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

func TestMain(m *testing.M) {
	clitest.Main(tidy{m}, programs)
}

// tidy runs the tests, and removes what was built for all of them.
type tidy struct{ *testing.M }

func (m tidy) Run() int {
	defer func() {
		if temporary != "" {
			_ = os.RemoveAll(temporary)
		}
	}()
	return m.M.Run()
}

// temporary is the folder in which [release] built, if it did.
var temporary string

// released is the folder with the two programs, as `make build` makes them, but
// with the tests' stamp, and with those of the recipes. tools/test.sh builds them
// before it runs the tests.
func released(t testing.TB) (dir string) {
	t.Helper()
	dir, err := release()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

var release = sync.OnceValues(func() (dir string, err error) {
	if dir := os.Getenv("ASK_TESTED"); dir != "" {
		return dir, nil
	}
	if temporary, err = os.MkdirTemp("", "ask-released-*"); err != nil {
		return "", err
	}
	return temporary, build(temporary+"/", "-tags", ownStamp, ".", "../ask-eval", "../../docs/recipes/...")
})

// build builds programs, or one, as `make build` does. A test binary carries
// far more than they do.
func build(to string, what ...string) error {
	args := append([]string{"build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", to}, what...)
	cmd := exec.CommandContext(context.Background(), cmp.Or(os.Getenv("GO"), "go"), args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%q: %w: %s", args, err, out)
	}
	return nil
}

// programs are what the tests start by name.
var programs = map[string]func(){"ask": main, "staller": staller, "faces": faces, "echoer": echoer, "witness": witness}

// TestScripts runs the command line as its users do: each script has a home of
// its own, and sees stdout, stderr and the exit code apart.
func TestScripts(t *testing.T) {
	t.Parallel()
	clitest.Scripts(t, clitest.Verbs{"run-id": runID, "review": reviewDigest})
}
