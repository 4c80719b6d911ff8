package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/approval"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/store"
)

// waits is the pending approval of a run.
func waits(run string) approval.Approval {
	return approval.Approval{
		RunID: run, Digest: "sha256:" + run, Trace: "sha256:trace", Key: "sha256:key", State: approval.Pending,
		Created: when, Expires: when.Add(15 * time.Minute), Held: when.Add(time.Minute),
	}
}

func moved(t *testing.T, s *store.Store, run string, to approval.State, want verdict.Code) {
	t.Helper()
	if _, err := s.Move(t.Context(), run, "sha256:"+run, approval.Step{To: to, By: "ada", How: "terminal", Now: when}); verdict.CodeOf(err) != want {
		t.Errorf("run %s to %s: %v, want %q", run, to, err, want)
	}
}

func askFor(t *testing.T, s *store.Store, a approval.Approval) {
	t.Helper()
	if err := s.Ask(t.Context(), a); err != nil {
		t.Fatal(err)
	}
}

func TestAnApprovalIsReadAsItWasKept(t *testing.T) {
	t.Parallel()
	s, path := fresh(t)
	want := waits("run1")
	want.Client = true
	askFor(t, s, want)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := opened(t, path).Approval(t.Context(), "run1")
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func TestAnApprovalIsUsedOnceForEver(t *testing.T) {
	t.Parallel()
	s, path := fresh(t)
	askFor(t, s, waits("run1"))
	moved(t, s, "run1", approval.Spent, verdict.ApprovalNeeded)
	moved(t, s, "run1", approval.Approved, "")
	moved(t, s, "run1", approval.Approved, verdict.ApprovalSpent)
	moved(t, s, "run1", approval.Spent, "")
	moved(t, s, "run1", approval.Spent, verdict.ApprovalSpent)
	moved(t, s, "run1", approval.Approved, verdict.ApprovalSpent)
	moved(t, s, "run2", approval.Spent, verdict.ApprovalUnknown)
	if err := s.Ask(t.Context(), waits("run1")); verdict.CodeOf(err) != verdict.Internal {
		t.Errorf("asked for again: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	moved(t, opened(t, path), "run1", approval.Spent, verdict.ApprovalSpent)
}

func TestWhatCannotWaitIsNotKept(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	long := strings.Repeat("x", 5000)
	for name, change := range map[string]func(*approval.Approval){
		"no run":           func(a *approval.Approval) { a.RunID = "" },
		"no digest":        func(a *approval.Approval) { a.Digest = "" },
		"a long run":       func(a *approval.Approval) { a.RunID = long },
		"a long key":       func(a *approval.Approval) { a.Key = long },
		"approved already": func(a *approval.Approval) { a.State = approval.Approved },
		"no state":         func(a *approval.Approval) { a.State = "" },
	} {
		a := waits("run1")
		change(&a)
		if err := s.Ask(t.Context(), a); verdict.CodeOf(err) != verdict.Internal {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheSameCallIsTheNewestOne(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	if a, err := s.SameCall(t.Context(), "sha256:key"); err != nil || a.RunID != "" {
		t.Errorf("in no store: %+v, %v", a, err)
	}
	older, newer, other, none := waits("run1"), waits("run2"), waits("run3"), waits("run4")
	older.Created, other.Key, none.Key = when.Add(-time.Second), "sha256:other", ""
	for _, a := range []approval.Approval{newer, older, other, none} {
		askFor(t, s, a)
	}
	if a, err := s.SameCall(t.Context(), "sha256:key"); err != nil || a.RunID != "run2" {
		t.Errorf("%+v, %v", a, err)
	}
	if a, err := s.SameCall(t.Context(), ""); err != nil || a.RunID != "" {
		t.Errorf("without a key: %+v, %v", a, err)
	}
	all, err := s.Waiting(t.Context())
	if err != nil || len(all) != 4 || all[0].RunID != "run1" {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestAnApprovalIsForgottenLongAfterItsExpiry(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	old, kept, now := waits("old"), waits("kept"), waits("now")
	old.Expires, kept.Expires = when.Add(-31*24*time.Hour), when.Add(-29*24*time.Hour)
	for _, a := range []approval.Approval{old, kept, now} {
		askFor(t, s, a)
	}
	if _, err := s.Approval(t.Context(), "old"); verdict.CodeOf(err) != verdict.ApprovalUnknown {
		t.Error(err)
	}
	if _, err := s.Approval(t.Context(), "kept"); err != nil {
		t.Error(err)
	}
}

func init() {
	children["spend"] = func(s *store.Store, _ string) error {
		_, err := s.Move(bg, "run1", "sha256:run1", approval.Step{To: approval.Spent, Now: when})
		_, err = fmt.Println(verdict.CodeOf(err))
		return err
	}
}

func TestOfManyProcessesOneUsesAnApproval(t *testing.T) {
	t.Parallel()
	s, path := fresh(t)
	askFor(t, s, waits("run1"))
	moved(t, s, "run1", approval.Approved, "")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	reported := make([]string, processes)
	var all sync.WaitGroup
	for i := range processes {
		all.Go(func() {
			out, err := child(t, "spend", path).Output()
			if err != nil {
				t.Errorf("process %d: %v", i, err)
			}
			reported[i] = strings.TrimSpace(string(out))
		})
	}
	all.Wait()
	slices.Sort(reported)
	want := append([]string{""}, slices.Repeat([]string{string(verdict.ApprovalSpent)}, processes-1)...)
	if diff := cmp.Diff(want, reported); diff != "" {
		t.Error(diff)
	}
}

// A store that cannot record the use grants nothing. Once it can record again, it grants the
// use once.
func TestAUseThatCannotBeNotedIsNone(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	s, path := fresh(t)
	askFor(t, s, waits("run1"))
	moved(t, s, "run1", approval.Approved, "")
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
	if _, err := s.Move(ctx, "run1", "sha256:run1", approval.Step{To: approval.Spent, Now: when}); verdict.CodeOf(err) != verdict.StateLocked {
		t.Errorf("locked: %v", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	moved(t, s, "run1", approval.Spent, "")

	folder := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(folder, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := store.At(filepath.Join(folder, "state.db"), clock).Ask(t.Context(), waits("run2")); verdict.CodeOf(err) != verdict.StateUnwritable {
		t.Error(err)
	}
}

// A removal of the database under a running program must not have it write
// into a file that has no name: nothing of that outlives the program.
func TestAUseInAFileThatIsGoneIsNone(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	for name, move := range map[string]func(path string) error{
		"removed": func(path string) error {
			return errors.Join(os.Remove(path), os.Remove(path+"-wal"), os.Remove(path+"-shm"))
		},
		"moved": func(path string) error { return os.Rename(path, path+".aside") },
		"replaced": func(path string) error {
			return errors.Join(os.WriteFile(path+".new", nil, 0o600), os.Rename(path+".new", path))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, path := fresh(t)
			askFor(t, s, waits("run1"))
			moved(t, s, "run1", approval.Approved, "")
			if err := move(path); err != nil {
				t.Fatal(err)
			}
			moved(t, s, "run1", approval.Spent, verdict.StateUnwritable)
		})
	}
}

func TestAnApprovalThatWasAlteredIsAnError(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	s, path := fresh(t)
	askFor(t, s, waits("run1"))
	if err := errors.Join(s.Check(t.Context()), s.Close()); err != nil {
		t.Fatal(err)
	}
	whole := read(t, path)
	for _, change := range []string{
		"run = 'run9'", "digest = 'sha256:9'", "trace = 'x'", "call = 'x'", "client = 1", "client = 2", "state = 'approved'", "state = 'x'",
		"decided_by = 'eve'", "how = 'terminal'", "held = held + 1", "created = created + 1", "expires = expires + 1", "sum = 'x'",
	} {
		path := copied(t, whole)
		raw(t, path, "UPDATE approval SET "+change)
		if err := opened(t, path).Check(t.Context()); verdict.CodeOf(err) != verdict.StateUnreadable {
			t.Errorf("%s: %v", change, err)
		}
	}
}
