package disk

import (
	"os"
	"strings"
	"syscall"
)

// SyncData writes a file's data to disk, without its times (fdatasync(2)).
func SyncData(f *os.File) error {
	for {
		err := syscall.Fdatasync(int(f.Fd()))
		if err != syscall.EINTR {
			return os.NewSyscallError("fdatasync", err)
		}
	}
}

// Boot names the current start of the machine. It is "" if the system does not say.
func Boot() string {
	b, err := ReadFile("/proc/sys/kernel/random/boot_id", 64)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}
