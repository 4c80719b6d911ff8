//go:build darwin || freebsd

package store

import "golang.org/x/sys/unix"

// local refuses a folder that the system does not call local.
func local(dir string) error {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return err
	}
	if uint64(s.Flags)&unix.MNT_LOCAL == 0 {
		return elsewhere(dir)
	}
	return nil
}
