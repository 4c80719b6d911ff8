//go:build unix

package confine

import (
	"io/fs"
	"syscall"
)

// nameCount returns the number of a file's names.
func nameCount(info fs.FileInfo) uint64 {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 1
	}
	return uint64(st.Nlink) //nolint:unconvert // it is smaller on other systems
}
