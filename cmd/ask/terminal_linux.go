package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"

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

// startOf is when a process started, in ticks since the boot of the machine, with the id of
// that boot. It is "" if it is not known.
func startOf(pid int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	boot, bad := os.ReadFile("/proc/sys/kernel/random/boot_id")
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]) // a name may contain anything
	if err != nil || bad != nil || len(fields) < 20 {
		return ""
	}
	return string(fields[19]) + "-" + strings.TrimSpace(string(boot)) // the 22nd of proc_pid_stat(5)
}
