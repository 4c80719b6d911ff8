//go:build unix

package store_test

import (
	"bytes"
	"database/sql"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/store"
)

func TestNobodyElseCanReadWhatIsKept(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	s, path := fresh(t)
	decide(t, s, 0, decision(kb, "get", store.Approved))
	modes := map[string]fs.FileMode{"": 0o600, "-wal": 0o600, "-shm": 0o600, ".lock": 0o600}
	for end, want := range modes {
		if info, err := os.Lstat(path + end); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v", end, info, err)
		}
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
}

// A folder or a file in the way of the state, and what is made of it.
func TestAStateThatOthersCouldWriteIsNotUsed(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	for name, c := range map[string]struct {
		arrange func(path string) error
		want    string // "" where it may be used
	}{
		"a folder that a group reads":  {func(p string) error { return os.Chmod(filepath.Dir(p), 0o750) }, ""},
		"a folder that all read":       {func(p string) error { return os.Chmod(filepath.Dir(p), 0o755) }, ""},
		"a folder that a group writes": {func(p string) error { return os.Chmod(filepath.Dir(p), 0o770) }, "others can write the folder"},
		"a folder that all write":      {func(p string) error { return os.Chmod(filepath.Dir(p), 0o777|fs.ModeSticky) }, "others can write the folder"},
		"a file that a group reads":    {func(p string) error { return os.Chmod(p, 0o640) }, "others can read or write"},
		"a log that others can read":   {func(p string) error { return join(os.WriteFile(p+"-wal", nil, 0o600), os.Chmod(p+"-wal", 0o644)) }, "others can read or write"},
		"a journal that others read": {func(p string) error {
			return join(os.WriteFile(p+"-journal", nil, 0o600), os.Chmod(p+"-journal", 0o644))
		}, "others can read or write"},
		"a journal that is a link": {func(p string) error { return os.Symlink(p+"2", p+"-journal") }, "not a plain file"},
		"a journal with a second name": {func(p string) error {
			return join(os.WriteFile(p+"-journal", nil, 0o600), os.Link(p+"-journal", p+"2"))
		}, "second name"},
		"a map that others can read": {func(p string) error { return join(os.WriteFile(p+"-shm", nil, 0o600), os.Chmod(p+"-shm", 0o644)) }, "others can read or write"},
		"a second name":              {func(p string) error { return os.Link(p, p+"2") }, "second name"},
		"a link":                     {func(p string) error { return relink(p) }, "not a plain file"},
		"a link to nothing":          {func(p string) error { return join(os.Remove(p), os.Symlink(p+"2", p)) }, "not a plain file"},
		"a log that is a link":       {func(p string) error { return os.Symlink(p+"2", p+"-wal") }, "not a plain file"},
		"a lock that is a link":      {func(p string) error { return join(os.Remove(p+".lock"), os.Symlink(p+"2", p+".lock")) }, "not a plain file"},
		"a folder in its place":      {func(p string) error { return join(os.Remove(p), os.Mkdir(p, 0o700)) }, "not a plain file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filled(t)
			whole := read(t, path)
			if err := c.arrange(path); err != nil {
				t.Fatal(err)
			}
			_, err := everything(t.Context(), path)
			if (err == nil) != (c.want == "") || err != nil && (verdict.CodeOf(err) != verdict.StateUnreadable || !strings.Contains(err.Error(), c.want)) {
				t.Error(err)
			}
			if _, err := os.Lstat(path + "2-wal"); err == nil {
				t.Error("it was opened by another name")
			}
			if b, err := os.ReadFile(path); err == nil && !bytes.Equal(b, whole) {
				t.Error("it was changed")
			}
		})
	}
}

// An older log that lies where a database is to be made is as good as one next
// to it: SQLite replays it into the new file.
func TestALogThatWaitsForADatabaseIsChecked(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	for _, end := range []string{"-journal", "-wal", "-shm", ".lock"} {
		path := filepath.Join(t.TempDir(), "state.db")
		if err := join(os.WriteFile(path+end, nil, 0o600), os.Chmod(path+end, 0o644)); err != nil {
			t.Fatal(err)
		}
		if _, err := store.OpenAt(t.Context(), path, clock); verdict.CodeOf(err) != verdict.StateUnreadable {
			t.Errorf("%s: %v", end, err)
		}
		if _, err := os.Lstat(path); err == nil {
			t.Errorf("%s: the database was made", end)
		}
	}
}

// hot is a rollback journal of SQLite that puts another content back: what a
// process leaves that dies while it writes.
func hot(t *testing.T, path string) {
	t.Helper()
	raw(t, path, `PRAGMA journal_mode = DELETE`)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, s := range []string{`PRAGMA cache_size = 1`, `PRAGMA cache_spill = 1`, `BEGIN IMMEDIATE`, `UPDATE decision SET state = 'approved'`} {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	journal := read(t, path+"-journal")
	if _, err := db.Exec(`ROLLBACK`); err != nil {
		t.Fatal(err)
	}
	if len(journal) < 512 {
		t.Fatalf("a journal of %d bytes", len(journal))
	}
	if err := os.WriteFile(path+"-journal", journal, 0o600); err != nil {
		t.Fatal(err)
	}
}

// An owner is compared for each of the files, whatever their modes say. Only
// root can give a file away; the other test of owners needs no right.
func TestAFileOfAnotherUserIsNotUsed(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	if os.Getuid() != 0 {
		t.Skip("only root can give a file to another user")
	}
	for name, give := range map[string]func(t *testing.T, path string) string{
		"the database": func(_ *testing.T, p string) string { return p },
		"the folder":   func(_ *testing.T, p string) string { return filepath.Dir(p) },
		"the lock":     func(_ *testing.T, p string) string { return p + ".lock" },
		"the log":      func(t *testing.T, p string) string { write(t, p+"-wal"); return p + "-wal" },
		"the map":      func(t *testing.T, p string) string { write(t, p+"-shm"); return p + "-shm" },
		"a journal":    func(t *testing.T, p string) string { write(t, p+"-journal"); return p + "-journal" },
		"a hot journal": func(t *testing.T, p string) string {
			hot(t, p)
			return p + "-journal"
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filled(t)
			whole := read(t, path)
			file := give(t, path)
			if name == "a hot journal" {
				whole = read(t, path)
			}
			if err := os.Chown(file, 65534, 65534); err != nil {
				t.Fatal(err)
			}
			if _, err := everything(t.Context(), path); verdict.CodeOf(err) != verdict.StateUnreadable || !strings.Contains(err.Error(), "another user") {
				t.Error(err)
			}
			if !bytes.Equal(read(t, path), whole) {
				t.Error("it was changed")
			}
		})
	}
}

func write(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

// owned is a file as its owner has it, with another owner.
type owned struct {
	fs.FileInfo
	by uint32
}

func (o owned) Sys() any {
	s := *o.FileInfo.Sys().(*syscall.Stat_t)
	s.Uid = o.by
	return &s
}

// unowned is a file whose owner the system does not name.
type unowned struct{ fs.FileInfo }

func (unowned) Sys() any { return nil }

func TestOwnersAreCompared(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	path := filled(t)
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	me := uint32(os.Getuid())
	for name, c := range map[string]struct {
		info fs.FileInfo
		want verdict.Code
	}{
		"mine":           {owned{info, me}, ""},
		"another user's": {owned{info, me + 1}, verdict.StateUnreadable},
		"unknown":        {unowned{info}, verdict.StateUnreadable},
	} {
		if err := store.OwnFile(path, c.info); verdict.CodeOf(err) != c.want {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if me != 0 {
		if _, err := store.OpenAt(t.Context(), "/state.db", clock); err == nil || !strings.Contains(err.Error(), "another user") {
			t.Errorf("a folder of root: %v", err)
		}
	}
}

func relink(path string) error { return join(os.Rename(path, path+"2"), os.Symlink(path+"2", path)) }

func join(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}
