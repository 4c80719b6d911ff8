package clitest

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// mountAt is the folder for a file system that starts no program. This binary mounts
// it in a separate namespace.
const mountAt = "CLITEST_MOUNT_AT"

func TestMain(m *testing.M) {
	dir := os.Getenv(mountAt)
	if dir == "" {
		os.Exit(m.Run())
	}
	if err := unix.Mount("none", dir, "tmpfs", unix.MS_NOEXEC, ""); err != nil {
		fmt.Println("no mount:", err)
		os.Exit(2)
	}
	Main(m, nil)
}

// TestAFolderFromWhichNothingStartsIsSaid, and no test begins to wait.
func TestAFolderFromWhichNothingStartsIsSaid(t *testing.T) {
	t.Parallel()
	if err := startsFrom(t.TempDir()); err != nil {
		t.Error(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), mountAt+"="+dir, "TMPDIR="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() == 2 {
		t.Skipf("this system gives no namespace to mount in: %v: %s", err, out)
	}
	if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(string(out), "set TMPDIR to another") {
		t.Errorf("exit %d: %s", code, out)
	}
}
