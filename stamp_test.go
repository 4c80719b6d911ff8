package onestep_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The stamp by which ask knows its own ask-eval is of the source tree alone: it
// is the same without git and in any folder, and another as soon as anything
// that is built differs.
func TestTheStampIsOfWhatIsBuilt(t *testing.T) {
	t.Parallel()
	here := stamp(t, ".")
	if !regexp.MustCompile(`^stamp_[0-9a-f]{32}$`).MatchString(here) {
		t.Fatalf("the stamp is %q", here)
	}
	dir := filepath.Join(t.TempDir(), "a copy")
	copyTree(t, dir)
	if there := stamp(t, dir); there != here {
		t.Errorf("a copy has the stamp %s, and not %s", there, here)
	}
	for _, file := range []string{"README.md", "floors_test.go", "cmd/mutate/main.go"} {
		touch(t, dir, file)
	}
	if there := stamp(t, dir); there != here {
		t.Error("what is not built changes the stamp")
	}
	seen := map[string]string{here: "nothing"}
	for _, file := range []string{"cmd/ask/main.go", "eval/naive/naive.go", "host/demo/allowlist.json", "go.sum"} {
		touch(t, dir, file)
		now := stamp(t, dir)
		if before, known := seen[now]; known {
			t.Errorf("a change of %s gives the stamp of a change of %s", file, before)
		}
		seen[now] = file
	}
}

func stamp(t *testing.T, dir string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), filepath.Join(dir, "tools", "stamp.sh")).Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// unstamped are the folders that the programs are not built from and that are not
// small, above all what interop/run.sh installs.
var unstamped = []string{".git", "bin", "interop", "eval/results", "findings"}

// copyTree copies what the module's programs are built from.
func copyTree(t *testing.T, to string) {
	t.Helper()
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (slices.Contains(unstamped, filepath.ToSlash(file)) || d.Name() == "node_modules"):
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, file), 0o700)
		case !d.Type().IsRegular():
			return nil
		}
		b, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, file), b, info.Mode().Perm())
	})
	if err != nil {
		t.Fatal(err)
	}
}

// touch adds a line to a file, which any of them can have at its end.
func touch(t *testing.T, dir, file string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(dir, file), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("\n"); err != nil {
		t.Fatal(err)
	}
}
