//go:build unix

package session_test

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// runs reports whether a process is there, and no zombie.
func runs(pid int) bool {
	if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil {
		return !strings.Contains(string(stat), ") Z ")
	}
	return syscall.Kill(pid, 0) == nil
}

// apart is of a process in a session of its own.
var apart = &syscall.SysProcAttr{Setsid: true}
