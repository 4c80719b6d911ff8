//go:build unix

package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/verdict"
)

// TestWhatIsNoFileIsNotReplaced: a rename would put a file in a device's
// place, and in a link's.
func TestWhatIsNoFileIsNotReplaced(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe, dangling, loop, beyond := filepath.Join(dir, "pipe"), filepath.Join(dir, "dangling"), filepath.Join(dir, "loop"), filepath.Join(dir, "beyond")
	if err := errors.Join(
		syscall.Mkfifo(pipe, 0o600), os.Symlink("none", dangling), os.Symlink("loop", loop), os.Symlink(pipe, beyond),
	); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{"a pipe": pipe, "a link to nothing": dangling, "a loop": loop, "a link to a pipe": beyond, "a directory": dir} {
		before, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		changed, err := config.SetModel(path, "openai/m")
		after, gone := os.Lstat(path)
		if verdict.CodeOf(err) != verdict.ConfigUnreadable || changed || gone != nil || after.Mode() != before.Mode() {
			t.Errorf("%s: %v, %v", name, changed, err)
		}
		if err != nil && strings.Count(err.Error(), path) != 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if left, err := os.ReadDir(dir); len(left) != 4 || err != nil {
		t.Errorf("%v, %v", left, err)
	}
}
