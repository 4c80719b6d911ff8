package store

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"modernc.org/sqlite" // also the driver "sqlite"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/disk"
)

// patience is how long one statement waits for another process, unless its context ends
// earlier.
const patience = 5 * time.Second

// open opens the database, and makes a missing one.
func open(ctx context.Context, path string) (*database, error) {
	if err := prepare(path); err != nil {
		return nil, err
	}
	// The last connection that may write merges a log when it closes. A database that this
	// program refuses must keep its log.
	if hasLog(path) {
		if err := refused(ctx, path); err != nil {
			return nil, err
		}
	}
	file, err := os.Lstat(path)
	if err != nil {
		return nil, unwritable(err)
	}
	db, err := sql.Open("sqlite", source(path, "rw", false)) // prepare makes the file, with its mode
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // statements are short, and SQLite has one writer
	if err := update(ctx, db, path); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	version, err := db.PrepareContext(ctx, `PRAGMA data_version`)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &database{DB: db, file: file, version: version}, nil
}

// openToRead opens a database that cannot be written now. Without a log next to it the
// database is complete, and is opened as immutable: otherwise SQLite would make a log to read
// it. An existing log is read too if SQLite can, and is never ignored: it may contain the
// rejection of a tool.
func openToRead(ctx context.Context, path string) (*database, error) {
	if err := errors.Join(ownFolder(filepath.Dir(path)), ownFiles(path, path+"-journal", path+"-wal", path+"-shm")); err != nil {
		return nil, err
	}
	file, err := os.Lstat(path)
	if err != nil {
		return nil, unwritable(err)
	}
	frozen := !hasLog(path)
	db, err := sql.Open("sqlite", source(path, "ro", frozen))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	exists, err := hasSchema(ctx, db)
	if err == nil && !exists {
		err = unwritable(errors.New("its schema has to be created"))
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &database{DB: db, file: file, reading: true, frozen: frozen}, nil
}

// refused opens a database without the right to write it, and fails if it belongs to another
// version or another program.
func refused(ctx context.Context, path string) error {
	db, err := sql.Open("sqlite", source(path, "ro", false))
	if err != nil {
		return err
	}
	_, err = hasSchema(ctx, db)
	if errors.As(err, new(*sqlite.Error)) { // reading needs a write first, such as the recovery of its log
		err = nil
	}
	return errors.Join(err, db.Close())
}

// hasLog reports whether SQLite has written a log that is not yet merged into the database.
// In doubt it reports true.
func hasLog(path string) bool {
	for _, log := range []string{path + "-wal", path + "-journal"} {
		info, err := os.Lstat(log)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil || info.Size() > 0 {
			return true
		}
	}
	return false
}

// source is the database's address for SQLite's driver, with every choice spelled out.
func source(path, mode string, frozen bool) string {
	q := url.Values{}
	q.Set("mode", mode) // never "rwc", which makes a file with another mode
	if frozen {
		q.Set("immutable", "1") // neither locks nor a log
	}
	q.Set("_txlock", "immediate") // a writing transaction has the lock from its beginning, so none fails half-way
	q.Set("_busy_timeout", number(patience.Milliseconds()))
	q.Set("_synchronous", "FULL") // a commit is on disk when it returns
	q.Set("_foreign_keys", "on")
	q.Set("_defensive", "1") // no statement can write the schema's own tables
	q.Set("_dqs", "0")       // "…" is a name and never a text
	q.Add("_pragma", "trusted_schema(0)")
	q.Add("_pragma", "cell_size_check(1)")
	q.Add("_pragma", "secure_delete(1)") // dropped data is overwritten
	u := url.URL{Scheme: "file", Path: path, RawQuery: q.Encode()}
	return u.String()
}

// prepare makes a missing file. It makes sure that no other user can write or replace the
// file, or has left a log for it. SQLite gives the files next to it the same mode.
func prepare(path string) error {
	dir := filepath.Dir(path)
	if err := disk.MakeDir(dir, disk.SyncDir); err != nil {
		return unwritable(err)
	}
	if err := local(dir); err != nil {
		return err
	}
	if err := ownFolder(dir); err != nil {
		return err
	}
	// SQLite replays a log of any owner, even into a new database.
	if err := ownFiles(path, path+"-journal", path+"-wal", path+"-shm", lockPath(path)); err != nil {
		return err
	}
	// An existing file is not opened: closing it would release SQLite's own locks.
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return ownFiles(path) // another process may just have made it
	}
	if err != nil {
		return unwritable(err)
	}
	if err := errors.Join(f.Close(), disk.SyncDir(dir)); err != nil {
		return unwritable(err)
	}
	return nil
}

func ownFiles(paths ...string) error {
	for _, path := range paths {
		info, err := os.Lstat(path)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return unsafe("%s is not a plain file", path)
		}
		if err := ownFile(path, info); err != nil {
			return err
		}
	}
	return nil
}

func unwritable(err error) error {
	return verdict.Fail(verdict.StateUnwritable, err, "the state cannot be kept: %v", err)
}

// unsafe is the fault of a place where others could write decisions in the user's name.
func unsafe(format string, args ...any) *verdict.Fault {
	return verdict.Fail(verdict.StateUnreadable, nil, format, args...).
		WithHint("make it a file that you alone can read and write, or set state_file, or ASK_STATE_FILE, to another path")
}

func elsewhere(dir string) error {
	return unsafe("%s is, or may be, on a network file system: SQLite's log is not safe there", dir).WithHint("set state_file, or ASK_STATE_FILE, to a path on a local disk")
}

// Check makes SQLite check the whole file, and reads every decision, every approval and the
// record of every withheld result.
func (s *Store) Check(ctx context.Context) error {
	if s.server == "" {
		if err := s.read(ctx, `PRAGMA integrity_check(1)`, nil, intact); err != nil {
			return err
		}
	}
	if _, err := s.All(ctx); err != nil {
		return err
	}
	if _, err := s.approvals(ctx, ``); err != nil {
		return err
	}
	if _, err := s.Grants(ctx); err != nil {
		return err
	}
	if _, err := s.Marks(ctx); err != nil {
		return err
	}
	_, err := s.AllKept(ctx)
	return err
}
