// Package corpus finds the public corpora that tests and evaluations read.
// They are not part of the project; only tests call it.
package corpus

import (
	"os"
	"path/filepath"
	"testing"
)

// Path is the path of one file or folder of the corpora, which stand in
// $ASK_DATA or in ../shared/data beside the module. Where they are absent the
// test is skipped, unless ASK_DATA_REQUIRED is set: then it fails.
func Path(tb testing.TB, name string) string {
	tb.Helper()
	dir := os.Getenv("ASK_DATA")
	if dir == "" {
		dir = filepath.Join(moduleRoot(tb), "..", "shared", "data")
	}
	p := filepath.Join(dir, name)
	if _, err := os.Stat(p); err == nil {
		return p
	}
	if os.Getenv("ASK_DATA_REQUIRED") != "" {
		tb.Fatalf("corpus %s is missing: set ASK_DATA to the folder that holds it", p)
	}
	tb.Skipf("corpus %s is not here; set ASK_DATA to the folder that holds it", p)
	return ""
}

func moduleRoot(tb testing.TB) string {
	dir, err := os.Getwd()
	for err == nil {
		if _, e := os.Stat(filepath.Join(dir, "go.mod")); e == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	tb.Fatalf("no go.mod above the test's folder")
	return ""
}
