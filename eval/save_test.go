package eval_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/verdict"
)

func TestResultsThatCannotBeWrittenAreAnError(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := eval.MakeDir(file); verdict.CodeOf(err) != verdict.UsageArgument || !strings.Contains(err.Error(), file) {
		t.Error(err)
	}
	// A folder is in the file's place: the attempt leaves nothing behind.
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "x.json", "y"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := eval.Save(dir, "x.json", 1); verdict.CodeOf(err) != verdict.UsageArgument {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
}
