package launch

import (
	"errors"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func becomeSubreaper() error { return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// killOrphans ends every child of this program outside its own session, and
// every process that becomes one for it, until the system says that there is
// no child left. Only that is proof: a process that forks and exits again and
// again is between two entries of any list, but it, or the one that it comes
// from, is always a child.
//
// Servers lead sessions of their own, so what they leave is never in this
// program's. A child that is belongs to another part of the program, which
// waits for it itself; where there is one, two looks that find nothing take
// the place of the proof. It returns what is left when the time is over.
func killOrphans(within time.Duration) []int {
	own, _ := unix.Getsid(0)
	for over, clean := time.Now().Add(within), 0; ; time.Sleep(100 * time.Microsecond) {
		if errors.Is(childState(unix.P_ALL, 0), unix.ECHILD) {
			return nil
		}
		found, err := orphans(own)
		if err != nil {
			return []int{0} // there is a child, and nothing tells which
		}
		if clean++; len(found) > 0 {
			clean = 0
		}
		switch {
		case clean == 2:
			return nil
		case time.Now().After(over):
			return found
		}
		for _, pid := range found {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
		}
	}
}

// orphans are the children of this program, dead ones too, in other sessions
// than its own. Until a dead one is waited for, its id is not given to another
// process.
func orphans(own int) (found []int, err error) {
	all, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	names, err := all.Readdirnames(-1) // unsorted, and no file is read: it is to be quick
	_ = all.Close()
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || childState(unix.P_PID, pid) != nil {
			continue
		}
		if session, err := unix.Getsid(pid); err == nil && session != own {
			found = append(found, pid)
		}
	}
	return found, err
}

// childState is ECHILD where there is no such child, alive or dead. It waits
// for none.
func childState(kind, pid int) error {
	for {
		err := unix.Waitid(kind, pid, nil, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return err
		}
	}
}
