//go:build interop

package interop_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// The recipe that reads files uses the server that npx finds, which make interop
// installed above the recipe's folder.
func TestTheRecipeOnCall(t *testing.T) {
	t.Parallel()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	dir := filepath.Join(home, "oncall")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(here, "node_modules"), filepath.Join(home, "node_modules")); err != nil {
		t.Fatal(err)
	}
	env := []string{"PATH=" + filepath.Join(here, "../bin") + ":" + os.Getenv("PATH"), "HOME=" + home, "ASK_HOME=" + home, "LANG=C.UTF-8"}
	clitest.Recipe(t, "../docs/recipes.md", "On call: files and tickets", dir, env)
}
