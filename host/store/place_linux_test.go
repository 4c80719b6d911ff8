package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/store"
)

func TestANetworkFileSystemIsRefused(t *testing.T) {
	t.Parallel()
	for number, network := range map[int64]bool{
		unix.NFS_SUPER_MAGIC: true, unix.SMB2_SUPER_MAGIC: true, unix.V9FS_MAGIC: true, unix.FUSE_SUPER_MAGIC: true, unix.CEPH_SUPER_MAGIC: true,
		unix.EXT4_SUPER_MAGIC: false, unix.XFS_SUPER_MAGIC: false, unix.BTRFS_SUPER_MAGIC: false, unix.TMPFS_MAGIC: false, unix.OVERLAYFS_SUPER_MAGIC: false,
		-11317950: true, // CIFS as a system with 32 bits gives it
	} {
		if store.Networked(number) != network {
			t.Errorf("%#x is local: %t", number, network)
		}
	}
}

// ordinary gives up what lets root write everything, for the test's own thread,
// which ends with it.
func ordinary(t *testing.T) {
	t.Helper()
	runtime.LockOSThread()
	var none [2]unix.CapUserData
	if err := unix.Capset(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &none[0]); err != nil {
		t.Fatal(err)
	}
}

func TestAStateThatCannotBeWrittenSaysSo(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	ordinary(t)
	path := filled(t)
	if err := os.Chmod(path, 0o400); err != nil {
		t.Fatal(err)
	}
	s := opened(t, path)
	if all := decisions(t, s, kb); len(all) != 3 {
		t.Errorf("%+v", all)
	}
	for _, err := range []error{
		s.Decide(t.Context(), 9, []store.Decision{decision(kb, "get", store.Approved)}), s.Keep(t.Context(), withheld("run2", when)), s.Ask(t.Context(), waits("run2")),
	} {
		if verdict.CodeOf(err) != verdict.StateUnwritable {
			t.Errorf("a file that is only read: %v", err)
		}
	}
	for _, end := range []string{"", "-wal", "-shm"} { // SQLite gave its logs the mode of the file
		must(t, os.Chmod(path+end, 0o600))
	}
	if err := s.Decide(t.Context(), last(t, s), []store.Decision{decision(kb, "get", store.Approved)}); err != nil {
		t.Errorf("once it can be written: %v", err)
	}
	dir := filepath.Join(t.TempDir(), "sealed")
	if err := os.Mkdir(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir + "/state.db", dir + "/deeper/state.db"} {
		if _, err := store.OpenAt(t.Context(), path, clock); verdict.CodeOf(err) != verdict.StateUnwritable {
			t.Errorf("a folder that is only read: %v", err)
		}
	}
}

// A folder that is only read, as on a read-only file system: SQLite cannot make the
// log there that it reads with.
func TestWhatWasApprovedIsReadWhereNothingCanBeWritten(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	ordinary(t)
	path := filled(t)
	sealed(t, path, 0o500)
	s := store.At(path, clock)
	if all := decisions(t, s, kb); len(all) != 3 {
		t.Errorf("%+v", all)
	}
	err := s.Decide(t.Context(), 9, []store.Decision{decision(kb, "get", store.Approved)})
	if verdict.CodeOf(err) != verdict.StateUnwritable {
		t.Errorf("a folder that is only read: %v", err)
	}
	if all := decisions(t, s, kb); len(all) != 3 {
		t.Errorf("after a write that failed: %+v", all)
	}
	sealed(t, path, 0o700)
	if err := s.Decide(t.Context(), last(t, s), []store.Decision{decision(kb, "put", store.Approved)}); err != nil {
		t.Errorf("once it can be written: %v", err)
	}
}

// last is the number of the last decision on kb.
func last(t *testing.T, s *store.Store) int64 {
	t.Helper()
	all := decisions(t, s, kb)
	return all[len(all)-1].Seq
}

func sealed(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(filepath.Dir(path), mode); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Dir(path), 0o700) })
}

// What is in the log alone may be the rejection of a tool: it is read, or nothing is.
func TestALogIsNotLeftOutWhereNothingCanBeWritten(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	ordinary(t)
	for name, without := range map[string]string{"all of it": "", "its index is missing": "-shm"} {
		path := filled(t)
		s := opened(t, path)
		must(t, s.Decide(t.Context(), last(t, s), []store.Decision{decision(kb, "put", store.Rejected)}))
		copied := filepath.Join(t.TempDir(), "state.db")
		for _, end := range []string{"", "-wal", "-shm"} {
			if end == without && end != "" {
				continue
			}
			b, err := os.ReadFile(path + end)
			must(t, err)
			must(t, os.WriteFile(copied+end, b, 0o600))
		}
		sealed(t, copied, 0o500)
		all, err := store.At(copied, clock).Decisions(t.Context(), kb)
		if err == nil && len(all) != 4 || err != nil && verdict.CodeOf(err) != verdict.StateUnwritable {
			t.Errorf("%s: %d decisions, %v", name, len(all), err)
		}
	}
}

// A container may read what a process outside of it writes.
func TestWhatIsWrittenWhileItIsReadIsNotBelieved(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	ordinary(t)
	path := filled(t)
	sealed(t, path, 0o500)
	s := store.At(path, clock)
	decisions(t, s, kb)
	sealed(t, path, 0o700)
	must(t, os.WriteFile(path+"-wal", []byte("x"), 0o600))
	if all, err := s.Decisions(t.Context(), kb); verdict.CodeOf(err) != verdict.StateLocked || all != nil {
		t.Errorf("%d decisions, %v", len(all), err)
	}
}

// A full disk has no room for a log.
func TestWhatWasApprovedIsReadOnAFullDisk(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	path := filled(t)
	out, err := child(t, "read when full", path).Output()
	if want := "3 decisions, " + string(verdict.StateUnwritable); err != nil || string(out) != want {
		t.Fatalf("%s, %v: want %s", out, err, want)
	}
}

// A disk that is full: the child may make no file longer than it is.
func TestAFullDiskUndoesTheWholeDecision(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	path := filled(t)
	out, err := child(t, "full", path).Output()
	if want := string(verdict.StateUnwritable); err != nil || !strings.Contains(string(out), want) {
		t.Fatalf("%s, %v: want %s", out, err, want)
	}
	if all := decisions(t, opened(t, path), kb); len(all) != 3 {
		t.Errorf("%+v", all)
	}
}

func init() {
	children["read when full"] = func(s *store.Store, _ string) error {
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{}); err != nil {
			return err
		}
		all, err := s.Decisions(bg, kb)
		if err != nil {
			return err
		}
		err = s.Decide(bg, 9, []store.Decision{decision(kb, "get", store.Approved)})
		fmt.Printf("%d decisions, %s", len(all), verdict.CodeOf(err))
		return nil
	}
	children["full"] = func(s *store.Store, path string) error {
		if _, err := s.All(bg); err != nil {
			return err
		}
		info, err := os.Stat(path + "-shm")
		if err != nil {
			return err
		}
		limit := unix.Rlimit{Cur: uint64(info.Size()), Max: uint64(info.Size())}
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
			return err
		}
		d := decision(kb, "get", store.Approved)
		d.Review = strings.Repeat("x", 1<<20)
		err = s.Decide(bg, 9, []store.Decision{decision(kb, "put", store.Approved), d})
		_, _ = os.Stdout.WriteString(err.Error())
		return nil
	}
}
