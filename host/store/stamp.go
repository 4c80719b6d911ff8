package store

import (
	"context"
	"errors"
	"os"
)

// Stamp is a state of the database: while it is equal, a read returns the same. It is
// compared with ==. The zero Stamp is not a known state, and data that was read under it may
// have changed since.
type Stamp struct {
	db      *database // as it was opened
	conn    any       // SQLite's connection, to which version belongs; PostgreSQL's version alone
	version int64     // changes when another connection has written
	writes  int64     // of this process
	file    written
	log     written
}

// written is the size and time of a file. It detects changes that bypass SQLite, such as a
// backup that was copied over the file.
type written struct{ size, at int64 }

// Stamp is the current state of the database. Data that is read after it is at least as new.
// If the opened file was removed or replaced, it has no state, and the next method opens the
// file at the path.
func (s *Store) Stamp(ctx context.Context) Stamp {
	if s.absent() {
		return Stamp{}
	}
	db, err := s.opened(ctx, false)
	if err != nil || db.reading {
		return Stamp{}
	}
	if s.server != "" {
		return s.serverStamp(ctx, db)
	}
	is, err := os.Lstat(s.path)
	if err != nil || !os.SameFile(db.file, is) {
		s.drop(db)
		return Stamp{}
	}
	now := Stamp{db: db, writes: s.writes.Load(), file: writtenAs(is), log: writtenTo(s.path + "-wal")}
	if now.conn, now.version, err = db.state(ctx); err != nil {
		return Stamp{}
	}
	return now
}

// state is SQLite's connection, and how often it found data that another connection wrote.
// A connection that replaced another counts from the beginning. While its address is kept in
// a stamp, no later connection can have the same address.
func (db *database) state(ctx context.Context) (conn any, version int64, err error) {
	ctx = context.WithoutCancel(ctx) // SQLite's driver has a goroutine for each end that may come; patience bounds this
	before, err := db.connection(ctx)
	if err == nil {
		err = db.version.QueryRowContext(ctx).Scan(&version)
	}
	if err == nil {
		conn, err = db.connection(ctx)
	}
	if err == nil && conn != before {
		err = errors.New("the connection was replaced")
	}
	return conn, version, err
}

func (db *database) connection(ctx context.Context) (is any, err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }() // back to the pool
	err = conn.Raw(func(c any) error { is = c; return nil })
	return is, err
}

func writtenTo(path string) written {
	is, err := os.Lstat(path)
	if err != nil {
		return written{}
	}
	return writtenAs(is)
}

func writtenAs(is os.FileInfo) written { return written{is.Size(), is.ModTime().UnixNano()} }
