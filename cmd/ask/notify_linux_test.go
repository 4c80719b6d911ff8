package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// The program that shows notifications is given server, tool and run, and no
// argument of the call.
func TestANotificationHasNoArguments(t *testing.T) {
	t.Parallel()
	home, bin := homeOf(t), t.TempDir()
	shown := filepath.Join(bin, "shown")
	if err := unix.Mkfifo(shown, 0o600); err != nil { // to read it is to wait for it
		t.Fatal(err)
	}
	script := "#!/bin/sh\nprintf '%s\\n' \"$@\" >" + shown + "\n"
	if err := os.WriteFile(filepath.Join(bin, "notify-send"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	clitest.Write(t, home, "config.toml", "notify = true\n")
	held := sitWith(t, []string{"PATH=" + bin + ":" + os.Getenv("PATH")}, home, 120, "--no-input", "--hold", "5m", "Delete policy-002")
	held.until(t, "waiting for an approval")
	run := waits(t, home)[0]
	text, err := os.ReadFile(shown)
	if err != nil || !strings.Contains(string(text), "mcp-policy-kb/delete_policy_entry, run "+run) || strings.Contains(string(text), "policy-002") {
		t.Errorf("%s, %v", text, err)
	}
	inbox := sit(t, home, 120, "approve", run)
	inbox.until(t, prompt)
	inbox.types(t, "y\n")
	held.ends(t, 0)
}
