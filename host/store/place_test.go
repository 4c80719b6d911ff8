//go:build unix

package store_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/store"
)

func TestNobodyElseCanReadWhatIsKept(t *testing.T) {
	t.Parallel()
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
		"a second name":                {func(p string) error { return os.Link(p, p+"2") }, "second name"},
		"a link":                       {func(p string) error { return relink(p) }, "not a plain file"},
		"a link to nothing":            {func(p string) error { return join(os.Remove(p), os.Symlink(p+"2", p)) }, "not a plain file"},
		"a log that is a link":         {func(p string) error { return os.Symlink(p+"2", p+"-wal") }, "not a plain file"},
		"a lock that is a link":        {func(p string) error { return join(os.Remove(p+".lock"), os.Symlink(p+"2", p+".lock")) }, "not a plain file"},
		"a folder in its place":        {func(p string) error { return join(os.Remove(p), os.Mkdir(p, 0o700)) }, "not a plain file"},
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

func relink(path string) error { return join(os.Rename(path, path+"2"), os.Symlink(path+"2", path)) }

func join(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}
