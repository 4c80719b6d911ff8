package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/pressly/goose/v3"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/disk"
)

//go:embed migrations/*.sql
var migrations embed.FS

const folder = "migrations"

// versions is the table in which goose keeps the version of the schema. A
// database that has tables and not this one is another program's.
const versions = "onestep_schema"

// lockWait is how long processes that find no database, or an old one, take turns.
const lockWait = 30 * time.Second

func lockPath(path string) string { return path + ".lock" }

// update brings the schema up to date, under a lock that one process holds: the
// version is read again inside it, for another may have been first.
func update(ctx context.Context, db *sql.DB, path string, migrations fs.FS) error {
	newest, err := versionKnown(migrations)
	if err != nil {
		return err
	}
	if current, err := upToDate(ctx, db, newest); err != nil || current {
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
	defer func() { _ = f.Close() }() // the lock goes with it
	if current, err := upToDate(ctx, db, newest); err != nil || current {
		return err
	}
	if err := migrate(ctx, db, migrations); err != nil {
		return err
	}
	if err := disk.SyncDir(filepath.Dir(path)); err != nil {
		return unwritable(err)
	}
	if current, err := upToDate(ctx, db, newest); err != nil || !current {
		return errors.Join(errors.New("its schema could not be migrated"), err)
	}
	return nil
}

// versionKnown is the version of the schema that this program writes.
func versionKnown(migrations fs.FS) (int64, error) {
	files, err := fs.Glob(migrations, folder+"/*.sql") // numbered from one, without a gap
	return int64(len(files)), err
}

// upToDate reports whether the database is in write-ahead mode and its schema
// this program's. One from the future is an error.
func upToDate(ctx context.Context, db *sql.DB, newest int64) (bool, error) {
	var mode string
	if err := db.QueryRowContext(ctx, `PRAGMA journal_mode`).Scan(&mode); err != nil {
		return false, err
	}
	version, err := versionOf(ctx, db)
	if err != nil {
		return false, err
	}
	return version == newest && mode == "wal", newer(version, newest)
}

func newer(version, newest int64) error {
	if version <= newest {
		return nil
	}
	return verdict.Fail(verdict.StateNewer, nil, "the state was written by a later version of onestep: its schema is %d, and this one knows %d", version, newest)
}

// versionOf is the version of the schema, 0 where there is none yet.
func versionOf(ctx context.Context, db *sql.DB) (version int64, err error) {
	var tables, own int64
	row := db.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(name = $1), 0) FROM sqlite_master WHERE type = 'table'`, versions)
	if err := row.Scan(&tables, &own); err != nil || tables == 0 {
		return 0, err
	}
	if own == 0 {
		return 0, errors.New("it is another program's database")
	}
	err = db.QueryRowContext(ctx, `SELECT coalesce(max(version_id), 0) FROM `+versions).Scan(&version)
	return version, err
}

// migrate runs each missing migration in a transaction of its own, with its
// version: what ends the process leaves it done or not.
func migrate(ctx context.Context, db *sql.DB, migrations fs.FS) error {
	if _, err := db.ExecContext(ctx, `PRAGMA journal_mode = WAL`); err != nil {
		return err
	}
	sub, err := fs.Sub(migrations, folder)
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db, sub,
		goose.WithTableName(versions),
		goose.WithDisableGlobalRegistry(true),
		goose.WithLogger(goose.NopLogger()))
	if err != nil {
		return err
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("its schema cannot be migrated: %w", err)
	}
	return nil
}
