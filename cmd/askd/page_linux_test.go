package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/onestep-run/onestep/internal/testing/pgtest"
)

func TestMain(m *testing.M) {
	if os.Getenv("ASKD_TEST_PROGRAM") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// built is a folder with the programs ask and askd; askd is this test's.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "askd-test-")
	if err != nil {
		return "", err
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	wrapper := fmt.Sprintf("#!/bin/sh\nASKD_TEST_PROGRAM=1 exec %s \"$@\" $ASKD_TEST_FLAGS\n", self)
	if err := os.WriteFile(filepath.Join(dir, "askd"), []byte(wrapper), 0o700); err != nil {
		return "", err
	}
	out, err := exec.CommandContext(context.Background(), "go", "build", "-o", filepath.Join(dir, "ask"), "../ask").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return dir, err
})

// The ten minutes of docs/service.md work as they are written, on both databases.
func TestTheTenMinutesWork(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/service.md")
	if err != nil {
		t.Fatal(err)
	}
	_, script, _ := strings.Cut(string(page), "```bash\n")
	script, _, is := strings.Cut(script, "```\n")
	if !is {
		t.Fatal("the page has no script")
	}
	for name, flags := range map[string]func(*testing.T) string{
		"SQLite":     func(*testing.T) string { return "" },
		"PostgreSQL": func(t *testing.T) string { return "--state " + pgtest.Schema(t, pgtest.Start(t)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			programs, err := built()
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			c := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", "trap 'kill %1; wait' EXIT\n"+script)
			c.WaitDelay = 10 * time.Second
			c.Dir = dir
			c.Env = append(os.Environ(), "PATH="+programs+":"+os.Getenv("PATH"), "HOME="+dir, "TMPDIR="+dir, "ASKD_TEST_FLAGS="+flags(t))
			out, err := c.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			for _, want := range []string{
				"search_policy_kb\ndelete_policy_entry\nfetch_policy_entry\n", "mcp_kb_delete_policy_entry\nmcp_kb_fetch_policy_entry\n", "Vendor data sharing policy\n",
				`"policy_id": "policy-002"`, `{"deleted":true,"id":"policy-002"}`, `"agent_tool_call","mcp_kb_delete_policy_entry","member:admin"]`, "consistent: ",
			} {
				if !strings.Contains(string(out), want) {
					t.Errorf("it does not print %q:\n%s", want, out)
				}
			}
			if strings.Contains(string(out), "a secret") {
				t.Error("it prints the secret")
			}
		})
	}
}
