package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// dropTyped forgets what was typed and not read yet.
func dropTyped(terminal *os.File) error {
	return unix.IoctlSetInt(int(terminal.Fd()), unix.TCFLSH, unix.TCIFLUSH)
}
