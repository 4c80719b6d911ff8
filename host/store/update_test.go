package store_test

import (
	"context"
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/disk"
	"github.com/onestep-run/onestep/host/store"
)

func TestADatabaseFromTheFutureIsNotUsed(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	path := filled(t)
	raw(t, path, `PRAGMA user_version = 99`)
	s := store.At(path, clock)
	all, err := s.All(t.Context())
	if verdict.CodeOf(err) != verdict.StateNewer || all != nil {
		t.Errorf("%+v, %v", all, err)
	}
	if err := s.Decide(t.Context(), 99, []store.Decision{decision(kb, "get", store.Approved)}); verdict.CodeOf(err) != verdict.StateNewer {
		t.Error(err)
	}
}

func TestADatabaseOfTheVersionBeforeWasNeverReleased(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	path := filled(t)
	raw(t, path, `PRAGMA user_version = 10`)
	if all, err := store.At(path, clock).All(t.Context()); verdict.CodeOf(err) != verdict.StateUnreleased || all != nil {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestALockedDatabaseIsWaitedForNoLongerThanTheRun(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	path := filled(t)
	db, err := sql.Open("sqlite", store.Source(path, "rw", false))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tx, err := db.Begin() // IMMEDIATE
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	s := opened(t, path)
	if err := s.Decide(ctx, 9, []store.Decision{decision(kb, "get", store.Approved)}); verdict.CodeOf(err) != verdict.StateLocked {
		t.Error(err)
	}
	if all := decisions(t, s, kb); len(all) != 3 {
		t.Errorf("a reader waits for a writer: %+v", all)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	decide(t, s, 9, decision(kb, "get", store.Approved))
}

func TestAnUpdateByAnotherIsWaitedForNoLongerThanTheRun(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	path := filepath.Join(t.TempDir(), "state.db")
	f, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := disk.TryLock(f, true); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := store.OpenAt(ctx, path, clock); verdict.CodeOf(err) != verdict.StateLocked {
		t.Error(err)
	}
}

// old is a state as the last build before the first release made it, with a decision in
// the database and one in its log.
func old(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "it's old.db")
	db, err := sql.Open("sqlite", store.Source(path, "rwc", false))
	must(t, err)
	db.SetMaxOpenConns(1)
	for _, s := range []string{
		`PRAGMA journal_mode = WAL`,
		`CREATE TABLE onestep_schema (id INTEGER PRIMARY KEY, version_id INTEGER NOT NULL, is_applied INTEGER NOT NULL)`,
		`INSERT INTO onestep_schema (version_id, is_applied) VALUES (0, 1), (8, 1)`,
		`CREATE TABLE decision (seq BIGINT PRIMARY KEY, tool TEXT)`,
		`INSERT INTO decision VALUES (1, 'get')`,
		`PRAGMA wal_checkpoint(TRUNCATE)`,
		`INSERT INTO decision VALUES (2, 'put')`,
	} {
		_, err := db.Exec(s)
		must(t, err)
	}
	copied := filepath.Join(t.TempDir(), "it's old.db")
	for _, end := range []string{"", "-wal"} { // as a process that was killed leaves them
		must(t, os.WriteFile(copied+end, read(t, path+end), 0o600))
	}
	must(t, db.Close())
	return copied
}

// A state of a build that was never released is named as one, stays as it is, and is out
// of the way once the command of the message was run.
func TestAStateOfAnUnreleasedBuildIsRefusedAndMovedAway(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	for name, log := range map[string]bool{"with its log": true, "without one": false} {
		path := old(t)
		if !log {
			raw(t, path, `SELECT count(*) FROM decision`) // to close it merges the log
		}
		before := files(t, path)
		s := store.At(path, clock)
		_, read := s.All(t.Context())
		for _, err := range []error{read, s.Decide(t.Context(), 9, []store.Decision{decision(kb, "get", store.Approved)}), s.Close(), s.Check(t.Context())} {
			if err != nil && (verdict.CodeOf(err) != verdict.StateUnreleased || !strings.Contains(err.Error(), path)) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if diff := cmp.Diff(before, files(t, path)); diff != "" {
			t.Errorf("%s: it was changed: %s", name, diff)
		}
		_, fault := verdict.First(read)
		if fault == nil {
			t.Fatalf("%s: it was read", name)
		}
		command, _, _ := strings.Cut(strings.TrimPrefix(fault.Hint, "move it away: "), " (")
		if out, err := exec.Command("sh", "-c", command).CombinedOutput(); err != nil {
			t.Fatalf("%s: %s: %s, %v", name, command, out, err)
		}
		decide(t, opened(t, path), 0, decision(kb, "get", store.Approved))
		moved := files(t, filepath.Join(path+".unreleased", filepath.Base(path)))
		if diff := cmp.Diff(before, moved); diff != "" {
			t.Errorf("%s: what was moved differs: %s", name, diff)
		}
	}
}

// files are the contents of a database and of its log.
func files(t *testing.T, path string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, end := range []string{"", "-wal", "-journal"} {
		b, err := os.ReadFile(path + end)
		if err == nil && len(b) > 0 {
			all[end] = string(b)
		}
	}
	return all
}

// A kill in the middle of the creation leaves no schema, and the next process makes it.
func TestAnEmptyDatabaseGetsItsSchema(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	path := filepath.Join(t.TempDir(), "state.db")
	raw(t, path, `PRAGMA journal_mode = WAL`)
	must(t, os.Chmod(path, 0o600))
	decide(t, opened(t, path), 0, decision(kb, "get", store.Approved))
}
