package store

import (
	"context"
	"os"
)

// Stamp is a state of the database: while it is equal, a read returns the same. It is
// compared with ==. The zero Stamp is not a known state, and data that was read under it may
// have changed since.
type Stamp struct {
	db      *database // as it was opened
	conn    any       // SQLite's connection, to which version belongs
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
	if err != nil || db.reading || s.inPlace(db) != nil {
		return Stamp{}
	}
	now := Stamp{db: db, writes: s.writes.Load(), file: writtenTo(s.path), log: writtenTo(s.path + "-wal")}
	conn, err := db.Conn(ctx)
	if err != nil {
		return Stamp{}
	}
	defer func() { _ = conn.Close() }() // back to the pool
	// A connection that replaced another counts from the beginning. While its address is kept
	// here, no later connection can have the same address.
	err = conn.Raw(func(c any) error { now.conn = c; return nil })
	if err == nil {
		err = conn.QueryRowContext(ctx, `PRAGMA data_version`).Scan(&now.version)
	}
	if err != nil {
		return Stamp{}
	}
	return now
}

func writtenTo(path string) written {
	is, err := os.Lstat(path)
	if err != nil {
		return written{}
	}
	return written{is.Size(), is.ModTime().UnixNano()}
}
