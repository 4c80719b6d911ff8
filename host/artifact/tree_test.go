package artifact_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/artifact"
)

// TestALinkIsPartOfTheTree: the digest has where it leads, which is outside
// of the tree for the interpreter alone.
func TestALinkIsPartOfTheTree(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "lib.js")
	if err := os.WriteFile(outside, []byte("// lib"), 0o600); err != nil { // as in the tree
		t.Fatal(err)
	}
	const changed, elsewhere = "a file of it changed after it was fetched", "its link lib.js leads elsewhere"
	for target, want := range map[string]string{
		"index.js": changed, "../package.json": changed, "up/package-lock.json": changed, "none.js": elsewhere, "../dist/lib2.js": elsewhere,
		outside: elsewhere, "../../../../lib.js": elsewhere, "up/../../../../lib.js": elsewhere, "up/../lib.js": elsewhere,
	} {
		cache, s := artifact.Cache(t.TempDir()), line("npx -y good@1.0.0")
		fetch(t, cache, s)
		dist := filepath.Join(string(cache), "npm/good@1.0.0/node_modules/good/dist")
		lib := filepath.Join(dist, "lib.js")
		err := errors.Join(os.Remove(lib), os.Symlink(target, lib), os.Symlink("../../..", filepath.Join(dist, "up")), os.WriteFile(filepath.Join(string(cache), "npm/lib.js"), nil, 0o600))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, cache.Inspect(s).Floating); diff != "" {
			t.Errorf("a link to %s: -want +got\n%s", target, diff)
		}
	}
}

// TestALinkThatLeadsToAnotherFileIsAChange: that of a program too, which no
// start of ours follows.
func TestALinkThatLeadsToAnotherFileIsAChange(t *testing.T) {
	t.Parallel()
	cache, s := artifact.Cache(t.TempDir()), line("npx -y good@1.0.0")
	fetch(t, cache, s)
	link := filepath.Join(string(cache), "npm/good@1.0.0/node_modules/.bin/run-it")
	if err := errors.Join(os.Remove(link), os.Symlink("../good/dist/lib.js", link)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("a file of it changed after it was fetched", cache.Inspect(s).Floating); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestAManifestNamesNothingElsewhere: not with the right digest either.
func TestAManifestNamesNothingElsewhere(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]struct{ was, now string }{
		"the program":     {`node_modules/good/dist/index.js"`, `../elsewhere"`},
		"the list":        {`"package-lock.json"`, `"../lock"`},
		"the interpreter": {`"runs": "node"`, `"runs": "../node"`},
	} {
		cache, s := artifact.Cache(t.TempDir()), line("npx -y good@1.0.0")
		fetch(t, cache, s)
		top := filepath.Join(string(cache), "npm/good@1.0.0")
		file := filepath.Join(top, "manifest.json")
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Replace(string(b), change.was, change.now, 1)
		if text == string(b) {
			t.Fatalf("%s is not in the manifest:\n%s", name, b)
		}
		err = errors.Join(os.WriteFile(file, []byte(text), 0o600),
			os.Link(filepath.Join(top, "node_modules/good/dist/index.js"), top+"/../elsewhere"),
			os.Link(filepath.Join(top, "package-lock.json"), top+"/../lock"), os.WriteFile(top+"/../node", nil, 0o700))
		if err != nil {
			t.Fatal(err)
		}
		path, _, err := cache.Start(s, unset)
		if verdict.CodeOf(err) != verdict.ServerArtifact {
			t.Errorf("%s of elsewhere: %s is started, %v", name, path, err)
		}
	}
}
