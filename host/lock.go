package host

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/onestep-run/onestep/host/disk"
)

// The lock of a trace directory is a file in it. Every run holds it, shared,
// from before its trace is made until that is closed; a prune holds it alone.
// It ends with the process that holds it, however that ends.
const lockFile = ".lock"

// A run waits for a prune no longer than this: what a prune does under the lock
// is short.
const (
	lockWait = 5 * time.Second
	lockTry  = 5 * time.Millisecond
)

// share takes the lock of a run.
func (d TraceDir) share() (io.Closer, error) {
	for deadline := time.Now().Add(lockWait); ; time.Sleep(lockTry) {
		lock, err := d.lock(false)
		switch {
		case err == nil:
			return lock, nil
		case !errors.Is(err, disk.ErrLocked):
			return nil, err
		case time.Now().After(deadline):
			return nil, fmt.Errorf("old traces are being removed from %s, and that does not end", d)
		}
	}
}

// lock takes the lock now, or fails with [disk.ErrLocked] where it is held.
func (d TraceDir) lock(alone bool) (io.Closer, error) {
	path := filepath.Join(string(d), lockFile)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := disk.TryLock(f, alone); err != nil {
		return nil, errors.Join(&os.PathError{Op: "lock", Path: path, Err: err}, f.Close())
	}
	return f, nil
}
