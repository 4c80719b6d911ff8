package runs

import (
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// fileID is what tells a file from its copies.
type fileID struct {
	machine       string
	device, inode uint64
	links         uint64
	owner         uint32
}

func identify(f *os.File) (fileID, error) {
	var s unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &s); err != nil {
		return fileID{}, err
	}
	machine, err := os.ReadFile("/etc/machine-id")
	if err != nil { // a container may have none; then the host's name is all there is
		name, err := os.Hostname()
		if err != nil {
			return fileID{}, err
		}
		machine = []byte("name:" + name)
	}
	return fileID{strings.TrimSpace(string(machine)), s.Dev, s.Ino, uint64(s.Nlink), s.Uid}, nil //nolint:unconvert // 32 bits wide on other machines
}

// openPlain opens a file for reading and writing, and no link to one.
func openPlain(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
}

// moveOnce renames a file to a name that nothing has yet.
func moveOnce(from, to string) error {
	return unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE)
}
