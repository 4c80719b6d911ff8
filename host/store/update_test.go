package store_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/disk"
	"github.com/onestep-run/onestep/host/store"
)

func TestADatabaseFromTheFutureIsNotUsed(t *testing.T) {
	t.Parallel()
	path := filled(t)
	raw(t, path, `INSERT INTO onestep_schema (version_id, is_applied) VALUES (99, 1)`)
	s := store.At(path, clock)
	all, err := s.All(t.Context())
	if verdict.CodeOf(err) != verdict.StateNewer || all != nil {
		t.Errorf("%+v, %v", all, err)
	}
	if err := s.Decide(t.Context(), 99, []store.Decision{decision(kb, "get", store.Approved)}); verdict.CodeOf(err) != verdict.StateNewer {
		t.Error(err)
	}
}

func TestALockedDatabaseIsWaitedForNoLongerThanTheRun(t *testing.T) {
	t.Parallel()
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
	if _, err := store.Open(ctx, path, clock); verdict.CodeOf(err) != verdict.StateLocked {
		t.Error(err)
	}
}

func TestAnOldDatabaseIsBroughtUpToDate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.db")
	old, err := store.OpenOld(t.Context(), path, clock)
	if err != nil {
		t.Fatal(err)
	}
	if err := old.DecideOld(t.Context(), decision(kb, "get", store.Approved)); err != nil {
		t.Fatal(err)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	s := opened(t, path)
	keep(t, s, withheld("run1", when))
	decide(t, s, 1, decision(kb, "put", store.Approved))
	if all := decisions(t, s, kb); len(all) != 2 || all[0].Tool != "get" || all[1].Tool != "put" {
		t.Errorf("%+v", all)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := store.OpenOld(t.Context(), path, clock); verdict.CodeOf(err) != verdict.StateNewer {
		t.Errorf("the old version opens the new one's database: %v", err)
	}
}
