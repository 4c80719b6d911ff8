package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// dropTyped discards input that was typed and not yet read.
func dropTyped(terminal *os.File) error {
	return unix.IoctlSetInt(int(terminal.Fd()), unix.TCFLSH, unix.TCIFLUSH)
}

// hush makes the terminal stop showing typed input.
func hush(terminal *os.File) error {
	t, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
	if err != nil {
		return err
	}
	t.Lflag &^= unix.ECHO
	return unix.IoctlSetTermios(int(terminal.Fd()), unix.TCSETS, t)
}
