package confine

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/confine/shim"
)

// walls are filters of system calls that other systems put around this program.
var walls = map[string]func() program{
	"none":        func() program { return wall() },
	"no-getfd":    func() program { return wall(unix.SYS_PIDFD_GETFD) },
	"no-landlock": func() program { return wall(unix.SYS_LANDLOCK_CREATE_RULESET) },
	"no-restrict": func() program { return wall(unix.SYS_LANDLOCK_RESTRICT_SELF) },
	"no-seccomp":  func() program { return wall(unix.SYS_SECCOMP) },
	"no-notify": func() program { // asked what there is, this kernel says yes, and then refuses the filter
		f := program{{Code: load, K: offNumber}}
		f.call(unix.SYS_SECCOMP, oneOf(0, refuse(unix.EINVAL), allow, unix.SECCOMP_SET_MODE_FILTER)...)
		return append(f, ret(allow))
	},
	"no-namespaces": func() program { return wall(unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_MOUNT) },
}

// wall refuses system calls, as Docker's default profile does.
func wall(numbers ...uintptr) program {
	f := program{{Code: load, K: offNumber}}
	f.answer(refuse(unix.EPERM), numbers...)
	return append(f, ret(allow))
}

// walled is a program that starts a server behind a wall, with or without a
// host, and prints what came of it.
func walled(args []string) {
	runtime.LockOSThread()
	switch args[0] {
	case "orphan":
		fmt.Println(startAndWait(Scopes{}, "wait", nil))
	case "leaving":
		program, err := prober()
		if err != nil {
			fmt.Println(err)
		}
		fmt.Println(startAndWait(leaves(program), "leaving", nil))
	case "unfetched":
		fmt.Println(unserved(false))
	case "unheld":
		fmt.Println(unserved(true))
	case "busy":
		build(wall(), unix.SECCOMP_FILTER_FLAG_NEW_LISTENER)
		filesOnly = len(args) > 1
		fmt.Println(startAndWait(Scopes{}, map[bool]string{false: "temp", true: "fork"}[filesOnly], nil))
	default:
		build(walls[args[0]](), unix.SECCOMP_FILTER_FLAG_TSYNC)
		var scopes Scopes
		if len(args) > 2 {
			scopes.AllowedHosts = []string{args[2]}
		}
		fmt.Println(startAndWait(scopes, args[1], args[2:]))
	}
	os.Exit(0)
}

func build(f program, flags uintptr) {
	p := unix.SockFprog{Len: uint16(len(f)), Filter: &f[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	if _, _, e := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&p))); e != 0 {
		fmt.Println(e)
		os.Exit(1)
	}
}

// filesOnly is how the servers of a walled program are started.
var filesOnly bool

func startAndWait(scopes Scopes, probe string, args []string) string {
	path, err := prober()
	if err != nil {
		return err.Error()
	}
	p, err := Resolve(everything, scopes, Program{Path: path, Args: append([]string{"probe", probe}, args...)})
	if err != nil {
		return err.Error()
	}
	cmd := &exec.Cmd{Stdout: os.Stdout, SysProcAttr: &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}}
	c, err := Start(cmd, p, Options{FilesOnly: filesOnly})
	if err != nil {
		return err.Error()
	}
	err = errors.Join(cmd.Wait(), c.Close())
	if all, _ := c.Attempts(); len(all) > 0 {
		return fmt.Sprint(all, " ", err)
	}
	return fmt.Sprint(err)
}

func behind(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("/proc/self/exe", append([]string{"walled"}, args...)...)
	cmd.Env = append(os.Environ(), "GORACE="+os.Getenv("GORACE")+" atexit_sleep_ms=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}

// Behind a wall a server that needs what is behind it does not start, and the
// message names what is missing.
func TestWallsOfOtherSystemsAreNamed(t *testing.T) {
	t.Parallel()
	address, connections := counted(t)
	for _, c := range []struct {
		want string // a part of the output
		args []string
	}{
		{"no Landlock", []string{"no-landlock", "temp"}},
		{`the step "landlock" failed: operation not permitted`, []string{"no-restrict", "temp"}},
		{"no notifications of seccomp", []string{"no-seccomp", "temp"}},
		{"the filter of system calls was refused (invalid argument)", []string{"no-notify", "temp"}},
		{"another sandbox around this program has a listener", []string{"busy"}},
		{"pidfd_getfd is refused to this program", []string{"no-getfd", "connect", address}},
	} {
		got := behind(t, c.args...)
		if !strings.Contains(got, c.want) || !strings.HasPrefix(got, string(verdict.SandboxUnavailable)) {
			t.Errorf("%v: %s", c.args, got)
		}
	}
	if n := connections.Load(); n != 0 {
		t.Errorf("%d connections came from behind a wall", n)
	}
	for _, args := range [][]string{{"none", "temp"}, {"no-namespaces", "temp"}, {"no-getfd", "temp"}} {
		if got := behind(t, args...); !strings.HasPrefix(got, "ok\n") {
			t.Errorf("%v: %s", args, got)
		}
	}
	if got := behind(t, "none", "connect", address); !strings.HasPrefix(got, "ok\n") {
		t.Errorf("without a wall: %s", got)
	}
	if got := behind(t, "no-getfd", "listenunbound"); !strings.HasPrefix(got, "EACCES\n") {
		t.Errorf("where the supervisor reaches no socket, a server listens: %s", got)
	}
}

// An older Landlock, and a kernel's own: what it lacks is refused by name.
func TestWhatAMachineLacksIsNamed(t *testing.T) {
	t.Parallel()
	writes := &Policy{scopes: Scopes{WritePaths: []string{"/x"}}}
	connects := &Policy{hosts: hosts{{}}}
	whole := Machine{Landlock: 7, Notify: true, Sockets: true}
	for _, c := range []struct {
		m    Machine
		p    *Policy
		want string
	}{
		{whole, writes, ""},
		{Machine{Landlock: 1, Notify: true, Sockets: true}, &Policy{}, ""},
		{Machine{Landlock: 2, Notify: true, Sockets: true}, writes, "Linux 6.2"},
		{Machine{Landlock: 7, Notify: true}, connects, "pidfd_getfd"},
		{Machine{Landlock: 7, Notify: true}, &Policy{}, ""},
		{Machine{Landlock: 7, Sockets: true}, &Policy{}, "no notifications"},
		{Machine{Notify: true, Sockets: true}, &Policy{}, "no Landlock"},
	} {
		err := c.m.holds(c.p, false)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v, want %q", c.m, err, c.want)
		}
	}
	for scope, want := range map[string]string{"2": "ptrace_scope is 2", "3": "ptrace_scope is 3", "1": "may not be read by this user"} {
		if err := (Machine{Ptrace: scope}).untouchable(unix.EPERM); !strings.Contains(err.Error(), want) {
			t.Errorf("ptrace_scope %s: %v", scope, err)
		}
	}
}

// On a kernel whose Landlock does not see that a file is truncated, no server starts that
// may write or delete. The error has the reason.
func TestAServerThatWritesNeedsTruncation(t *testing.T) {
	t.Parallel()
	runtime.LockOSThread() // the kernel ends the server with the thread that started it
	defer runtime.UnlockOSThread()
	dir := t.TempDir()
	for _, scopes := range []Scopes{{WritePaths: Paths{dir}}, {DeletePaths: Paths{dir}}} {
		for _, alone := range []bool{false, true} {
			cmd := &exec.Cmd{}
			c, err := Start(cmd, server{scopes: scopes, args: []string{"temp"}}.policy(t), Options{FilesOnly: alone})
			if refused := err != nil && strings.Contains(err.Error(), "Linux 6.2 (ABI 3)"); refused != (abi() < truncateABI) {
				t.Errorf("%+v, ABI %d: %v", scopes, abi(), err)
			}
			if err == nil {
				err = errors.Join(cmd.Wait(), c.Close())
			}
			if started := cmd.Process != nil; started == (abi() < truncateABI) {
				t.Errorf("%+v, ABI %d: a process was started: %v, %v", scopes, abi(), started, err)
			}
		}
	}
}

// unserved starts the shim as Start does and takes the listener, but never serves it. If
// open, it serves it, under a ruleset that grants every file.
func unserved(open bool) string {
	path, err := prober()
	if err != nil {
		return err.Error()
	}
	p, err := Resolve(everything, Scopes{}, Program{Path: path, Args: []string{"probe", "temp"}})
	if err != nil {
		return err.Error()
	}
	c := &Confined{policy: p, audit: &audit{policy: p}, report: Report{Machine: ThisMachine()}}
	if err := c.makePrivate(); err != nil {
		return err.Error()
	}
	defer c.Close()
	rules, err := c.rules()
	if err != nil {
		return err.Error()
	}
	cmd := &exec.Cmd{Stdout: os.Stdout, SysProcAttr: &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}}
	control, err := c.fork(cmd, rules)
	if err != nil {
		return err.Error()
	}
	if open {
		if err := rules.directory("/", read); err != nil {
			return err.Error()
		}
	}
	config := shim.Config{Path: c.dir + "/" + shim.Forbidden, Filter: filter(p, uint32(cmd.Process.Pid), c.report.Landlock).bytes(), Seal: seal().bytes()}
	if _, err := control.Write(config.Encode()); err != nil {
		return err.Error()
	}
	listener, err := receiveListener(control)
	if err != nil {
		return err.Error()
	}
	if open {
		if err := c.supervise(cmd.Process.Pid, listener); err != nil {
			return err.Error()
		}
		if _, err := control.Write([]byte{1}); err != nil {
			return err.Error()
		}
	}
	err = c.await(cmd.Process.Pid, control)
	return fmt.Sprint(err, " ", cmd.Wait())
}

func TestAListenerThatNobodyServesEndsTheShim(t *testing.T) {
	t.Parallel()
	got := behind(t, "unfetched")
	if !strings.Contains(got, `the step "supervisor" failed: resource temporarily unavailable exit status 126`) {
		t.Errorf("the shim ended with: %s", got)
	}
}

// A kernel that takes the restrictions and does not hold them starts no server:
// here the ruleset grants every file.
func TestAKernelThatHoldsNothingStartsNothing(t *testing.T) {
	t.Parallel()
	got := behind(t, "unheld")
	if !strings.Contains(got, "an action that must be refused was not (open by path): this kernel does not enforce the restrictions exit status 126") {
		t.Errorf("the shim ended with: %s", got)
	}
}
