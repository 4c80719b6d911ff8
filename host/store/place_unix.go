//go:build unix

package store

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// ownFolder refuses a folder that another user owns or can write: a program there could put
// another log next to the database. SQLite would trust that log.
func ownFolder(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if err := mine(dir, info); err != nil {
		return err
	}
	if info.Mode().Perm()&0o022 != 0 {
		return unsafe("others can write the folder %s of the state", dir).WithHint(fmt.Sprintf("chmod go-w %q, once you know who wrote there", dir))
	}
	return nil
}

func ownFile(path string, info fs.FileInfo) error {
	if err := mine(path, info); err != nil {
		return err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return unsafe("others can read or write %s", path).WithHint(fmt.Sprintf("chmod 600 %q, once you know who wrote it", path))
	}
	if s, ok := info.Sys().(*syscall.Stat_t); ok && s.Nlink > 1 {
		return unsafe("%s has a second name, under which its log would be missed", path)
	}
	return nil
}

func mine(path string, info fs.FileInfo) error {
	if s, ok := info.Sys().(*syscall.Stat_t); !ok || int(s.Uid) != os.Getuid() {
		return unsafe("%s belongs to another user", path)
	}
	return nil
}
