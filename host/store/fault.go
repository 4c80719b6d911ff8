package store

import (
	"context"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/onestep-run/onestep/gate/verdict"
)

// ErrMoved says that somebody decided in between: what was decided on is no
// longer the last word.
var ErrMoved error = &verdict.Denial{
	Code: verdict.PinChanged, Reason: "somebody else decided on this server in the meantime", Hint: "`ask servers review` shows what there is to decide now",
}

// misuse is a caller's mistake, and nothing is wrong with the state.
func misuse(format string, args ...any) error {
	return verdict.Fail(verdict.Internal, nil, format, args...)
}

// altered is a row that is not what was written.
func altered(what string, args ...any) error {
	return fmt.Errorf("it was altered: "+what, args...)
}

// fault names what went wrong, and what mends it.
func (s *Store) fault(err error) error {
	if err == nil || errors.Is(err, ErrMoved) {
		return err
	}
	if d, f := verdict.First(err); d != nil || f != nil {
		return err
	}
	f := verdict.Fail(codeOf(err), err, "the state in %s: %v", s.path, err)
	if f.Code == verdict.StateUnreadable {
		f.Hint = "put a backup in its place, or move " + s.path + " with its -wal and -shm files aside: then no server is approved, and each is reviewed anew"
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
	switch e.Code() & 0xff { // the rest says more of the same
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return verdict.StateLocked
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR:
		return verdict.StateUnwritable
	}
	return verdict.StateUnreadable
}
