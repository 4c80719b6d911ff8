//go:build !unix

package session_test

import (
	"os"
	"syscall"
)

// runs reports whether a process is there.
func runs(pid int) bool {
	p, err := os.FindProcess(pid)
	return err == nil && p.Release() == nil
}

var apart *syscall.SysProcAttr // no sessions here
