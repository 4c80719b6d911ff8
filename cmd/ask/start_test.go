package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// maxMade is what a package of ours may allocate before main begins. What is larger is made
// when it is first used: every start pays for it otherwise, also a start that ends in an
// error.
const maxMade = 32 << 10

var made = regexp.MustCompile(`(?m)^init (main|github\.com/onestep-run/onestep/\S+) .* (\d+) bytes, \d+ allocs$`)

func TestOwnPackagesMakeLittleAtStart(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), filepath.Join(released(t), "ask"), "nosuchcommand") // without what tests make
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1", "ASK_HOME="+t.TempDir())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); cmd.ProcessState.ExitCode() != 2 {
		t.Fatalf("%v: %s", err, &stderr)
	}
	// Large pages serve what is allocated after them.
	if first := strings.Index(stderr.String(), "init github.com/"); !strings.HasPrefix(stderr.String()[max(0, first):], "init github.com/onestep-run/onestep/host/heap ") {
		t.Errorf("host/heap is not the first package of a module:\n%s", &stderr)
	}
	packages := made.FindAllStringSubmatch(stderr.String(), -1)
	if len(packages) < 3 {
		t.Fatalf("the runtime names %d packages of ours:\n%s", len(packages), &stderr)
	}
	for _, p := range packages {
		if n, err := strconv.Atoi(p[2]); err != nil || n > maxMade {
			t.Errorf("%s allocates %s bytes before main begins; at most %d", p[1], p[2], maxMade)
		}
	}
}
