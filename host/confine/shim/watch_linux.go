//go:build amd64 || arm64

package shim

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

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
	mustErrno("outer landlock", e)
	if unix.Kill(unix.Getppid(), 0) != unix.EPERM {
		fail("self-proof: signal to the parent", unix.EPERM)
	}
	child, e := fork()
	mustErrno("watcher", e)
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
