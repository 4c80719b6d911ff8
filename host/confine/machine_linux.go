//go:build amd64 || arm64

package confine

import (
	"fmt"
	"os"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/onestep-run/onestep/gate/verdict"
)

// ThisMachine asks the kernel for its support.
func ThisMachine() Machine {
	m := Machine{Landlock: abi(), Sockets: getfd(os.Getpid()) == nil, Cgroup: delegated() != ""}
	var u unix.Utsname
	if unix.Uname(&u) == nil {
		m.Kernel = unix.ByteSliceToString(u.Release[:])
	}
	action := ask
	_, _, e := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)))
	m.Notify = e == 0
	if b, err := os.ReadFile("/proc/sys/kernel/yama/ptrace_scope"); err == nil {
		m.Ptrace = strings.TrimSpace(string(b))
	}
	return m
}

// getfd takes a copy of a process's standard input, and closes it.
func getfd(pid int) error {
	p, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(p) }()
	fd, err := unix.PidfdGetfd(p, 0, 0)
	if err == nil {
		_ = unix.Close(fd)
	}
	return err
}

const elsewhere = "start it on a machine that docs/sandbox.md lists; `ask manifest check FILE` shows what this machine supports. " +
	"`ask manifest run --files-only` needs less, and gives it no network"

func unavailable(cause error, format string, args ...any) error {
	return verdict.Fail(verdict.SandboxUnavailable, cause, "the server was not started: "+format, args...).WithHint(elsewhere)
}

// holds returns an error if this machine lacks something for a policy.
func (m Machine) holds(p *Policy, filesOnly bool) error {
	switch {
	case m.Landlock < 1:
		return unavailable(nil, "this kernel (%s) has no Landlock, or a container refuses it; it needs Linux 5.19, with landlock among its security modules", m.Kernel)
	case filesOnly && p.connects():
		return unavailable(nil, "its scopes name hosts or ports, and with files only nothing decides on a connection")
	case !m.Notify && !filesOnly:
		return unavailable(nil, "this kernel (%s) has no notifications of seccomp, or a container refuses seccomp; it needs Linux 5.19", m.Kernel)
	case m.Landlock < truncateABI && p.writes():
		return unavailable(nil, "its scopes let it write, and Landlock of this kernel (%s, ABI %d) does not see that a file is truncated; that needs Linux 6.2 (ABI 3)", m.Kernel, m.Landlock)
	case !m.Sockets && p.connects():
		return unavailable(nil, "its scopes name hosts or ports, and the system call pidfd_getfd is refused to this program: a container's profile does that (Docker's default does, unless it gives CAP_SYS_PTRACE)")
	}
	return nil
}

// untouchable explains why a server's sockets, unlike our own, cannot be reached.
func (m Machine) untouchable(err error) error {
	why := "the server's program may not be read by this user, so its process is closed to the supervisor"
	if m.Ptrace == "2" || m.Ptrace == "3" {
		why = fmt.Sprintf("kernel.yama.ptrace_scope is %s, so no program may look into another; with 0 or 1 it works", m.Ptrace)
	}
	return unavailable(err, "its scopes name hosts or ports, and its sockets cannot be reached (%v): %s", err, why)
}

func refusedStep(step string, e unix.Errno) error {
	switch {
	case step == "seccomp" && e == unix.EBUSY:
		return unavailable(e, "another sandbox around this program has a listener of seccomp, and a process can have one")
	case step == "seccomp" || step == "second filter":
		return unavailable(e, "the filter of system calls was refused (%v); it needs Linux 5.19, and a container that allows seccomp", e)
	case strings.HasPrefix(step, "self-proof: "):
		return unavailable(e, "an action that must be refused was not (%s): this kernel does not enforce the restrictions", strings.TrimPrefix(step, "self-proof: "))
	case step == "exec":
		return verdict.Fail(verdict.ServerStart, e, "its program cannot be executed: %v", e)
	}
	return unavailable(e, "the step %q failed: %v", step, e)
}
