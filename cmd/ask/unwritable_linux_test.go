package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// noRoom is a disk that is full for a process: no file of it can grow.
func noRoom(_ archive, pid int) error {
	return unix.Prlimit(pid, unix.RLIMIT_FSIZE, &unix.Rlimit{}, nil)
}

// unaudited has something else than a file where the audit is.
func unaudited(n archive, _ int) error {
	path := filepath.Join(n.home, "audit.jsonl")
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return os.Mkdir(path, 0o700)
}

// What records a run of a confined server can no longer be written: from the middle of
// the run on, before the call or during it.
func TestARunThatCannotBeRecordedAnyMoreGivesNoAnswer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		breaks   func(n archive, pid int) error
		inCall   bool
		exit     int
		calls    int
		says     string
		answered bool
	}{
		"the trace before the call": {noRoom, false, 2, 0, "trace.unwritable", false},
		"the trace in the call":     {noRoom, true, 1, 1, "trace.lost", false},
		"the audit before the call": {unaudited, false, 2, 0, "audit.unwritable", false},
		"the audit in the call":     {unaudited, true, 0, 1, "The audit has no line", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newArchive(t)
			clitest.Write(t, n.home, "config.toml", "audit = \"audit.jsonl\"\naudit_required = true\n")
			s := seated(t, []string{"ASK_AUDIT=" + filepath.Join(n.home, "audit.jsonl")}, n.home, 500, "call", "s/forecast", "path="+n.at("a"))
			s.until(t, prompt)
			broken := func() {
				if err := c.breaks(n, s.cmd.Process.Pid); err != nil {
					t.Error(err)
				}
			}
			if c.inCall {
				n.mu.Lock()
				n.during = broken
				n.mu.Unlock()
			} else {
				broken()
			}
			s.types(t, "y\r")
			shown := s.ends(t, c.exit)
			if calls := len(n.stolen()); calls != c.calls {
				t.Errorf("%d calls", calls)
			}
			if !strings.Contains(shown, c.says) {
				t.Errorf("without %q: %s", c.says, shown)
			}
			if answered := strings.Contains(shown, "text of a"); answered != c.answered {
				t.Errorf("answered is %t: %s", answered, shown)
			}
		})
	}
}
