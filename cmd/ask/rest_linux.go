package main

import (
	"bytes"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// unmapProgram takes the pages of the program out of this process. Those of its start and of
// rare work are usually a half. A page that is used again comes from the system's memory of
// the file.
func unmapProgram() {
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return
	}
	for _, m := range programParts(maps) {
		_, _, _ = unix.Syscall(unix.SYS_MADVISE, m.at, m.end-m.at, unix.MADV_DONTNEED) // an error changes nothing
	}
}

// part is a range of addresses.
type part struct{ at, end uintptr }

// programParts are the parts of this process that cannot be written and are as their file is.
// The advice would lose a change of a page, such as a linker or a debugger makes.
func programParts(smaps []byte) (parts []part) {
	var m part
	var access, inode string
	for line := range bytes.Lines(smaps) {
		var next part
		var is [4]string // access, offset, device, inode
		if n, _ := fmt.Sscanf(string(line), "%x-%x %s %s %s %s", &next.at, &next.end, &is[0], &is[1], &is[2], &is[3]); n == 6 {
			m, access, inode = next, is[0], is[3]
			continue
		}
		changed := -1
		if n, _ := fmt.Sscanf(string(line), "Anonymous: %d kB", &changed); n == 0 || changed != 0 {
			continue
		}
		if inode != "0" && (access == "r-xp" || access == "r--p") {
			parts = append(parts, m)
		}
	}
	return parts
}
