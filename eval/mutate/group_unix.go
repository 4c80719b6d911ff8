//go:build unix

package mutate

import (
	"os/exec"
	"syscall"
)

// endTogether makes a stop end all that the command started.
func endTogether(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
