package runs_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/runs"
	"github.com/onestep-run/onestep/host/store"
)

// keeping is a directory of pending approvals, and the approvals in it.
type keeping struct {
	host.Approvals
	dir runs.Dir
}

// kept is a directory with a pending approval of a run in it.
func kept(t *testing.T, runID string) (dir keeping, p host.Pending, now time.Time) {
	t.Helper()
	now = time.Now().Truncate(time.Second)
	traces := runs.Dir(t.TempDir())
	dir = keeping{traces.Approvals(state(t)), traces}
	p = host.Pending{RunID: runID, Digest: "sha256:1", Trace: "sha256:2", Created: now, Expires: now.Add(time.Minute)}
	if err := dir.Keep(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	return dir, p, now
}

func rename(t *testing.T, dir keeping, from, to string) {
	t.Helper()
	if err := os.Rename(filepath.Join(string(dir.dir), from), filepath.Join(string(dir.dir), to)); err != nil {
		t.Fatal(err)
	}
}

func claimed(t *testing.T, what string, dir keeping, p host.Pending, now time.Time, want verdict.Code) {
	t.Helper()
	if _, err := dir.Claim(t.Context(), p.RunID, p.Digest, now); verdict.CodeOf(err) != want {
		t.Errorf("%s: %v, want %q", what, err, want)
	}
}

// What was used up stays used up, whatever its file is called afterwards: the
// file itself says that it was, and the name that it got is not given twice.
func TestAnApprovalThatWasUsedStaysUsed(t *testing.T) {
	t.Parallel()
	dir, p, now := kept(t, "r1")
	claimed(t, "the first use", dir, p, now, "")
	claimed(t, "a second use", dir, p, now, verdict.ApprovalSpent)
	rename(t, dir, "spent_r1", "pending_r1")
	claimed(t, "renamed back", dir, p, now, verdict.ApprovalUnknown)
	if _, err := dir.Look(t.Context(), "r1"); verdict.CodeOf(err) != verdict.ApprovalUnknown {
		t.Errorf("what was renamed back is shown: %v", err)
	}
	rename(t, dir, "pending_r1", "spent_r1")
	if err := dir.Keep(t.Context(), p); err != nil { // as whoever writes one of one's own would
		t.Fatal(err)
	}
	claimed(t, "another one of the same run", dir, p, now, verdict.ApprovalSpent)
	dir.Approvals = dir.dir.Approvals(state(t))
	claimed(t, "that one, in a store that knows of no use", dir, p, now, verdict.ApprovalSpent)
}

// A file under another run's name is no approval of that run, and one that is
// there is not written over.
func TestAnApprovalIsOfTheRunThatItNames(t *testing.T) {
	t.Parallel()
	dir, p, now := kept(t, "r1")
	if err := dir.Keep(t.Context(), host.Pending{RunID: "r1", Digest: "sha256:3", Created: now, Expires: now.Add(time.Hour)}); err == nil {
		t.Error("a second approval of the run is kept")
	}
	if got, err := dir.Look(t.Context(), "r1"); err != nil || got.Digest != p.Digest || !got.Expires.Equal(p.Expires) {
		t.Errorf("%+v, %v", got, err)
	}
	rename(t, dir, "pending_r1", "pending_r2")
	other := p
	other.RunID = "r2"
	claimed(t, "under another name", dir, other, now, verdict.ApprovalUnknown)
	rename(t, dir, "pending_r2", "pending_r1")
	claimed(t, "under its own", dir, p, now, "")
}

// Whoever may read what waits learns what somebody asked; who may write it
// approves it.
func TestWhatWaitsIsItsOwnersAlone(t *testing.T) {
	t.Parallel()
	dir, _, _ := kept(t, "r1")
	info, err := os.Stat(filepath.Join(string(dir.dir), "pending_r1"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestOneOfManyClaimsIsGranted(t *testing.T) {
	t.Parallel()
	dir := runs.Dir(t.TempDir())
	path := filepath.Join(t.TempDir(), "state.db")
	approvals := make([]host.Approvals, 10) // each with a connection of its own, as each process has one
	for i := range approvals {
		state := store.At(path, time.Now)
		defer state.Close()
		approvals[i] = dir.Approvals(state)
	}
	now := time.Now()
	for i := range rounds() {
		p := host.Pending{RunID: "run-" + strconv.Itoa(i), Digest: "sha256:" + strconv.Itoa(i), Created: now, Expires: now.Add(time.Hour)}
		if err := dir.Keep(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		var granted atomic.Int32
		var all sync.WaitGroup
		for _, a := range approvals {
			all.Go(func() {
				if _, err := a.Claim(t.Context(), p.RunID, p.Digest, now); err == nil {
					granted.Add(1)
				}
			})
		}
		all.Wait()
		if granted.Load() != 1 {
			t.Fatalf("%d claims were granted", granted.Load())
		}
	}
}

// Whoever puts the file back all the time, while many processes claim it, has
// one call.
func TestOfManyClaimersOfAFileThatComesBackOneIsGranted(t *testing.T) {
	t.Parallel()
	dir, p, now := kept(t, "r1")
	path := filepath.Join(string(dir.dir), "pending_r1")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	state := filepath.Join(t.TempDir(), "state.db")
	var all sync.WaitGroup
	granted := make([]bool, 20)
	for i := range granted {
		s := store.At(state, time.Now)
		defer s.Close()
		approvals := dir.dir.Approvals(s)
		all.Go(func() {
			_, err := approvals.Claim(t.Context(), p.RunID, p.Digest, now)
			granted[i] = err == nil
		})
	}
	for range granted {
		_ = os.Remove(filepath.Join(string(dir.dir), "spent_r1")) // there may be none yet
		restored(t, path, content, 0)
	}
	all.Wait()
	_ = os.Remove(filepath.Join(string(dir.dir), "spent_r1"))
	restored(t, path, content, 0)
	last := store.At(state, time.Now)
	defer last.Close()
	_, err = dir.dir.Approvals(last).Claim(t.Context(), p.RunID, p.Digest, now) // where no other found the file
	n := 0
	for _, g := range slices.Concat(granted, []bool{err == nil}) {
		if g {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d claims were granted", n)
	}
}

// state is a separate store, which remembers the approvals that were used.
func state(t testing.TB) *store.Store {
	t.Helper()
	s := store.At(filepath.Join(t.TempDir(), "state.db"), time.Now)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func inode(t *testing.T, path string) uint64 {
	t.Helper()
	var s unix.Stat_t
	if err := unix.Stat(path, &s); err != nil {
		t.Fatal(err)
	}
	return s.Ino
}

// restored writes a file again whose inode was freed. ext4 gives that to one of
// the next files, and what is written is the same to the byte. Where the file
// system does not, the record names the inode that the file got.
func restored(t *testing.T, path string, content []byte, was uint64) {
	t.Helper()
	for i := range 200 {
		name := path + "." + strconv.Itoa(i)
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if is := inode(t, name); is == was || i == 199 {
			record := regexp.MustCompile(`"inode":\d+`).ReplaceAll(content, []byte(`"inode":`+strconv.FormatUint(is, 10)))
			if err := errors.Join(os.WriteFile(name, record, 0o600), os.Rename(name, path)); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
}

// rounds is how often a race is run.
func rounds() int {
	if os.Getenv("ASK_CI") == "full" {
		return 2000
	}
	return 50
}
