package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/internal/testing/pgtest"
)

// server is the address of PostgreSQL where the tests run on it, or "".
var server = os.Getenv("STORE_SERVER")

// newPlace is where a store can be: a file, or a new schema.
func newPlace(t *testing.T) string {
	t.Helper()
	if server != "" {
		return pgtest.Schema(t, server)
	}
	return filepath.Join(t.TempDir(), "state", "state.db")
}

const aboutAFile = "it is about SQLite's file"

// ofAFile skips a test where the store is not a file.
func ofAFile(t *testing.T) {
	t.Helper()
	if server != "" {
		t.Skip(aboutAFile)
	}
}

// The tests of this package that are not about SQLite's file pass on PostgreSQL.
func TestOnPostgreSQL(t *testing.T) {
	ofAFile(t) // it is running
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), self, "-test.v")
	c.Env = append(os.Environ(), "STORE_SERVER="+pgtest.Start(t))
	out, err := c.CombinedOutput()
	passed, skipped, files := bytes.Count(out, []byte("\n--- PASS")), bytes.Count(out, []byte("\n--- SKIP")), bytes.Count(out, []byte(aboutAFile))
	t.Logf("%d passed, %d are about a file", passed, skipped)
	if err != nil || passed < 45 || skipped > files {
		t.Errorf("%d passed, %d were skipped, %d of them for a file: %v\n%s", passed, skipped, files, err, failures(out))
	}
}

// failures are the lines of a test's output without those of tests that passed.
func failures(out []byte) string {
	var kept strings.Builder
	for line := range strings.Lines(string(out)) {
		word, _, _ := strings.Cut(strings.TrimLeft(line, " -="), " ")
		switch strings.TrimSuffix(word, ":") {
		case "RUN", "PAUSE", "CONT", "NAME", "PASS", "SKIP":
		default:
			fmt.Fprint(&kept, line)
		}
	}
	return kept.String()
}

// extent changes with each write.
func extent(t *testing.T, s *store.Store, path string) any {
	t.Helper()
	if server != "" {
		return s.Stamp(t.Context())
	}
	return size(t, path)
}

// onAServer skips a test where the store is a file: TestOnPostgreSQL runs it.
func onAServer(t *testing.T) {
	t.Helper()
	if server == "" {
		t.Skip("it is about PostgreSQL")
	}
}

// A value of any column of any table changes, and each way to read finds that, or does not
// read it.
func TestARowThatWasAlteredOnAServerIsAnErrorAndNoRow(t *testing.T) {
	t.Parallel()
	onAServer(t)
	address := filled(t)
	want, err := everything(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range serverColumns(t, address) {
		there, back := c.name+" + 1000", c.name+" - 1000"
		if c.kind == "bytea" {
			there, back = c.name+" || 'x'", fmt.Sprintf("substring(%[1]s FOR length(%[1]s) - 1)", c.name)
		}
		pgtest.Exec(t, address, fmt.Sprintf("UPDATE %s SET %s = %s", c.table, c.name, there))
		got, err := everything(t.Context(), address)
		moved := c.table == "seen" && slices.Contains([]string{"entry", "credential"}, c.name)
		if moved && (err != nil || got == want) || !moved && err == nil {
			t.Errorf("%s.%s: it was read as %.200s, %v", c.table, c.name, got, err)
		}
		pgtest.Exec(t, address, fmt.Sprintf("UPDATE %s SET %s = %s", c.table, c.name, back))
	}
	if got, err := everything(t.Context(), address); err != nil || got != want {
		t.Errorf("%v: %s", err, got)
	}
}

type column struct{ table, name, kind string }

func serverColumns(t *testing.T, address string) (all []column) {
	t.Helper()
	db, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = current_schema()
		AND table_name IN ('content', 'place', 'decision', 'seen', 'kept', 'approval', 'granted', 'conversation', 'request')`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var c column
		if err := rows.Scan(&c.table, &c.name, &c.kind); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	if rows.Err() != nil || len(all) < 30 {
		t.Fatalf("%q, %v", all, rows.Err())
	}
	return all
}

// A schema is used if it is empty or this program's. The fault names no password.
func TestWhatIsNotThisProgramsOnAServerIsNotUsed(t *testing.T) {
	t.Parallel()
	onAServer(t)
	missing := server + "&search_path=missing"
	gone := "postgres://ada:secret@/postgres?host=" + t.TempDir()
	for name, c := range map[string]struct {
		address string
		edit    string
		want    verdict.Code
	}{
		"a later version":            {filled(t), `UPDATE onestep_state SET schema_version = 99`, verdict.StateNewer},
		"an earlier version":         {filled(t), `UPDATE onestep_state SET schema_version = 9`, verdict.StateUnreadable},
		"another program's database": {newPlace(t), `CREATE TABLE bookmarks (url TEXT)`, verdict.StateUnreadable},
		"no schema":                  {missing, "", verdict.StateUnwritable},
		"no server":                  {gone, "", verdict.StateUnwritable},
		"no address":                 {"postgres://ada:secret@host:port/", "", verdict.StateUnreadable},
	} {
		if c.edit != "" {
			pgtest.Exec(t, c.address, c.edit)
		}
		_, err := store.OpenAt(t.Context(), c.address, clock)
		if verdict.CodeOf(err) != c.want {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: a password is shown: %v", name, err)
		}
	}
}

// Another process has the lock: a write waits no longer than its run, and a read does not
// wait.
func TestALockedServerIsWaitedForNoLongerThanTheRun(t *testing.T) {
	t.Parallel()
	onAServer(t)
	s, address := fresh(t)
	decide(t, s, 0, decision(kb, "get", store.Approved))
	db, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(store.Begin); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := s.Decide(ctx, 9, []store.Decision{decision(kb, "get", store.Approved)}); verdict.CodeOf(err) != verdict.StateLocked {
		t.Error(err)
	}
	if all := decisions(t, s, kb); len(all) != 1 {
		t.Errorf("a reader waits for a writer: %+v", all)
	}
	if err := s.AddLines(t.Context(), "run1", 0, []byte("line\n")); err != nil {
		t.Errorf("the trace of a run waits for a writer: %v", err)
	}
	decide(t, opened(t, newPlace(t)), 0, decision(kb, "get", store.Approved)) // another schema has its own lock
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	decide(t, s, 9, decision(kb, "get", store.Approved))
}

// A commit is on disk when it returns, also where the server's default says otherwise.
func TestACommitOnAServerIsOnDisk(t *testing.T) {
	t.Parallel()
	onAServer(t)
	for _, c := range [][3]string{
		{"off", "on", store.Begin},
		{"on", "on", store.Begin},
		{"remote_apply", "remote_apply", store.Begin},
		{"off", "on", `SELECT 1` + store.Durably},
		{"remote_apply", "remote_apply", `SELECT 1` + store.Durably},
	} {
		setting, want, statement := c[0], c[1], c[2]
		db, err := sql.Open("pgx", newPlace(t)+"&synchronous_commit="+setting)
		if err != nil {
			t.Fatal(err)
		}
		tx, err := db.Begin()
		if err != nil {
			t.Fatal(err)
		}
		var is string
		_, err = tx.Exec(statement)
		err = errors.Join(err, tx.QueryRow(`SHOW synchronous_commit`).Scan(&is), tx.Rollback(), db.Close())
		if err != nil || is != want {
			t.Errorf("%s became %s: %v", setting, is, err)
		}
	}
}

// The state of a server is another one after a write, also of another process, and the same
// while nothing was written.
func TestAStampOfAServerIsAnotherOneWhenAnythingWasWritten(t *testing.T) {
	t.Parallel()
	onAServer(t)
	s, address := fresh(t)
	other := opened(t, address)
	for i, by := range []*store.Store{s, other, s} {
		before := s.Stamp(t.Context())
		if before == (store.Stamp{}) || before != s.Stamp(t.Context()) {
			t.Errorf("%d: nothing was written before it, and the state is another one", i)
		}
		if err := by.NoteHealth(t.Context(), kb, time.Now().String()); err != nil {
			t.Fatal(err)
		}
		if s.Stamp(t.Context()) == before {
			t.Errorf("%d: the state is the same", i)
		}
	}
}
