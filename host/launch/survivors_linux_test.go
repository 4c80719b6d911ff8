package launch

import (
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// Not parallel: no server may run.
func TestWhatCannotBeEndedIsReported(t *testing.T) {
	parent := exec.Command(os.Args[0])
	parent.Env = []string{"LAUNCH_TEST_ROLE=daemon's parent", "GORACE=atexit_sleep_ms=0"}
	parent.Stderr = os.Stderr // which the daemon keeps open: a pipe would be read to its end
	out, err := parent.Output()
	if err != nil {
		t.Fatal(err)
	}
	daemon, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		t.Fatal(err)
	}
	if left := killOrphans(0); !slices.Contains(left, daemon) {
		t.Errorf("%v is left when the time is over, and it is %d", left, daemon)
	}
	if err := syscall.Kill(daemon, 0); err != nil {
		t.Error(err)
	}
	if left := killOrphans(settle); left != nil {
		t.Errorf("%v is left", left)
	}
	p, err := Start(t.Context(), Command{Path: "cat"})
	if err != nil {
		t.Fatal(err)
	}
	_ = p.Stdin.Close()
	<-p.Done()
	p.left = []int{daemon}
	if err := p.Close(); err == nil || !strings.Contains(err.Error(), strconv.Itoa(daemon)) {
		t.Errorf("the error is %v, without %d", err, daemon)
	}
}
