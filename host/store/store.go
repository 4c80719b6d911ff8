// Package store stores the data that outlives a run, in one SQLite database in the state
// directory. A program that brings the driver can use a schema of PostgreSQL instead. The data are people's decisions about servers and their tools, pending findings,
// approvals of calls, and withheld results.
//
// It vouches that the data it returns was written by it and is complete. It checks each row
// against its sum, each text of a server against its digest, and the decisions of a place
// against the place's last one. A row that was altered, cut off or left out yields an error
// and no row. A writing method has its result on disk when it returns, or has done nothing,
// however the process ends.
//
// It does not vouch against a program with the user's rights: sums are computed without a
// key, and an older copy of the whole file passes. It judges nothing either: host/trust
// judges decisions. Its SQL is one text for both databases; open.go and update.go have what
// is for SQLite alone, and postgres.go what is for PostgreSQL.
package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/seal"
)

// Store is the database at a path, or of a PostgreSQL server. Many goroutines may use it, and
// many processes may use the same database.
type Store struct {
	path   string // for PostgreSQL its address without a user and a password
	server string // PostgreSQL's address; "" for a file
	now    func() time.Time
	writes atomic.Int64 // finished ones of this process
	reads  atomic.Int64 // queries of this process; a test counts them
	memory memory
	keys   seal.Keys // see [Store.Sealing]

	watcher watcher

	mu sync.Mutex
	db *database
}

// database is an open database, and the file at its path when it was opened.
type database struct {
	*sql.DB
	file    os.FileInfo
	reading bool          // it cannot be written: its file system is read-only or full, or its mode forbids it
	frozen  bool          // SQLite opened the file as immutable
	version *sql.Stmt     // see [Stamp]; nil if the file is only read, and for PostgreSQL
	turn    chan struct{} // of PostgreSQL's writers in this process; nil for a file

	checking sync.Mutex
	checked  map[string]bool // tables with indexes that were checked
}

// At is the store at a path. The first method that needs the file opens it, and the first
// write makes a missing one: without a file nothing is stored. A failure to open is that
// method's error, and the next method tries again.
func At(path string, now func() time.Time) *Store {
	return &Store{path: filepath.Clean(path), now: now}
}

// opened is the database, for reading also if it cannot be written: earlier approvals still
// hold there. A write tries again, since space may have become free.
func (s *Store) opened(ctx context.Context, writing bool) (*database, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db != nil && s.db.reading && writing {
		_ = s.db.Close() // it wrote nothing
		s.db = nil
	}
	if s.db != nil {
		return s.db, nil
	}
	connect := s.openFile
	if s.server != "" {
		connect = s.openServer
	}
	db, err := connect(ctx, writing)
	if err != nil {
		return nil, err
	}
	s.db = db
	return db, nil
}

func (s *Store) openFile(ctx context.Context, writing bool) (*database, error) {
	db, err := open(ctx, s.path)
	if err = s.fault(err); verdict.CodeOf(err) == verdict.StateUnwritable && !writing {
		if still, no := openToRead(ctx, s.path); no == nil {
			db, err = still, nil
		} else if verdict.CodeOf(s.fault(no)) != verdict.StateUnwritable {
			err = s.fault(no)
		}
	}
	return db, err
}

// inPlace fails if the written file is no longer the one at the path. SQLite writes to a
// removed file like to any other, and that data would not outlive the process. The next
// method opens the file at the path.
func (s *Store) inPlace(db *database) error {
	if s.server != "" {
		return nil
	}
	now, err := os.Lstat(s.path)
	if err == nil && os.SameFile(db.file, now) {
		return nil
	}
	s.drop(db)
	return s.fault(unwritable(errors.New("its file was removed or replaced while it was open")))
}

// drop makes the next method open the file at the path again. A server's connections are
// made again by themselves.
func (s *Store) drop(db *database) {
	if s.server != "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == db {
		s.db = nil
		_ = db.Close() // its error does not matter any more
	}
}

// steady fails if a file that was opened as immutable was written during the read. A process
// that can write it may do that, such as one outside a container.
func (s *Store) steady(db *database) error {
	if !db.frozen {
		return nil
	}
	now, err := os.Lstat(s.path)
	if err == nil && !hasLog(s.path) && os.SameFile(db.file, now) {
		if was := db.file; was.Size() == now.Size() && was.ModTime().Equal(now.ModTime()) {
			return nil
		}
	}
	s.drop(db)
	return verdict.Fail(verdict.StateLocked, err, "the state in %s was written while it was read", s.path)
}

// absent reports whether the file does not exist yet. Opening the file reports any other
// error.
func (s *Store) absent() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db != nil || s.server != "" {
		return false
	}
	_, err := os.Lstat(s.path)
	return errors.Is(err, os.ErrNotExist)
}

// Close closes the database, if it was opened.
func (s *Store) Close() error {
	s.watcher.reading.Lock()
	defer s.watcher.reading.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil {
		return nil
	}
	db := s.db
	s.db = nil
	return s.fault(db.Close())
}

// write runs do in one transaction, which has the database to itself from its beginning. An
// error undoes all of it.
func (s *Store) write(ctx context.Context, do func(*sql.Tx) error) (err error) {
	db, err := s.opened(ctx, true)
	if err != nil {
		return err
	}
	defer s.writes.Add(1)
	defer func() {
		if verdict.CodeOf(err) == verdict.StateUnwritable {
			s.drop(db) // SQLite keeps a file that it opened for reading; the next write may have room
		}
	}()
	if s.server != "" {
		return s.fault(db.alone(ctx, do))
	}
	tx, err := db.BeginTx(ctx, nil) // IMMEDIATE, as open.go says
	if err != nil {
		return s.fault(err)
	}
	defer func() { _ = tx.Rollback() }() // does nothing after Commit
	if err := db.sound(ctx, tx, indexed); err != nil {
		return s.fault(err)
	}
	if err := do(tx); err != nil {
		return s.fault(err)
	}
	if err := tx.Commit(); err != nil {
		return s.fault(err)
	}
	return s.inPlace(db)
}

// indexed are the tables with rows that are found by an index. A sum covers a found row, but
// no sum covers a missing row. The chain of a place detects a missing decision, and the
// digest of a decision detects a missing text.
var indexed = []string{"place", "seen", "kept", "approval", "granted", "conversation", "bucket", "session", "request", "run", "object", "login", "lease", "record", "event"}

// sound makes SQLite compare the named tables with their indexes. It does so once for each
// table of an open database, so that an existing row is found. PostgreSQL's are not compared.
func (db *database) sound(ctx context.Context, q querier, words []string) error {
	if db.file == nil {
		return nil
	}
	db.checking.Lock()
	defer db.checking.Unlock()
	for _, table := range indexed {
		if db.checked[table] || !slices.Contains(words, table) {
			continue
		}
		if err := each(ctx, q, `PRAGMA integrity_check(`+table+`)`, nil, intact); err != nil {
			return err
		}
		if db.checked == nil {
			db.checked = map[string]bool{}
		}
		db.checked[table] = true
	}
	return nil
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

// intact reads a row of SQLite's check.
func intact(row scan) error {
	var found string
	if err := row(&found); err != nil || found == "ok" {
		return err
	}
	return altered("%s", found)
}

// read runs one query: one statement reads one state of the database.
func (s *Store) read(ctx context.Context, query string, args []any, row func(scan) error) error {
	if s.absent() {
		return nil
	}
	db, err := s.opened(ctx, false)
	if err != nil {
		return err
	}
	s.reads.Add(1)
	err = s.fault(db.read(ctx, query, args, row))
	return cmp.Or(s.steady(db), err)
}

// read takes the one connection first, as a write does. Otherwise a check could wait for
// the connection of a write that waits for the check.
func (db *database) read(ctx context.Context, query string, args []any, row func(scan) error) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // gives it back
	if err := db.sound(ctx, conn, strings.FieldsFunc(query, notLetter)); err != nil {
		return err
	}
	return each(ctx, conn, query, args, row)
}

func list[T any](ctx context.Context, s *Store, query string, args []any, one func(scan) (T, error)) ([]T, error) {
	var all []T
	err := s.read(ctx, query, args, func(row scan) error {
		v, err := one(row)
		all = append(all, v)
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

func exec(ctx context.Context, tx *sql.Tx, query string, args ...any) error {
	_, err := affected(ctx, tx, query, args...)
	return err
}

// affected is the number of rows that a statement changed.
func affected(ctx context.Context, tx *sql.Tx, query string, args ...any) (int64, error) {
	done, err := tx.ExecContext(ctx, query, inBytes(args)...)
	if err != nil {
		return 0, err
	}
	return done.RowsAffected()
}

// inBytes has the texts of a statement as bytes, as the columns have them.
func inBytes(args []any) []any {
	all := slices.Clone(args)
	for i, v := range all {
		if text := reflect.ValueOf(v); text.Kind() == reflect.String {
			all[i] = []byte(text.String())
		}
	}
	return all
}

type scan func(into ...any) error

type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

func each(ctx context.Context, q querier, query string, args []any, row func(scan) error) error {
	rows, err := q.QueryContext(ctx, query, inBytes(args)...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // Err reports errors of the rows
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// ErrMoved reports another decision in between: the earlier one is no longer the last.
var ErrMoved error = &verdict.Denial{
	Code: verdict.PinChanged, Reason: "another user or process decided on this server in the meantime", Hint: "`ask servers review` shows what there is to decide now",
}

// misuse is a caller's mistake; the state is intact.
func misuse(format string, args ...any) error {
	return verdict.Fail(verdict.Internal, nil, format, args...)
}

// altered is the error of a row that differs from the written one.
func altered(what string, args ...any) error {
	return fmt.Errorf("it was altered: "+what, args...)
}

// fault names the problem, and its remedy.
func (s *Store) fault(err error) error {
	if err == nil || errors.Is(err, ErrMoved) {
		return err
	}
	if d, f := verdict.First(err); d != nil || f != nil {
		return err
	}
	if errors.Is(err, errUnreleased) {
		return ofUnreleased(s.path)
	}
	if s.server != "" {
		return serverFault(err, s.path)
	}
	f := verdict.Fail(codeOf(err), err, "the state in %s: %v", s.path, err)
	if f.Code == verdict.StateUnreadable {
		f.Hint = "put a backup in its place; until then `--locked FILE` takes what `ask servers export` wrote. Without either keep " + s.path +
			" with its -wal and -shm files under another name, and review each server again"
	}
	return f
}

func codeOf(err error) verdict.Code {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return verdict.StateLocked
	}
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return verdict.StateUnreadable
	}
	switch e.Code() & 0xff { // the higher bits only refine it
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return verdict.StateLocked
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return verdict.StateUnwritable
	}
	return verdict.StateUnreadable
}
