package host

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/onestep-run/onestep/trace"
)

// TraceDir keeps traces as files in one directory, which is made when it is
// missing. Only its owner can read them.
type TraceDir string

// Create opens the trace of a new run. The file's name is on disk before the
// run begins: a synced line in a file that a crash unlinks is no record.
func (d TraceDir) Create(runID string) (TraceSink, string, error) {
	if err := os.MkdirAll(string(d), 0o700); err != nil {
		return nil, "", err
	}
	path := filepath.Join(string(d), trace.FileName(runID))
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return nil, "", err
	}
	if err := syncDir(string(d)); err != nil {
		return nil, "", errors.Join(err, f.Close())
	}
	return f, path, nil
}

func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Probe reports whether a trace could be written now. It leaves nothing behind
// but the directory.
func (d TraceDir) Probe() error {
	if err := os.MkdirAll(string(d), 0o700); err != nil {
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
