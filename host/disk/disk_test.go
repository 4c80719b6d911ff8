package disk_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/onestep-run/onestep/host/disk"
)

func TestALockIsSharedOrOnesOwnAndEndsWithItsFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	open := func() *os.File {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() }) // twice, for some
		return f
	}
	a, b, c := open(), open(), open()
	if err := errors.Join(disk.TryLock(a, false), disk.TryLock(b, false)); err != nil {
		t.Fatal(err)
	}
	if err := disk.TryLock(c, true); !errors.Is(err, disk.ErrLocked) {
		t.Errorf("next to two who share it: %v", err)
	}
	if err := errors.Join(a.Close(), b.Close(), disk.TryLock(c, true)); err != nil {
		t.Fatal(err)
	}
	if err := disk.TryLock(open(), false); !errors.Is(err, disk.ErrLocked) {
		t.Errorf("next to one who has it alone: %v", err)
	}
}

func TestALockIsWaitedForNoLongerThanTheContext(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	over, cancel := context.WithCancel(t.Context())
	cancel()
	held, err := disk.Lock(over, path, true) // a free lock is taken, whatever became of the context
	if err != nil {
		t.Fatal(err)
	}
	if _, err := disk.Lock(over, path, true); !errors.Is(err, disk.ErrLocked) {
		t.Errorf("where another holds it: %v", err)
	}
	waited := make(chan error, 1)
	go func() {
		f, err := disk.Lock(t.Context(), path, true)
		waited <- errors.Join(err, f.Close())
	}()
	if err := errors.Join(held.Close(), <-waited); err != nil {
		t.Errorf("once it is free: %v", err)
	}
}

func TestADirectoryIsMadeWithThoseAboveItAndTheirNamesAreSynced(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	var synced []string
	sync := func(dir string) error {
		synced = append(synced, dir)
		return disk.SyncDir(dir)
	}
	path := filepath.Join(root, "a", "b", "c")
	if err := disk.MakeDir(path, sync); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		t.Error(info, err)
	}
	for _, dir := range []string{root, filepath.Join(root, "a"), filepath.Join(root, "a", "b")} {
		if !slices.Contains(synced, dir) {
			t.Errorf("%s got a name and was not synced: %q", dir, synced)
		}
	}
	synced = nil
	if err := disk.MakeDir(path, sync); err != nil || len(synced) > 0 {
		t.Errorf("one that is there: %v, %q", err, synced)
	}
}
