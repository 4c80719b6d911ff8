package main

import (
	"os"
	"os/exec"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// The page of everyday commands works block by block, in its order and in one home.
func TestTheCommandsOfEveryDayWork(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil && os.Getenv("ASK_RECIPES_REQUIRED") == "" {
		t.Skip("the steps are those of bash, which is not installed")
	}
	dir := t.TempDir()
	env := []string{"PATH=" + released(t) + ":" + os.Getenv("PATH"), "HOME=" + dir, "LANG=C.UTF-8"}
	for _, section := range []string{"Ask", "Call", "Review", "Approve", "Wrap", "Rules"} {
		clitest.Recipe(t, "../../docs/everyday.md", section, dir, env)
	}
	if confinable() {
		clitest.Recipe(t, "../../docs/everyday.md", "Confine", dir, env)
	}
}
