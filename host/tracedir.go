package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/host/disk"
	"github.com/onestep-run/onestep/trace"
)

// TraceDir keeps traces as files in one directory, which is made when it is
// missing, and what they have in common in its objects/. Only its owner can
// read them.
type TraceDir string

// Create opens the trace of a new run. The file's name, and those of the
// directories above it, are on disk before the run begins: a synced line in a
// file that a crash unlinks is no record.
func (d TraceDir) Create(runID string) (TraceSink, string, error) { return d.create(openFile, runID) }

func (d TraceDir) create(open opener, runID string) (TraceSink, string, error) {
	if !guard.Name(runID) {
		return nil, "", fmt.Errorf("the run id %.64q is no plain name", runID)
	}
	if err := makeDir(open, string(d)); err != nil {
		return nil, "", err
	}
	lock, err := d.share()
	if err != nil {
		return nil, "", err
	}
	path := filepath.Join(string(d), trace.FileName(runID))
	f, err := open(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return nil, "", errors.Join(err, lock.Close())
	}
	if err := syncDir(open, string(d)); err != nil {
		return nil, "", errors.Join(err, f.Close(), os.Remove(path), lock.Close())
	}
	return &traceFile{TraceSink: f, objects: d.objects(), open: open, lock: lock}, path, nil
}

// opener opens a file to write it, or with os.O_RDONLY a directory to sync it: a
// test counts what is synced.
type opener func(name string, flag int, mode fs.FileMode) (TraceSink, error)

func openFile(name string, flag int, mode fs.FileMode) (TraceSink, error) {
	var f *os.File
	var err error
	if flag == os.O_RDONLY {
		f, err = disk.OpenDir(name)
	} else {
		f, err = os.OpenFile(name, flag, mode)
	}
	if err != nil {
		return nil, err // and not a nil *os.File
	}
	return f, nil
}

// makeDir makes a directory with those above it, and syncs what it made.
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

// Probe reports whether a trace could be written now. It leaves nothing behind
// but the directory.
func (d TraceDir) Probe() error {
	if err := makeDir(openFile, string(d)); err != nil {
		return unwritable(err)
	}
	f, err := os.CreateTemp(string(d), "probe_*")
	if err != nil {
		return unwritable(err)
	}
	_, err = f.WriteString("probe\n")
	if err := errors.Join(err, f.Sync(), f.Close(), os.Remove(f.Name())); err != nil {
		return unwritable(err)
	}
	return nil
}
