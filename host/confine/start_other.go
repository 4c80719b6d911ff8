//go:build !linux || (!amd64 && !arm64)

package confine

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Confined is a server that was started under a policy: never here.
type Confined struct{}

// ThisMachine gives nothing on other systems than Linux.
func ThisMachine() Machine { return Machine{Kernel: runtime.GOOS} }

// Start refuses: only Linux, on amd64 and arm64, confines a process so.
func Start(*exec.Cmd, *Policy, Options) (*Confined, error) {
	f := verdict.Fail(verdict.SandboxUnavailable, nil, "the server was not started: nothing confines it on %s/%s", runtime.GOOS, runtime.GOARCH)
	f.Hint = "start it on Linux (amd64, arm64)"
	return nil, f
}

// Report says nothing.
func (*Confined) Report() Report { return Report{} }

// Attempts are none.
func (*Confined) Attempts() (list []Attempt, unlisted int) { return nil, 0 }

// Close has nothing to end.
func (*Confined) Close() error { return nil }

func alone() *syscall.SysProcAttr { return nil }

func exitStatus(s *os.ProcessState) int { return s.ExitCode() }

func identity(*os.File) (string, error) { return "", errReplaced }

func (g grant) openBelow(string) (*os.File, error) { return nil, errReplaced }
