package login

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/disk"
)

// Rows keeps the records of logins in the place of a directory, for processes on several
// machines. host/store does.
type Rows interface {
	// Get returns a record, nil if there is no such record.
	Get(ctx context.Context, name string) ([]byte, error)
	// Put stores a record. It fails if this process had the lease of the name and lost it.
	Put(ctx context.Context, name string, b []byte) error
	Remove(ctx context.Context, name string) error
	Names(ctx context.Context) ([]string, error)
	// Lease waits until no other process has the lease of the name. It ends by end, or some
	// time after its process was killed.
	Lease(ctx context.Context, name string) (end func(), err error)
}

// place is where a store has its records.
type place interface {
	record(name string) ([]byte, error)
	write(name string, b []byte) error
	remove(name string) error
	names() ([]string, error)
	lock(ctx context.Context, name string, alone bool) (io.Closer, error)
}

func (s *Store) records() place {
	if s.Rows != nil {
		return rows{s.Rows}
	}
	return folder(s.Dir)
}

// keepsNothing reports whether there is no place for a login.
func (s *Store) keepsNothing() bool { return s == nil || s.Dir == "" && s.Rows == nil }

// folder is a directory, with a file for each record.
type folder string

func (f folder) path(name string) string { return filepath.Join(string(f), name) }

// record refuses a file that other users may read or write: another user may have put it
// there.
func (f folder) record(name string) ([]byte, error) {
	path := f.path(name)
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, unkept(err, "%v", err)
	case !info.Mode().IsRegular(), info.Mode().Perm()&0o077 != 0:
		return nil, failing(verdict.LoginStore, nil, "chmod 600 "+path+", if it is yours", "%s may be read or written by others", path)
	}
	b, err := disk.ReadFile(path, maxFile)
	if err != nil {
		return nil, unkept(err, "%v", err)
	}
	return b, nil
}

// write writes a file completely or not at all, and syncs it.
func (f folder) write(name string, b []byte) error {
	if err := disk.MakeDir(string(f), disk.SyncDir); err != nil {
		return err
	}
	file, err := os.CreateTemp(string(f), ".new-*") // mode 0600
	if err != nil {
		return err
	}
	_, err = file.Write(b)
	err = errors.Join(err, file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), f.path(name))
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return disk.SyncDir(string(f))
}

func (f folder) remove(name string) error {
	if err := os.Remove(f.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (f folder) names() (all []string, err error) {
	entries, err := os.ReadDir(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !strings.HasSuffix(e.Name(), ".lock") {
			all = append(all, e.Name())
		}
	}
	return all, err
}

func (f folder) lock(ctx context.Context, name string, alone bool) (io.Closer, error) {
	lock, err := disk.Lock(ctx, f.path(name+".lock"), alone)
	if err != nil {
		return nil, err // not a nil *os.File
	}
	return lock, nil
}

// rows are records in a database, which a process of any machine may change.
type rows struct{ Rows }

func within() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), storeTime)
}

func (r rows) record(name string) ([]byte, error) {
	ctx, cancel := within()
	defer cancel()
	b, err := r.Get(ctx, name)
	if err != nil {
		return nil, unkept(err, "%v", err)
	}
	return b, nil
}

func (r rows) write(name string, b []byte) error {
	ctx, cancel := within()
	defer cancel()
	return r.Put(ctx, name, b)
}

func (r rows) remove(name string) error {
	ctx, cancel := within()
	defer cancel()
	return r.Remove(ctx, name)
}

func (r rows) names() ([]string, error) {
	ctx, cancel := within()
	defer cancel()
	return r.Names(ctx)
}

// lock takes a lease. The keys of rows are not in the rows, and have no lock to share.
func (r rows) lock(ctx context.Context, name string, alone bool) (io.Closer, error) {
	if !alone {
		return ended(func() {}), nil
	}
	end, err := r.Lease(ctx, name)
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("%w: %w", disk.ErrLocked, err)
	}
	if err != nil {
		return nil, err
	}
	return ended(end), nil
}

// ended is the end of a lease.
type ended func()

func (e ended) Close() error {
	e()
	return nil
}
