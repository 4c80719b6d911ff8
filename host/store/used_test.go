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

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/store"
)

func use(t *testing.T, s *store.Store, run, digest string, want verdict.Code) {
	t.Helper()
	if err := s.Use(t.Context(), run, digest); verdict.CodeOf(err) != want {
		t.Errorf("run %q, digest %q: %v, want %q", run, digest, err, want)
	}
}

func TestAnApprovalIsUsedOnceForEver(t *testing.T) {
	t.Parallel()
	s, path := fresh(t)
	use(t, s, "run1", "sha256:1", "")
	use(t, s, "run1", "sha256:1", verdict.ApprovalSpent)
	use(t, s, "run1", "sha256:2", verdict.ApprovalSpent) // a run has one approval
	use(t, s, "run2", "sha256:1", verdict.ApprovalSpent) // and an approval one run
	use(t, s, "run2", "sha256:2", "")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	use(t, opened(t, path), "run1", "sha256:1", verdict.ApprovalSpent)
}

func TestAUseOfNothingIsNotNoted(t *testing.T) {
	t.Parallel()
	s, path := fresh(t)
	long := strings.Repeat("x", 5000)
	for _, c := range [][2]string{{"", "sha256:1"}, {"run1", ""}, {long, "sha256:1"}, {"run1", long}} {
		use(t, s, c[0], c[1], verdict.Internal)
	}
	use(t, opened(t, path), "run1", "sha256:1", "")
}

// The store of a version that had no table yet: what waits there is used once.
func TestAnApprovalFromBeforeTheTableIsUsedOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.db")
	old, err := store.OpenOld(t.Context(), path, clock)
	if err := errors.Join(err, old.Close()); err != nil {
		t.Fatal(err)
	}
	s := opened(t, path)
	use(t, s, "run1", "sha256:1", "")
	use(t, s, "run1", "sha256:1", verdict.ApprovalSpent)
}

func init() {
	children["use"] = func(s *store.Store, _ string) error {
		err := s.Use(bg, "run1", "sha256:1")
		if _, err := fmt.Println(verdict.CodeOf(err)); err != nil {
			return err
		}
		return nil
	}
}

// Every process begins with no database, too: one of them makes it.
func TestOfManyProcessesOneUsesAnApproval(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.db")
	reported := make([]string, processes)
	var all sync.WaitGroup
	for i := range processes {
		all.Go(func() {
			out, err := child(t, "use", path).Output()
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

// A store that cannot note the use grants none, and one that could not before
// grants it once.
func TestAUseThatCannotBeNotedIsNone(t *testing.T) {
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
	if err := s.Use(ctx, "run2", "sha256:2"); verdict.CodeOf(err) != verdict.StateLocked {
		t.Errorf("locked: %v", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	use(t, s, "run2", "sha256:2", "")

	folder := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(folder, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	use(t, store.At(filepath.Join(folder, "state.db"), clock), "run2", "sha256:2", verdict.StateUnwritable)
}

// Whoever removes the database under a running program must not have it write
// into a file that has no name: nothing of that outlives the program.
func TestAUseInAFileThatIsGoneIsNone(t *testing.T) {
	t.Parallel()
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
			use(t, s, "run1", "sha256:1", "")
			if err := move(path); err != nil {
				t.Fatal(err)
			}
			use(t, s, "run2", "sha256:2", verdict.StateUnwritable)
		})
	}
}

func TestAWriteAfterTheFileIsGoneGoesToTheNextOne(t *testing.T) {
	t.Parallel()
	s, path := fresh(t)
	use(t, s, "run1", "sha256:1", "")
	if err := errors.Join(os.Remove(path), os.Remove(path+"-wal"), os.Remove(path+"-shm")); err != nil {
		t.Fatal(err)
	}
	use(t, s, "run2", "sha256:2", verdict.StateUnwritable)
	use(t, s, "run2", "sha256:2", "")
	use(t, opened(t, path), "run2", "sha256:2", verdict.ApprovalSpent)
}

func TestCheckReadsEveryUse(t *testing.T) {
	t.Parallel()
	s, path := fresh(t)
	for _, n := range []string{"1", "2", "3"} {
		use(t, s, "run"+n, "sha256:"+n, "")
	}
	if err := errors.Join(s.Check(t.Context()), s.Close()); err != nil {
		t.Fatal(err)
	}
	whole := read(t, path)
	for _, statement := range []string{
		`UPDATE used SET run = 'run9' WHERE seq = 1`,
		`UPDATE used SET digest = 'sha256:9' WHERE seq = 2`,
		`UPDATE used SET at = at + 1 WHERE seq = 3`,
		`UPDATE used SET seq = 9 WHERE seq = 3`,
		`UPDATE used SET sum = 'x' WHERE seq = 3`,
		`DELETE FROM used WHERE seq = 1`,
		`DELETE FROM used WHERE seq = 2`,
	} {
		path := copied(t, whole)
		raw(t, path, statement)
		if err := opened(t, path).Check(t.Context()); verdict.CodeOf(err) != verdict.StateUnreadable {
			t.Errorf("%s: %v", statement, err)
		}
	}
}
