//go:build unix

package launch

import (
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// inherited are the variables that nearly every program needs.
var inherited = []string{"HOME", "LANG", "PATH"}

// adopt does nothing: the server was started as the leader of its group.
func (*kin) adopt(*os.Process) error { return nil }

// signal sends a signal to the server's group; 0 sends none.
func (*kin) signal(leader int, s syscall.Signal) { _ = syscall.Kill(-leader, s) }

// keepDescriptors makes sure that a child gets none of this program's open files. Go
// marks its own files to be closed in children. Files that this program was started with,
// or that C code opened, would otherwise be inherited. A file that C code opens at this
// very moment can slip through.
func keepDescriptors() error {
	if keepAll() == nil {
		return nil
	}
	open, err := os.ReadDir("/dev/fd")
	for _, f := range open {
		if fd, err := strconv.Atoi(f.Name()); err == nil && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
	return err
}

// enterable reports why a process could not start in a directory.
func enterable(dir string) error { return unix.Access(dir, unix.X_OK) }
