// Package runs stores the traces of runs as files in one directory. Next to them are the
// objects that runs share, and a lock between runs and the removal of old traces.
//
// A [Dir] vouches that a synced line is still in its file after a crash. It does not vouch
// for the content of a trace: package trace checks that. config/setup gives a Dir to the
// host.
package runs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/disk"
	"github.com/onestep-run/onestep/trace"
)

// Dir is the path of a trace directory, which is made when it is missing. Its subdirectory
// objects/ has the objects that runs share. Only its owner can read the files.
type Dir string

// Create opens the trace of a new run. A sync puts the names of the file and of the
// directories above it on disk, too: a synced line in a file that a crash unlinks does not
// last.
func (d Dir) Create(ctx context.Context, runID string) (host.TraceSink, string, error) {
	f, err := d.create(ctx, openFile, runID)
	if err != nil {
		return nil, "", err
	}
	return f, d.path(runID), nil
}

func (d Dir) create(ctx context.Context, open opener, runID string) (*traceFile, error) {
	if !escape.Name(runID) {
		return nil, fmt.Errorf("the run id %.64q is not a plain name", runID)
	}
	if err := makeDir(open, string(d)); err != nil {
		return nil, err
	}
	lock, err := d.share(ctx)
	if err != nil {
		return nil, err
	}
	f, err := open(d.path(runID), os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return &traceFile{TraceSink: f, dir: d, objects: d.objects(), open: open, lock: lock, seen: map[trace.Hash]fs.FileInfo{}}, nil
}

func (d Dir) path(runID string) string { return filepath.Join(string(d), trace.FileName(runID)) }

// file is an open file, or with os.O_RDONLY a directory to sync.
type file interface {
	host.TraceSink
	io.ReaderAt
	io.WriterAt
	Stat() (fs.FileInfo, error)
	SyncData() error // without times
	Lock() error     // for this process alone; fails at once if another has it
}

type osFile struct{ *os.File }

func (f osFile) SyncData() error { return disk.SyncData(f.File) }

func (f osFile) Lock() error { return disk.TryLock(f.File, true) }

// opener opens a file. A test counts the syncs.
type opener func(name string, flag int, mode fs.FileMode) (file, error)

func openFile(name string, flag int, mode fs.FileMode) (file, error) {
	f, err := os.OpenFile(name, flag, mode)
	if err != nil {
		return nil, err // not a nil *os.File
	}
	return osFile{f}, nil
}

// makeDir makes a directory with those above it, and syncs the new ones.
func makeDir(open opener, path string) error {
	return disk.MakeDir(path, func(dir string) error { return syncDir(open, dir) })
}

func syncDir(open opener, dir string) error {
	f, err := open(dir, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Probe reports whether a trace could be written now. It leaves only the directory.
func (d Dir) Probe() error {
	err := makeDir(openFile, string(d))
	if err == nil {
		err = d.probe()
	}
	if err != nil {
		return verdict.Fail(verdict.TraceUnwritable, err, "the trace cannot be written: %v", err)
	}
	return nil
}

func (d Dir) probe() error {
	f, err := os.CreateTemp(string(d), "probe_*")
	if err != nil {
		return err
	}
	_, err = f.WriteString("probe\n")
	return errors.Join(err, f.Sync(), f.Close(), os.Remove(f.Name()))
}

// lockFile is the lock of a trace directory. Every run has it, shared, from before its trace
// is made until that is closed; a prune has it alone. The lock ends with its process, however
// that ends.
const lockFile = ".lock"

// lockWait is how long a run waits for a prune, which keeps the lock for a short time.
const lockWait = 5 * time.Second

// share takes the lock of a run.
func (d Dir) share(ctx context.Context) (io.Closer, error) {
	lock, err := d.lock(context.WithoutCancel(ctx), false, lockWait) // a run that is over has a trace, too
	if errors.Is(err, disk.ErrLocked) {
		return nil, fmt.Errorf("old traces are being removed from %s, and that does not end", d)
	}
	return lock, err
}

// lock takes the lock. It fails with [disk.ErrLocked] if others keep the lock for the whole
// wait.
func (d Dir) lock(ctx context.Context, alone bool, wait time.Duration) (io.Closer, error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	f, err := disk.Lock(ctx, filepath.Join(string(d), lockFile), alone)
	if err != nil {
		return nil, err // not a nil *os.File
	}
	return f, nil
}
