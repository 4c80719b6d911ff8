// Package disk holds what files need to outlast a crash and to be shared by
// processes: directories that are synced, and locks of files.
//
// It vouches that a name is on disk once its directory was synced, as far as
// the system says so, and that a lock ends with the process that holds it,
// however that ends. It does not vouch for network file systems, which may
// promise neither. host and host/store call it.
package disk

import (
	"errors"
	"os"
	"path/filepath"
)

// ErrLocked says that another holds the lock.
var ErrLocked = errors.New("it is locked")

// SyncDir puts the names in a directory on disk.
func SyncDir(dir string) error {
	f, err := OpenDir(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// MakeDir makes a directory with those above it, for their owner alone, and
// has those synced that got a new name.
func MakeDir(path string, sync func(dir string) error) error {
	var parents []string
	for dir := filepath.Clean(path); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			break
		}
		parents = append(parents, filepath.Dir(dir))
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return err
	}
	for _, parent := range parents {
		if err := sync(parent); err != nil {
			return err
		}
	}
	return nil
}
