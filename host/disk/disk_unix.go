//go:build unix

package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// TryLock locks a file (flock(2)). If the file is locked already, it fails with
// ErrLocked. The lock ends when the file is closed.
func TryLock(f *os.File, alone bool) error {
	how := syscall.LOCK_SH
	if alone {
		how = syscall.LOCK_EX
	}
	for {
		switch err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB); {
		case errors.Is(err, syscall.EWOULDBLOCK):
			return ErrLocked
		case !errors.Is(err, syscall.EINTR):
			return err
		}
	}
}

// OpenFiles is the number of files that the process may have open (RLIMIT_NOFILE). It is
// 0 if the system does not say.
func OpenFiles() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	return int(min(uint64(limit.Cur), 1<<20)) //nolint:unconvert // signed on FreeBSD
}

// Own returns an error if a file is not the user's own. Such a file belongs to another
// user, other users can read or write it, or it has a second name.
func Own(path string, info fs.FileInfo) error {
	s, known := info.Sys().(*syscall.Stat_t)
	switch {
	case !known || int(s.Uid) != os.Getuid():
		return fmt.Errorf("%s belongs to another user", path)
	case info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("others can read or write %s", path)
	case s.Nlink > 1:
		return fmt.Errorf("%s has a second name", path)
	}
	return nil
}

// Trusted returns an error if a file belongs to another user than its reader. A file of
// root is trusted: root can write every file.
func Trusted(info fs.FileInfo, reader int) error {
	s, known := info.Sys().(*syscall.Stat_t)
	switch {
	case !known:
		return errors.New("its owner is not known")
	case s.Uid == 0 || int(s.Uid) == reader:
		return nil
	}
	return fmt.Errorf("it belongs to another user (%d), who can change it: chown it, or name a copy of your own", s.Uid)
}
