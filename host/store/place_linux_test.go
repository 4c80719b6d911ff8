package store_test

import (
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
		s.Decide(t.Context(), 9, []store.Decision{decision(kb, "get", store.Approved)}), s.Keep(t.Context(), withheld("run2", when)), s.Use(t.Context(), "run2", "sha256:2"),
	} {
		if verdict.CodeOf(err) != verdict.StateUnwritable {
			t.Errorf("a file that is only read: %v", err)
		}
	}
	dir := filepath.Join(t.TempDir(), "sealed")
	if err := os.Mkdir(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir + "/state.db", dir + "/deeper/state.db"} {
		if _, err := store.Open(t.Context(), path, clock); verdict.CodeOf(err) != verdict.StateUnwritable {
			t.Errorf("a folder that is only read: %v", err)
		}
	}
}

// A disk that is full: the child may make no file longer than it is.
func TestAFullDiskUndoesTheWholeDecision(t *testing.T) {
	t.Parallel()
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
