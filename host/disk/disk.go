// Package disk supports files that outlast a crash and that processes share. It syncs
// directories, locks files, and reads files with a bound.
//
// It vouches that a name is on disk once its directory was synced, if the system's report
// is true, and that a lock ends with its process, however that ends. It does not vouch
// for network file systems, which may promise neither. config, host/runs, host/store and
// host/artifact call it.
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

// ErrLocked reports that another process has the lock.
var ErrLocked = errors.New("it is locked")

const lockTry = 5 * time.Millisecond

// Lock opens the file of a lock, makes it if it is missing, and waits for the lock until
// ctx ends. Then the error is [ErrLocked]. Closing the file ends the lock.
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

// SyncDir writes the names in a directory to disk.
func SyncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// MakeDir makes a directory and its missing parents, for their owner alone. It syncs the
// directories that got a new name.
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
