package session_test

import (
	"os"

	"golang.org/x/sys/unix"
)

// shrink makes a pipe hold one page, so that a server need not be sent much
// before a write to it waits.
func shrink(pipe *os.File) {
	if _, err := unix.FcntlInt(pipe.Fd(), unix.F_SETPIPE_SZ, 4096); err != nil {
		panic(err)
	}
}
