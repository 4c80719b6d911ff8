package store

import (
	"context"
	"os"
)

// Stamp is a state of the database: while it is the same, a reading gives what
// it gave. It is compared with ==. The zero Stamp is not a known state,
// and what was read under it may have changed since.
type Stamp struct {
	db      *database // as it was opened
	conn    any       // SQLite's connection, of which version is
	version int64     // another one when another connection has written
	writes  int64     // of this process
	file    written
	log     written
}

// written is what a file system says of a file. It finds what did not come by SQLite,
// such as a backup that was copied over the file.
type written struct{ size, at int64 }

// Stamp is the state of the database now. What is read after it is at least as
// new. A file that is no longer the one that was opened has no state, and the next
// method opens what is there.
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
	defer func() { _ = conn.Close() }() // it goes back to the pool
	// A connection that took the place of another counts from the beginning. While
	// its address is kept here no later one can have it.
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
