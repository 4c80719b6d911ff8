//go:build unix && !linux

package disk

import (
	"os"
	"syscall"
)

// SyncData writes a file to disk.
func SyncData(f *os.File) error { return f.Sync() }

// Boot names the current start of the machine. It is "" if the system does not say.
func Boot() string {
	name, err := syscall.Sysctl("kern.bootsessionuuid") // of macOS
	if err != nil {
		return ""
	}
	return name
}
