package main

import (
	"os"
	"os/exec"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// The page of everyday commands works block by block, in one home.
func TestTheCommandsOfEveryDayWork(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil && os.Getenv("ASK_RECIPES_REQUIRED") == "" {
		t.Skip("the steps are those of bash, which is not installed")
	}
	dir := t.TempDir()
	env := []string{"PATH=" + released(t) + ":" + os.Getenv("PATH"), "HOME=" + dir, "LANG=C.UTF-8"}
	for _, section := range everyday {
		if section != "Confine" || confinable() || os.Getenv("ASK_REQUIRE_SANDBOX") != "" {
			clitest.Recipe(t, "../../docs/everyday.md", section, dir, env)
		}
	}
}

// The three commands at the head of docs/sandbox.md confine a server.
func TestThreeCommandsConfineAServer(t *testing.T) {
	t.Parallel()
	if !confinable() && os.Getenv("ASK_REQUIRE_SANDBOX") == "" {
		t.Skip("this machine confines no server")
	}
	dir := t.TempDir()
	script := "ask servers add tickets -- ask demo serve mcp-servicenow && " + learnTickets + " && " + useTickets + " && ask servers review tickets --all-tools"
	cmd := exec.CommandContext(t.Context(), "sh", "-c", script)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + released(t) + ":" + os.Getenv("PATH"), "HOME=" + dir, "LANG=C.UTF-8"}
	said, _ := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code != 4 { // a review that waits for an approval
		t.Errorf("exit %d: %s", code, said)
	}
	shows(t, script, "  sandbox    confined to ", string(said))
}
