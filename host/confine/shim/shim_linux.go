//go:build amd64 || arm64

package shim

import (
	"encoding/binary"
	"os"
	"runtime"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// maxConfig bounds the configuration. Filters have at most 4096 instructions, and the
// kernel accepts two megabytes of variables.
const maxConfig = 3 << 20

func init() {
	if len(os.Args) > 1 && os.Args[0] == Name && isSocket(Control) {
		run(os.Args[1:])
	}
}

// isSocket prevents mistaking a program that was started under an odd name for a shim.
func isSocket(fd int) bool {
	kind, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TYPE)
	return err == nil && kind == unix.SOCK_STREAM
}

// run restricts this thread and executes argv with it. exec keeps the restrictions of the
// calling thread, and ends the other threads. All init functions run on the startup
// thread (runtime.LockOSThread).
func run(argv []string) {
	c := configuration()
	must("death signal", unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0))
	dropCapabilities()
	must("no_new_privs", unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
	if c.Watch {
		watch()
	}
	_, _, e := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, Ruleset, 0, 0)
	must("landlock", e)
	must("descriptors", unix.CloseRange(Control, 1<<31-1, unix.CLOSE_RANGE_CLOEXEC))
	if c.Alone {
		load("seccomp", c.Filter, 0)
	} else {
		handOver(load("seccomp", c.Filter, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER|unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV))
	}
	load("second filter", c.Seal, 0)
	prove(c.Path)
	say(Ready)
	receive(1) // from then on attempts are recorded, and use is counted in the cgroup
	for _, l := range c.Limits {
		must("limit", unix.Setrlimit(int(l.Resource), &unix.Rlimit{Cur: l.Value, Max: l.Value}))
	}
	must("exec", unix.Exec(argv[0], argv, c.Env))
}

// configuration waits for the parent's message, and ends if the parent has ended.
func configuration() Config {
	size := binary.LittleEndian.Uint32(receive(4))
	if size > maxConfig {
		must("configuration", unix.E2BIG)
	}
	c, ok := decode(receive(int(size)))
	if !ok {
		must("configuration", unix.EINVAL)
	}
	return c
}

func receive(n int) []byte {
	b := make([]byte, n)
	for got := 0; got < n; {
		m, err := unix.Read(Control, b[got:])
		switch {
		case err == unix.EINTR:
		case err != nil:
			must("configuration", err)
		case m == 0:
			must("configuration", unix.EPIPE)
		}
		got += max(m, 0)
	}
	return b
}

// dropCapabilities removes all of root's capabilities, for good: exec would restore to
// root the capabilities in its bounding set.
func dropCapabilities() {
	for c := uintptr(0); c < 64; c++ {
		held, err := unix.PrctlRetInt(unix.PR_CAPBSET_READ, c, 0, 0, 0)
		if err != nil { // beyond the last capability
			break
		}
		err = unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0)
		if held == 1 && unix.Geteuid() == 0 {
			must("capabilities", err) // other users gain none by exec: no_new_privs
		}
	}
	must("capabilities", unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0))
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	must("capabilities", unix.Capset(&header, &none[0]))
}

// load applies a filter to this thread, and returns its listener if the flags ask for one.
func load(step string, filter []byte, flags uintptr) int {
	const instruction = 8
	if len(filter) < instruction || len(filter)%instruction != 0 {
		must(step, unix.EINVAL)
	}
	program := unix.SockFprog{Len: uint16(len(filter) / instruction), Filter: (*unix.SockFilter)(unsafe.Pointer(&filter[0]))}
	fd, _, e := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&program)))
	runtime.KeepAlive(filter)
	must(step, e)
	return int(fd)
}

// handOver passes the listener to the parent and waits until the parent serves it: from
// here on a caught call would hang. A parent that does not answer within two seconds has
// died or is broken.
func handOver(listener int) {
	must("listener", unix.SetsockoptTimeval(Control, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Sec: 2}))
	must("listener", unix.Sendmsg(Control, []byte{'\n'}, unix.UnixRights(listener), nil, HandOver))
	var one [1]byte
	n, err := unix.Read(Control, one[:])
	for err == unix.EINTR {
		n, err = unix.Read(Control, one[:])
	}
	if err == nil && n != 1 {
		err = unix.EPIPE
	}
	must("supervisor", err)
	must("listener", unix.Close(listener))
}

// prove tries actions that must be refused. An action that succeeds ends the process. A
// kernel that only seems to enforce the restrictions is worse than one without.
func prove(path string) {
	_, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	refused("open by path", err, unix.EACCES)
	_, err = unix.Openat(Sentinel, Forbidden, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	refused("open by descriptor", err, unix.EACCES)
	// Landlock refuses it since Linux 6.2; before, the filter does
	refused("truncate", unix.Truncate(path, 0), unix.EACCES)
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	must("self-proof: socket", err)
	// TEST-NET-1 (RFC 5737); no scope can name port 0
	err = unix.Connect(fd, &unix.SockaddrInet4{Addr: [4]byte{192, 0, 2, 1}})
	refused("connect", err, unix.EACCES)
	must("self-proof: socket", unix.Close(fd))
	proveLocal(path)
	_, _, e := unix.Syscall6(unix.SYS_PTRACE, unix.PTRACE_ATTACH, uintptr(unix.Getppid()), 0, 0, 0, 0)
	refused("ptrace", e, unix.EPERM)
}

// proveLocal tries a local socket. Without a supervisor it cannot be made; with one it
// leads nowhere.
func proveLocal(path string) {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		refused("local socket", err, unix.EAFNOSUPPORT)
		return
	}
	refused("local socket", unix.Connect(fd, &unix.SockaddrUnix{Name: path}), unix.EACCES)
	must("self-proof: socket", unix.Close(fd))
}

// refused ends the process unless err is exactly the refusal. Another error, such as an
// absent file, proves nothing.
func refused(probe string, err error, want unix.Errno) {
	if err != want { //nolint:errorlint // system calls return bare numbers
		fail("self-proof: "+probe, unix.EPERM)
	}
	say(Proved + " " + probe)
}

// must ends the process unless a system call succeeded: its error is nil, or the number 0.
func must(step string, err error) {
	e, ok := err.(unix.Errno) //nolint:errorlint // system calls return bare numbers
	switch {
	case err == nil, ok && e == 0:
		return
	case !ok:
		e = unix.EIO
	}
	fail(step, e)
}

func fail(step string, e unix.Errno) {
	say(Failed + " " + strconv.Itoa(int(e)) + " " + step)
	unix.Exit(126)
}

func say(line string) { _, _ = unix.Write(Control, []byte(line+"\n")) }

// watch leaves a watcher process behind. It ends every process of the server when the
// parent closes its end of [Life], or has ended.
//
// The watcher is in a Landlock domain that confines signals and nothing else, and the
// server will be in a domain inside it. So the watcher's signal to all processes reaches
// all of the server's, even after they moved or got another parent, and no others; and
// none of their signals reaches the watcher. A signal to the parent proves the
// confinement here: without it, all of the user's processes would end.
func watch() {
	_, _, e := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, Outer, 0, 0)
	must("outer landlock", e)
	if unix.Kill(unix.Getppid(), 0) != unix.EPERM {
		fail("self-proof: signal to the parent", unix.EPERM)
	}
	child, e := fork()
	must("watcher", e)
	var status unix.WaitStatus
	_, err := unix.Wait4(child, &status, 0, nil)
	for err == unix.EINTR {
		_, err = unix.Wait4(child, &status, 0, nil)
	}
	must("watcher", err)
	if status.ExitStatus() != 0 {
		must("watcher", unix.ECHILD)
	}
}

// fork starts the watcher, as the child of a process that ends at once. So the server has
// no child that it did not start. Both processes have one thread, and so no scheduler and
// no collector: they make raw system calls, and never return. The first process reports a
// failed step in its status.
//
//go:norace
//go:noinline
func fork() (child int, failed unix.Errno) {
	all := ^uint64(0)
	var one [1]byte
	everyone := -1
	pid, _, e := unix.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
	if e != 0 || pid != 0 {
		return int(pid), e
	}
	signals := uintptr(unsafe.Pointer(&all))
	_, _, e = unix.RawSyscall6(unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, signals, 0, unsafe.Sizeof(all), 0, 0)
	if e == 0 {
		_, _, e = unix.RawSyscall(unix.SYS_SETSID, 0, 0, 0)
	}
	if e == 0 {
		_, _, e = unix.RawSyscall(unix.SYS_DUP3, Life, 0, 0)
	}
	if e == 0 {
		_, _, e = unix.RawSyscall(unix.SYS_CLOSE_RANGE, 1, 1<<32-1, 0)
	}
	if e == 0 {
		pid, _, e = unix.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
	}
	if e == 0 && pid == 0 { // the watcher
		for e = unix.EINTR; e == unix.EINTR; {
			_, _, e = unix.RawSyscall(unix.SYS_READ, 0, uintptr(unsafe.Pointer(&one)), 1) // the parent never writes
		}
		_, _, e = unix.RawSyscall(unix.SYS_KILL, uintptr(everyone), uintptr(unix.SIGKILL), 0)
	}
	for {
		_, _, _ = unix.RawSyscall(unix.SYS_EXIT_GROUP, uintptr(e), 0, 0)
	}
}
