//go:build !linux || (!amd64 && !arm64)

package confine

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Confined is a server started under a policy. No server is started on this system.
type Confined struct{}

// ThisMachine reports no support on other systems than Linux.
func ThisMachine() Machine { return Machine{Kernel: runtime.GOOS} }

// Start returns an error: only Linux on amd64 and arm64 is supported.
func Start(*exec.Cmd, *Policy, Options) (*Confined, error) {
	return nil, verdict.Fail(verdict.SandboxUnavailable, nil, "the server was not started: nothing confines it on %s/%s", runtime.GOOS, runtime.GOARCH).
		WithHint("start it on Linux (amd64, arm64)")
}

// Report returns an empty report.
func (*Confined) Report() Report { return Report{} }

// Attempts returns no attempts.
func (*Confined) Attempts() (list []Attempt, unlisted int) { return nil, 0 }

// Close does nothing.
func (*Confined) Close() error { return nil }

func alone() *syscall.SysProcAttr { return nil }

func exitStatus(s *os.ProcessState) int { return s.ExitCode() }

func identity(*os.File) (string, error) { return "", errReplaced }

func (g grant) openBelow(string) (*os.File, error) { return nil, errReplaced }
