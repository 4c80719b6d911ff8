//go:build unix

package host

import (
	"errors"
	"os"
	"syscall"
)

// lockNow takes a lock of a file (flock(2)), or fails with errLocked where that
// is held.
func lockNow(f *os.File, alone bool) error {
	how := syscall.LOCK_SH
	if alone {
		how = syscall.LOCK_EX
	}
	for {
		switch err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB); {
		case errors.Is(err, syscall.EWOULDBLOCK):
			return errLocked
		case !errors.Is(err, syscall.EINTR):
			return err
		}
	}
}

// openDir opens a directory to have it synced.
func openDir(open opener, dir string) (TraceSink, error) { return open(dir, os.O_RDONLY, 0) }
