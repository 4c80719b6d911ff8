package store

import (
	"context"
	"database/sql"
	_ "embed" // the schema
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/disk"
)

//go:embed tables.sql
var tables string

// schemaVersion is the version of the schema. Versions up to 10 belonged to builds that were
// never released; no number is used again.
const schemaVersion = 11

// application is "ask1": it marks a file as a database of this program.
const application = 0x61736b31

// unreleased is the table with the schema's version in builds before the first release.
const unreleased = "onestep_schema"

// lockWait is how long processes that find no database take turns.
const lockWait = 30 * time.Second

func lockPath(path string) string { return path + ".lock" }

// update creates a missing schema, under a lock that only one process can have. It reads the
// version again under the lock, since another process may have been first.
func update(ctx context.Context, db *sql.DB, path string) error {
	if current, err := upToDate(ctx, db); err != nil || current {
		return err
	}
	waiting, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	f, err := disk.Lock(waiting, lockPath(path), true)
	switch {
	case errors.Is(err, disk.ErrLocked):
		return waiting.Err()
	case err != nil:
		return unwritable(err)
	}
	defer func() { _ = f.Close() }() // this releases the lock
	if current, err := upToDate(ctx, db); err != nil || current {
		return err
	}
	if err := create(ctx, db); err != nil {
		return err
	}
	if err := disk.SyncDir(filepath.Dir(path)); err != nil {
		return unwritable(err)
	}
	if current, err := upToDate(ctx, db); err != nil || !current {
		return errors.Join(errors.New("its schema could not be created"), err)
	}
	return nil
}

// upToDate reports whether the database is in write-ahead mode and has this program's schema.
// A database of another version or program is an error.
func upToDate(ctx context.Context, db *sql.DB) (bool, error) {
	var mode string
	if err := db.QueryRowContext(ctx, `PRAGMA journal_mode`).Scan(&mode); err != nil {
		return false, err
	}
	exists, err := hasSchema(ctx, db)
	return exists && mode == "wal", err
}

// hasSchema reports whether the database has this program's schema. It reports false for an
// empty database; any other database is an error.
func hasSchema(ctx context.Context, db *sql.DB) (bool, error) {
	var count, old, program, version int64
	row := db.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(name = $1), 0), (SELECT application_id FROM pragma_application_id),
		(SELECT user_version FROM pragma_user_version) FROM sqlite_master WHERE type = 'table'`, unreleased)
	if err := row.Scan(&count, &old, &program, &version); err != nil {
		return false, err
	}
	switch {
	case program == application && version == schemaVersion && count > 0:
		return true, nil
	case program == application && version > schemaVersion:
		return false, ofLater(version)
	case old > 0, program == application && version > 0 && version < schemaVersion:
		return false, errUnreleased
	case program == application:
		return false, altered("its schema has the version %d, and %d tables", version, count)
	case count > 0 || program != 0 || version != 0:
		return false, errors.New("it is another program's database")
	}
	return false, nil
}

func ofLater(version int64) error {
	return verdict.Fail(verdict.StateNewer, nil, "the state was written by a later version of onestep: its schema is %d, and this one knows %d", version, schemaVersion)
}

var errUnreleased = errors.New("it was made by an unreleased build")

// ofUnreleased refuses a state of a build before the first release. Its hint also moves the
// logs: SQLite would replay a log into the next database at the path.
func ofUnreleased(path string) error {
	f := verdict.Fail(verdict.StateUnreleased, nil, "the state in %s was made by an unreleased build of onestep, and is not read", path)
	folder := inQuotes(path + ".unreleased")
	move := "mkdir " + folder + " && mv"
	for _, end := range []string{"", "-wal", "-shm", "-journal"} {
		if _, err := os.Lstat(path + end); err == nil {
			move += " " + inQuotes(path+end)
		}
	}
	f.Hint = "move it away: " + move + " " + folder + "/ (then review each server again: `ask servers review`)"
	return f
}

// inQuotes is a path as one word of a shell.
func inQuotes(path string) string { return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'" }

// create makes the schema in one transaction: if the process is killed, all of it remains or
// none.
func create(ctx context.Context, db *sql.DB) error {
	if _, err := db.ExecContext(ctx, `PRAGMA journal_mode = WAL`); err != nil {
		return err
	}
	// An open connection can report the journal's mode from before another process's schema.
	if exists, err := hasSchema(ctx, db); err != nil || exists {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after Commit
	marks := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;\n", application, schemaVersion)
	if _, err := tx.ExecContext(ctx, marks+tables); err != nil {
		return fmt.Errorf("its schema cannot be created: %w", err)
	}
	return tx.Commit()
}
