package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// dropTyped forgets what was typed and not read yet.
func dropTyped(terminal *os.File) error {
	return unix.IoctlSetInt(int(terminal.Fd()), unix.TCFLSH, unix.TCIFLUSH)
}

// hush has the terminal show nothing of what is typed from now on.
func hush(terminal *os.File) error {
	t, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
	if err != nil {
		return err
	}
	t.Lflag &^= unix.ECHO
	return unix.IoctlSetTermios(int(terminal.Fd()), unix.TCSETS, t)
}
