package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
)

// A store on PostgreSQL has the schema that the address selects, as with
// search_path=NAME. The transactions that write have it one after the other, by a lock that
// ends with the transaction; so they find what they would find in SQLite. They set the row
// onestep_state.version, by which a [Stamp] finds that something was written.
//
// This package imports no driver. The program that wants PostgreSQL imports
// github.com/jackc/pgx/v5/stdlib, which registers itself.

const postgresDriver = "pgx"

// OpenAt is the store at an address: a URL of PostgreSQL (postgres://...), or the path of a
// file, as in [At]. It opens the store.
func OpenAt(ctx context.Context, address string, now func() time.Time) (*Store, error) {
	s := at(address, now)
	if _, err := s.opened(ctx, true); err != nil {
		return nil, err
	}
	return s, nil
}

func at(address string, now func() time.Time) *Store {
	if scheme, _, is := strings.Cut(address, "://"); !is || scheme != "postgres" && scheme != "postgresql" {
		return At(address, now)
	}
	return &Store{path: shown(address), server: address, now: now}
}

// shown is an address without its user and password. Its options may have them, too.
func shown(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "PostgreSQL"
	}
	return "PostgreSQL at " + u.Host + u.Path
}

const (
	// serverConns bounds the connections of one process. One of them writes.
	serverConns = 8
	// idleTime is how long a connection is kept that is not used.
	idleTime = time.Minute
)

// openServer connects, and creates a missing schema.
func (s *Store) openServer(ctx context.Context, _ bool) (*database, error) {
	if !slices.Contains(sql.Drivers(), postgresDriver) {
		return nil, s.fault(unwritable(errors.New("this program has no driver for PostgreSQL")))
	}
	pool, err := sql.Open(postgresDriver, s.server)
	if err != nil {
		return nil, s.fault(err)
	}
	pool.SetMaxOpenConns(serverConns)
	pool.SetMaxIdleConns(serverConns)
	pool.SetConnMaxIdleTime(idleTime)
	db := &database{DB: pool, turn: make(chan struct{}, 1)}
	current, err := onServer(ctx, db)
	if err == nil && !current {
		err = db.alone(ctx, func(tx *sql.Tx) error { return createOnServer(ctx, tx) })
	}
	if err != nil {
		return nil, errors.Join(s.fault(err), pool.Close())
	}
	return db, nil
}

// serverTables are PostgreSQL's alone. They have the version of the schema, which SQLite has
// as its user_version, and the version of the data, as its data_version.
const serverTables = `CREATE TABLE onestep_state (schema_version BIGINT NOT NULL, version TEXT NOT NULL);
INSERT INTO onestep_state VALUES (%d, '');
`

// createOnServer creates the schema, all of it or nothing. Another process may have been
// first.
func createOnServer(ctx context.Context, tx *sql.Tx) error {
	if exists, err := onServer(ctx, tx); err != nil || exists {
		return err
	}
	script := fmt.Sprintf(serverTables, schemaVersion) + strings.ReplaceAll(tables, " BLOB", " BYTEA") //nolint:gosec // both are constant
	if _, err := tx.ExecContext(ctx, script); err != nil {
		return fmt.Errorf("its schema cannot be created: %w", err)
	}
	return nil
}

// onServer is hasSchema for PostgreSQL.
func onServer(ctx context.Context, q querier) (bool, error) {
	var named, is bool
	var count int64
	err := each(ctx, q, `SELECT current_schema() IS NOT NULL, count(*), coalesce(bool_or(tablename = 'onestep_state'), false)
		FROM pg_catalog.pg_tables WHERE schemaname = current_schema()`, nil, func(row scan) error { return row(&named, &count, &is) })
	switch {
	case err != nil:
		return false, err
	case !named:
		return false, unwritable(errors.New("it has no schema with the name of its search_path"))
	case !is && count > 0:
		return false, errors.New("it is another program's database")
	case !is:
		return false, nil
	}
	var version int64
	if err := each(ctx, q, `SELECT schema_version FROM onestep_state`, nil, func(row scan) error { return row(&version) }); err != nil {
		return false, err
	}
	switch {
	case version > schemaVersion:
		return false, ofLater(version)
	case version != schemaVersion:
		return false, altered("its schema has the version %d", version)
	}
	return true, nil
}

// begin takes the lock of all writers before anything is read: each statement after it sees
// what the writer before has written. What is committed is on disk when the commit returns,
// also where the server's default says otherwise.
var begin = fmt.Sprintf(`SET LOCAL lock_timeout = %d;
	SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END;
	SELECT pg_advisory_xact_lock(%d, hashtext(current_schema()))`, patience.Milliseconds(), application)

// alone runs do in a transaction that no other writer of the schema overlaps.
func (db *database) alone(ctx context.Context, do func(*sql.Tx) error) error {
	select {
	case db.turn <- struct{}{}: // one connection waits for other processes, and the rest read
		defer func() { <-db.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	tx, err := db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after Commit
	if _, err := tx.ExecContext(ctx, begin); err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return err
	}
	if err := exec(ctx, tx, `UPDATE onestep_state SET version = gen_random_uuid()`); err != nil {
		return err
	}
	return tx.Commit()
}

// serverStamp is the state of PostgreSQL's data. Its version is random: an older copy of the
// data that took their place has its own.
func (s *Store) serverStamp(ctx context.Context, db *database) Stamp {
	var version string
	err := each(ctx, db, `SELECT version FROM onestep_state`, nil, func(row scan) error { return row(&version) })
	if err != nil || version == "" {
		return Stamp{}
	}
	return Stamp{db: db, conn: version}
}

// serverHints are the next steps of the operator of a PostgreSQL database.
var serverHints = map[verdict.Code]string{
	verdict.StateLocked:     "look for a transaction that does not end (pg_stat_activity) if this stays so",
	verdict.StateUnwritable: "see that the server runs, that it has space, and that its user may write the schema",
	verdict.StateUnreadable: "put a backup of the database in its place",
}

func serverFault(err error, path string) error {
	f := verdict.Fail(codeOfServer(err), err, "the state in %s: %v", path, err)
	f.Hint = serverHints[f.Code]
	return f
}

// codeOfServer is the code of an error of a server. Its driver's errors have an SQLSTATE.
func codeOfServer(err error) verdict.Code {
	var known interface{ SQLState() string }
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return verdict.StateLocked
	case errors.As(err, &known):
		return codeOfState(known.SQLState())
	case errors.As(err, new(net.Error)), errors.Is(err, driver.ErrBadConn), errors.Is(err, io.ErrUnexpectedEOF):
		return verdict.StateUnwritable
	}
	return verdict.StateUnreadable
}

// codeOfState is the code of an SQLSTATE: five characters, of which two are its class.
func codeOfState(state string) verdict.Code {
	switch state {
	case "40001", "40P01", "55P03", "57014": // serialization, deadlock, lock, time
		return verdict.StateLocked
	case "25006", "42501": // read-only, not permitted
		return verdict.StateUnwritable
	}
	switch state[:min(2, len(state))] {
	case "08", "28", "3D", "53", "57", "58": // connection, login, no database, resources, shutdown, system
		return verdict.StateUnwritable
	}
	return verdict.StateUnreadable
}
