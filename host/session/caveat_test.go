package session_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/host/session"
)

// library makes this test binary a program that adopts no orphans.
const library = "SESSION_TEST_LIBRARY"

// withoutAdopting prints the caveat before and after a server was started.
func withoutAdopting(log string) int {
	self, err := os.Executable()
	if err != nil {
		return 1
	}
	srv := session.Server{Name: "srv", Command: self, Env: map[string]string{role: "", "FAKE_LOG": log, "GORACE": "atexit_sleep_ms=0"}}
	p := session.New([]session.Server{srv}, long)
	_, _ = fmt.Printf("%q\n", p.Caveat())
	listing := p.Discover(context.Background(), "", []string{"srv"})[0]
	_, _ = fmt.Printf("%q\n%v %v\n", p.Caveat(), listing.Err, p.Close())
	return 0
}

func TestAProgramThatAdoptsNoOrphansIsToldSo(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), library+"="+logFile(t), "GORACE=atexit_sleep_ms=0")
	out, err := cmd.CombinedOutput()
	lines := strings.Split(string(out), "\n")
	if err != nil || len(lines) != 4 || lines[0] != `""` || !strings.Contains(lines[1], "may outlive this run") || lines[2] != "<nil> <nil>" {
		t.Errorf("%v, %s", err, out)
	}
}

func TestAProgramThatAdoptsOrphansHasNoCaveat(t *testing.T) {
	t.Parallel()
	p := pool(t, long, stdio(t, "", logFile(t)))
	if err := discover(t, p).Err; err != nil {
		t.Fatal(err)
	}
	if said := p.Caveat(); (said == "") != adopting {
		t.Errorf("the caveat is %q", said)
	}
}
