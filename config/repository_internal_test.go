package config

import (
	"os"
	"path/filepath"
	"testing"
)

// The root of a repository is the nearest folder with its directory; a file in that
// place, as submodules and worktrees have it, leads further up.
func TestTheRepositoryAroundAFolder(t *testing.T) {
	t.Parallel()
	outer := t.TempDir()
	created := func(file bool, names ...string) string {
		path := filepath.Join(append([]string{outer}, names...)...)
		dir := path
		if file {
			dir = filepath.Dir(path)
		}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if file {
			if err := os.WriteFile(path, []byte("gitdir: elsewhere\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return path
	}
	created(false, "a", ".git")
	deep := created(false, "a", "b", "c")
	created(false, "a", "nested", ".hg")
	nested := created(false, "a", "nested", "x")
	created(true, "a", "module", ".git")
	module := created(false, "a", "module", "x")
	created(true, "tree", ".git")
	tree := created(false, "tree", "x")
	for of, want := range map[string]string{
		filepath.Join(outer, "a"): "a", deep: "a", nested: filepath.Join("a", "nested"), module: "a", tree: "tree",
	} {
		if got := repository(of); got != filepath.Join(outer, want) {
			t.Errorf("around %s is %s", of, got)
		}
	}
	none := created(false, "none", "x")
	if got := repository(none); got != none {
		t.Errorf("around %s, in no repository, is %s", none, got)
	}
}
