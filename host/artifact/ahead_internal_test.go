package artifact

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A digest that was begun ahead counts for the same file, within a second, and only if no
// change of it can go unseen.
func TestADigestAheadCountsForTheSameFileAlone(t *testing.T) {
	t.Parallel()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	const ahead = "sha256:ahead"
	for name, c := range map[string]struct {
		old    bool // the file had its last change long ago
		change func(t *testing.T, a *Ahead)
		counts bool
	}{
		"the same file": {true, func(*testing.T, *Ahead) {}, true},
		"a new file":    {false, func(*testing.T, *Ahead) {}, false},
		"another file": {true, func(t *testing.T, a *Ahead) {
			t.Helper()
			other := a.path + "2"
			if err := os.Symlink(filepath.Join(here, "npm.go"), other); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(other, a.path); err != nil {
				t.Fatal(err)
			}
		}, false},
		"a late start":       {true, func(_ *testing.T, a *Ahead) { a.began = a.began.Add(-2 * time.Second) }, false},
		"an unreadable file": {true, func(_ *testing.T, a *Ahead) { a.digest = func() (string, error) { return "", os.ErrPermission } }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "server")
			made := os.WriteFile(path, []byte("#!"), 0o700)
			if c.old {
				made = os.Remove(path)
				if made == nil {
					made = os.Symlink(filepath.Join(here, "program.go"), path)
				}
			}
			if made != nil {
				t.Fatal(made)
			}
			a := ReadAhead(Command{Path: path, Dir: "/"})
			a.digest = func() (string, error) { return ahead, nil }
			c.change(t, a)
			got, err := a.of(path)
			if (got == ahead) != c.counts || err != nil {
				t.Errorf("the digest is %s, %v", got, err)
			}
			if want, err := digestFile(path); got != ahead && got != want || err != nil {
				t.Errorf("the digest is %s, and not %s, %v", got, want, err)
			}
		})
	}
}

func TestOnlyTheFileOfACommandIsReadAhead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]Command{
		"none":        {},
		"a package":   {Package: Package{Registry: "npm"}, Path: "/bin/npx", Dir: "/"},
		"a launcher":  {Path: "/usr/bin/npx", Args: []string{"server"}, Dir: "/"},
		"no script":   {Path: "/usr/bin/node", Dir: "/"},
		"not in full": {Path: "server", Dir: "/"},
	} {
		if a := ReadAhead(c); a != nil {
			t.Errorf("%s: %s is read", name, a.path)
		}
	}
	script := filepath.Join(t.TempDir(), "server.js")
	if err := os.WriteFile(script, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	a := ReadAhead(Command{Path: "/usr/bin/node", Args: []string{script}, Dir: "/"})
	if a == nil || a.path != script {
		t.Errorf("%v is read", a)
	}
}
