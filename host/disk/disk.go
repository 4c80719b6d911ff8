// Package disk holds what files need to outlast a crash and to be shared by
// processes: directories that are synced, locks of files, and reading with a
// bound.
//
// It vouches that a name is on disk once its directory was synced, as far as
// the system says so, and that a lock ends with the process that holds it,
// however that ends. It does not vouch for network file systems, which may
// promise neither. config, host/runs, host/store and host/artifact call it.
package disk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// ErrLocked says that another holds the lock.
var ErrLocked = errors.New("it is locked")

const lockTry = 5 * time.Millisecond

// Lock opens the file of a lock, which is made where it is missing, and waits for
// the lock until ctx ends; the error is [ErrLocked] then. Closing the file ends
// the lock.
func Lock(ctx context.Context, path string, alone bool) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for err = TryLock(f, alone); errors.Is(err, ErrLocked) && ctx.Err() == nil; err = TryLock(f, alone) {
		select {
		case <-ctx.Done():
		case <-time.After(lockTry):
		}
	}
	if err != nil {
		return nil, errors.Join(&os.PathError{Op: "lock", Path: path, Err: err}, f.Close())
	}
	return f, nil
}

// ReadFile reads a file of at most max bytes.
func ReadFile(path string, max int) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, int64(max)+1))
	if err == nil && len(b) > max {
		err = fmt.Errorf("%s is longer than %d bytes", filepath.Base(path), max)
	}
	return b, err
}

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
