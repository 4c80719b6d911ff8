package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"time"

	"github.com/onestep-run/onestep/gate/grant"
)

// Of is OpenAt, opened later.
var Of = at

// AtReading is At of a database that is opened to read alone: a byte of it can change
// without a log. Damage that opening finds is reported by the first read.
func AtReading(path string, now func() time.Time) *Store {
	s := At(path, now)
	if db, err := openToRead(context.Background(), s.path); err == nil {
		s.db = db
	}
	return s
}

// Begin is what begins a transaction that writes to PostgreSQL.
var Begin = begin

// Durably is what a single statement has.
const Durably = durably

// Unchecked forgets which tables were compared with their indexes.
func (s *Store) Unchecked() {
	if s.db != nil {
		s.db.checked = nil
	}
}

// Open SQLite at a path as a store does.
var Source = source

// Settings are what SQLite says of the connection that the store uses.
func (s *Store) Settings(ctx context.Context, names ...string) (map[string]string, error) {
	db, err := s.opened(ctx, true)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, name := range names {
		var is string
		if err := db.QueryRowContext(ctx, `PRAGMA `+name).Scan(&is); err != nil {
			return nil, err
		}
		all[name] = is
	}
	return all, nil
}

// Run runs a statement in the connection that the store uses.
func (s *Store) Run(ctx context.Context, statement string) error {
	db, err := s.opened(ctx, true)
	if err == nil {
		_, err = db.ExecContext(ctx, statement)
	}
	return err
}

// Reconnect has SQLite's connection closed and another one made.
func (s *Store) Reconnect(ctx context.Context) error {
	db, err := s.opened(ctx, true)
	if err != nil {
		return err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	if err := conn.Raw(func(any) error { return driver.ErrBadConn }); !errors.Is(err, driver.ErrBadConn) {
		return err
	}
	_ = conn.Close() // it is closed already
	return nil
}

// GrantAll keeps grants in one transaction.
func (s *Store) GrantAll(ctx context.Context, all []grant.Grant) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		for _, g := range all {
			if err := give(ctx, tx, g); err != nil {
				return err
			}
		}
		return nil
	})
}

// Reads is how many queries the store has made.
func (s *Store) Reads() int64 { return s.reads.Load() }

// Column is what a table has in a column.
func (s *Store) Column(ctx context.Context, table, column string) []string {
	all, err := list(ctx, s, `SELECT `+column+` FROM `+table, nil, func(row scan) (v string, err error) { err = row(&v); return v, err })
	if err != nil {
		return []string{err.Error()}
	}
	return all
}

// SwapRequests puts the sealed call of one run in the place of another's, with the right sum.
func (s *Store) SwapRequests(ctx context.Context, from, to string) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		var r request
		err := each(ctx, tx, `SELECT `+requestColumns+` FROM request WHERE run = $1`, []any{from}, func(row scan) (err error) {
			r, err = readRequest(row)
			return err
		})
		r.run, r.digest = to, "sha256:"+to
		return errors.Join(err, putRequest(ctx, tx, r))
	})
}
