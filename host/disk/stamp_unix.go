//go:build unix

package disk

import (
	"errors"
	"io/fs"

	"golang.org/x/sys/unix"
)

// factsOf asks the system once. Package os would allocate memory for each answer.
func factsOf(path string, follow bool) facts {
	var s unix.Stat_t
	stat := unix.Lstat
	if follow {
		stat = unix.Stat
	}
	err := stat(path, &s)
	for errors.Is(err, unix.EINTR) {
		err = stat(path, &s)
	}
	if err != nil {
		return facts{wrong: err.Error()}
	}
	f := facts{there: true, device: uint64(s.Dev), inode: s.Ino, mode: modeOf(uint32(s.Mode)), owner: s.Uid, group: s.Gid} //nolint:unconvert // other types elsewhere
	if f.regular() {
		f.size, f.modified, f.changed = s.Size, s.Mtim.Nano(), s.Ctim.Nano()
	}
	return f
}

// modeOf returns the type and the permissions of a file. Times and sizes of other files
// than regular ones change with use.
func modeOf(mode uint32) fs.FileMode {
	m := fs.FileMode(mode & 0o7777)
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return m
	case unix.S_IFLNK:
		return m | fs.ModeSymlink
	case unix.S_IFDIR:
		return m | fs.ModeDir
	}
	return m | fs.ModeIrregular
}
