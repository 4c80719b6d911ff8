package manifest_test

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/eval/manifest"
)

// The servers and what they need are as they were before anything was written
// that finds it.
func TestTheKnownServersAreFrozen(t *testing.T) {
	t.Parallel()
	sums, err := os.ReadFile("testdata/known.sha256")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for line := range strings.Lines(string(sums)) {
		sum, file, _ := strings.Cut(strings.TrimSpace(line), "  ")
		want[file] = sum
	}
	tree := os.DirFS("testdata/known")
	err = fs.WalkDir(tree, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(tree, file)
		if got := fmt.Sprintf("%x", sha256.Sum256(b)); got != want[file] {
			t.Errorf("%s has the SHA-256 %s, and %q is frozen", file, got, want[file])
		}
		delete(want, file)
		return err
	})
	if err != nil || len(want) > 0 {
		t.Errorf("frozen and gone: %v %v", want, err)
	}
}

func TestEachKnownServerIsWhole(t *testing.T) {
	t.Parallel()
	all, err := manifest.Servers()
	if err != nil || len(all) < 12 {
		t.Fatalf("%d servers, %v", len(all), err)
	}
	for _, k := range all {
		if source, err := k.Source(); err != nil || len(source) == 0 {
			t.Errorf("%s: %v", k.Name, err)
		}
		if len(k.Calls) == 0 || k.Note == "" {
			t.Errorf("%s has %d calls and the note %q", k.Name, len(k.Calls), k.Note)
		}
	}
}
