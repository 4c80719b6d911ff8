package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// dropTyped forgets what was typed and not read yet.
func dropTyped(terminal *os.File) {
	_ = unix.IoctlSetInt(int(terminal.Fd()), unix.TCFLSH, unix.TCIFLUSH) // a terminal that cannot keeps it, and it is shown
}
