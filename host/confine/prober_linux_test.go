package confine

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// probe is the server's side: it tries one thing and prints "ok" or the error's
// name. It never returns.
func probe(args []string) {
	runtime.LockOSThread()
	if args[0] == "each" { // several probes of one path
		for _, name := range args[2:] {
			fmt.Println(said(probes[name](args[1:2])))
		}
		os.Exit(0)
	}
	act, known := probes[args[0]]
	if !known {
		fmt.Println("no such probe")
		os.Exit(3)
	}
	fmt.Println(said(act(args[1:])))
	os.Exit(0)
}

func said(err error) string {
	var e syscall.Errno
	switch {
	case err == nil:
		return "ok"
	case errors.As(err, &e):
		return unix.ErrnoName(e)
	}
	return err.Error()
}

func raw(number uintptr, args ...uintptr) error {
	var a [6]uintptr
	copy(a[:], args)
	_, _, e := unix.RawSyscall6(number, a[0], a[1], a[2], a[3], a[4], a[5])
	if e != 0 {
		return e
	}
	return nil
}

func text(s string) uintptr {
	b := append([]byte(s), 0)
	kept = append(kept, b)
	return uintptr(unsafe.Pointer(&b[0]))
}

var kept [][]byte // what system calls point to

func opened(path string, flags int) error {
	fd, err := unix.Open(path, flags|unix.O_CLOEXEC, 0o600)
	if err == nil {
		_ = unix.Close(fd)
	}
	return err
}

func dial(network, address string) error {
	c, err := net.DialTimeout(network, address, 20*time.Second)
	if err != nil {
		return err
	}
	return c.Close()
}

func made(family, kind, protocol int) error {
	fd, err := unix.Socket(family, kind, protocol)
	if err == nil {
		_ = unix.Close(fd)
	}
	return err
}

func number(s string) uintptr {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return uintptr(n)
}

var probes = map[string]func(args []string) error{
	// Files.
	"read":  func(a []string) error { return opened(a[0], unix.O_RDONLY) },
	"write": func(a []string) error { return opened(a[0], unix.O_WRONLY|unix.O_CREAT) },
	"list":  func(a []string) error { _, err := os.ReadDir(a[0]); return err },
	"openat2": func(a []string) error {
		_, err := unix.Openat2(unix.AT_FDCWD, a[0], &unix.OpenHow{Flags: unix.O_RDONLY})
		return err
	},
	"path": func(a []string) error { return opened(a[0], unix.O_PATH) },
	"reopen": func(a []string) error { // an O_PATH descriptor becomes one to read by
		fd, err := unix.Open(a[0], unix.O_PATH, 0)
		if err != nil {
			return err
		}
		return opened("/proc/self/fd/"+strconv.Itoa(fd), unix.O_RDONLY)
	},
	"stat":     func(a []string) error { _, err := os.Stat(a[0]); return err },
	"access":   func(a []string) error { return unix.Access(a[0], unix.F_OK) },
	"readlink": func(a []string) error { _, err := os.Readlink(a[0]); return err },
	"statfs":   func(a []string) error { return unix.Statfs(a[0], &unix.Statfs_t{}) },
	"handle":   func(a []string) error { _, _, err := unix.NameToHandleAt(unix.AT_FDCWD, a[0], 0); return err },
	"byhandle": func(a []string) error {
		h, mount, err := unix.NameToHandleAt(unix.AT_FDCWD, a[0], 0)
		if err != nil {
			return err
		}
		_, err = unix.OpenByHandleAt(mount, h, unix.O_RDONLY)
		return err
	},
	"inotify":  func([]string) error { _, err := unix.InotifyInit1(0); return err },
	"fanotify": func([]string) error { _, err := unix.FanotifyInit(0, 0); return err },
	"chmod":    func(a []string) error { return unix.Chmod(a[0], 0o640) },
	"setuid":   func(a []string) error { return unix.Chmod(a[0], 0o6755) },
	"fchmod": func(a []string) error {
		f, err := os.OpenFile(a[0], map[string]int{"r": os.O_RDONLY, "w": os.O_WRONLY}[a[1]], 0)
		if err != nil {
			return err
		}
		return f.Chmod(0o640)
	},
	"chown":  func(a []string) error { return unix.Chown(a[0], 1, 1) },
	"utime":  func(a []string) error { return os.Chtimes(a[0], time.Unix(7, 0), time.Unix(7, 0)) },
	"xattr":  func(a []string) error { return unix.Setxattr(a[0], "user.x", []byte("y"), 0) },
	"link":   func(a []string) error { return unix.Link(a[0], a[1]) },
	"rename": func(a []string) error { return unix.Rename(a[0], a[1]) },
	"symlink-read": func(a []string) error { // a link of the server's own to a file that is not granted
		if err := unix.Symlink(a[0], a[1]); err != nil {
			return err
		}
		return opened(a[1], unix.O_RDONLY)
	},
	"unlink":   func(a []string) error { return unix.Unlink(a[0]) },
	"rmdir":    func(a []string) error { return unix.Rmdir(a[0]) },
	"mkdir":    func(a []string) error { return unix.Mkdir(a[0], 0o700) },
	"truncate": func(a []string) error { return unix.Truncate(a[0], 0) },
	"empty":    func(a []string) error { return opened(a[0], unix.O_RDONLY|unix.O_TRUNC) },
	"neither":  func(a []string) error { return opened(a[0], unix.O_ACCMODE|unix.O_TRUNC) }, // for reading nor for writing
	"mknod":    func(a []string) error { return unix.Mknod(a[0], unix.S_IFIFO|0o600, 0) },
	"replace": func(a []string) error { // as server-filesystem writes: a temporary file, then a rename
		if err := os.WriteFile(a[0]+".tmp", []byte("new"), 0o600); err != nil {
			return err
		}
		return unix.Rename(a[0]+".tmp", a[0])
	},
	"temp": func([]string) error { // what every program may do
		for _, dir := range []string{os.Getenv("HOME"), os.TempDir()} {
			path := filepath.Join(dir, "x")
			if err := errors.Join(os.WriteFile(path, []byte("x"), 0o600), os.Chmod(path, 0o640), os.Remove(path), os.Mkdir(path, 0o700), os.Remove(path)); err != nil {
				return err
			}
		}
		return nil
	},
	"writememory": func([]string) error { return opened("/proc/self/mem", unix.O_RDWR) },
	"disk": func(a []string) error {
		return os.WriteFile(filepath.Join(os.TempDir(), "big"), make([]byte, number(a[0])), 0o600)
	},

	// Processes.
	"start":  func(a []string) error { return exec.Command(a[0], a[1:]...).Run() },
	"swap":   func(a []string) error { return swapped(a[0], a[1], a[2]) },
	"exec":   func(a []string) error { return unix.Exec(a[0], a, nil) },
	"fork":   func([]string) error { return raw(unix.SYS_CLONE, uintptr(unix.SIGCHLD)) },
	"clone3": func([]string) error { return raw(unix.SYS_CLONE3, 0, 88) },
	"thread": func([]string) error {
		var w sync.WaitGroup
		for range 20 {
			w.Go(func() { runtime.LockOSThread() })
		}
		w.Wait()
		return nil
	},
	"namespace": func([]string) error { return raw(unix.SYS_CLONE, unix.CLONE_NEWUSER|uintptr(unix.SIGCHLD)) },
	"memfd":     func([]string) error { _, err := unix.MemfdCreate("x", 0); return err },
	"ptrace":    func(a []string) error { return raw(unix.SYS_PTRACE, unix.PTRACE_ATTACH, number(a[0])) },
	"processvm": func(a []string) error { return raw(unix.SYS_PROCESS_VM_READV, number(a[0])) },
	"getfd":     func(a []string) error { return raw(unix.SYS_PIDFD_GETFD, 0, 0) },
	"kill":      func(a []string) error { return unix.Kill(int(number(a[0])), unix.SIGURG) },
	"tkill":     func(a []string) error { return raw(unix.SYS_TKILL, number(a[0]), uintptr(unix.SIGURG)) },
	"killself":  func([]string) error { return unix.Kill(os.Getpid(), 0) },
	"pidfdsignal": func(a []string) error {
		fd, err := unix.PidfdOpen(int(number(a[0])), 0)
		if err != nil {
			return err
		}
		return unix.PidfdSendSignal(fd, unix.SIGURG, nil, 0)
	},
	"prlimit": func(a []string) error {
		return unix.Prlimit(int(number(a[0])), unix.RLIMIT_NOFILE, nil, &unix.Rlimit{})
	},
	"setpriority": func(a []string) error { return unix.Setpriority(unix.PRIO_PROCESS, int(number(a[0])), 19) },
	"prioritize":  func([]string) error { return unix.Setpriority(unix.PRIO_USER, 0, 19) },
	"ioprio":      func(a []string) error { return raw(unix.SYS_IOPRIO_SET, 1, number(a[0]), 3<<13) },
	"affinity": func(a []string) error {
		var set unix.CPUSet
		set.Set(0)
		return unix.SchedSetaffinity(int(number(a[0])), &set)
	},
	"deathsig": func([]string) error { return unix.Prctl(unix.PR_SET_PDEATHSIG, 0, 0, 0, 0) },
	"dumpable": func([]string) error { return unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) },
	"seccomp":  func([]string) error { return raw(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER) },
	"capabilities": func([]string) error {
		status, err := os.ReadFile("/proc/self/status")
		for line := range strings.Lines(string(status)) {
			name, value, _ := strings.Cut(line, ":")
			if name == "CapBnd" && os.Geteuid() != 0 { // no_new_privs keeps others from what is in it
				continue
			}
			if strings.HasPrefix(name, "Cap") && strings.Trim(value, "\t\n0") != "" {
				return errors.New(line)
			}
		}
		return err
	},
	"descriptors": func([]string) error {
		entries, err := os.ReadDir("/proc/self/fd")
		var others []string
		for _, e := range entries {
			if to, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil && number(e.Name()) > 2 && !strings.HasPrefix(to, "/proc/") && !strings.HasPrefix(to, "/sys/fs/cgroup/") && !strings.HasPrefix(to, "anon_inode:") {
				others = append(others, e.Name()+" "+to)
			}
		}
		if err == nil && len(others) > 0 {
			return errors.New(strings.Join(others, ", "))
		}
		return err
	},
	"environment": func([]string) error {
		var names []string
		for _, v := range os.Environ() {
			name, _, _ := strings.Cut(v, "=")
			names = append(names, name)
		}
		return errors.New(strings.Join(names, " "))
	},
	"memory": func(a []string) error {
		b, err := unix.Mmap(-1, 0, int(number(a[0]))<<20, unix.PROT_READ|unix.PROT_WRITE, map[string]int{"private": unix.MAP_PRIVATE, "shared": unix.MAP_SHARED}[a[1]]|unix.MAP_ANONYMOUS)
		_ = b
		return err
	},

	// The kernel.
	"iouring":     func([]string) error { return raw(unix.SYS_IO_URING_SETUP, 8, uintptr(unsafe.Pointer(&[120]byte{}))) },
	"unshare":     func([]string) error { return unix.Unshare(unix.CLONE_NEWUSER) },
	"mount":       func([]string) error { return unix.Mount("none", "/tmp", "tmpfs", 0, "") },
	"setns":       func([]string) error { return raw(unix.SYS_SETNS, 0, 0) },
	"chroot":      func([]string) error { return unix.Chroot("/") },
	"bpf":         func([]string) error { return raw(unix.SYS_BPF, 0, 0, 0) },
	"keyctl":      func([]string) error { return raw(unix.SYS_KEYCTL, 0, 0, 0) },
	"perf":        func([]string) error { return raw(unix.SYS_PERF_EVENT_OPEN, 0, 0, 0) },
	"userfaultfd": func([]string) error { return raw(unix.SYS_USERFAULTFD, 0) },
	"personality": func([]string) error { return raw(unix.SYS_PERSONALITY, 0x0400000) },
	"tiocsti":     func([]string) error { return raw(unix.SYS_IOCTL, 0, unix.TIOCSTI, text("x")) },
	"tiocstihigh": func([]string) error { return raw(unix.SYS_IOCTL, 0, unix.TIOCSTI|1<<32, text("x")) },
	"shm":         func([]string) error { return raw(unix.SYS_SHMGET, 0, 4096, 0o1600) },
	"sem":         func([]string) error { return raw(unix.SYS_SEMGET, 0, 1, 0o1600) },
	"msg":         func([]string) error { return raw(unix.SYS_MSGGET, 0, 0o1600) },
	"mqueue":      func([]string) error { return raw(unix.SYS_MQ_OPEN, text("q"), 0o102, 0o600, 0) },
	"newer":       func([]string) error { return raw(unix.SYS_SETXATTRAT) },
	"newest":      func([]string) error { return raw(2000) },

	// The network.
	"unix": func([]string) error { return made(unix.AF_UNIX, unix.SOCK_STREAM, 0) },
	"socketpair": func([]string) error {
		fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		if err != nil {
			return err
		}
		_, err = unix.SendmsgN(fds[0], []byte("hello"), nil, nil, 0)
		return err
	},
	"passing": func([]string) error {
		fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		if err != nil {
			return err
		}
		return unix.Sendmsg(fds[0], []byte("x"), unix.UnixRights(0), nil, 0)
	},
	"handover": func([]string) error {
		fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		if err != nil {
			return err
		}
		return unix.Sendmsg(fds[0], []byte("x"), nil, nil, 0x1e00)
	},
	"abstract": func(a []string) error { // a datagram from one end of a pair to a name
		fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
		if err != nil {
			return err
		}
		return unix.Sendto(fds[0], []byte("x"), 0, &unix.SockaddrUnix{Name: a[0]})
	},
	"vsock":   func([]string) error { return made(unix.AF_VSOCK, unix.SOCK_STREAM, 0) },
	"netlink": func([]string) error { return made(unix.AF_NETLINK, unix.SOCK_RAW, 0) },
	"packet":  func([]string) error { return made(unix.AF_PACKET, unix.SOCK_RAW, 0) },
	"raw":     func([]string) error { return made(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP) },
	"ping":    func([]string) error { return made(unix.AF_INET, unix.SOCK_DGRAM, unix.IPPROTO_ICMP) },
	"mptcp":   func([]string) error { return made(unix.AF_INET, unix.SOCK_STREAM, 262) },
	"sctp":    func([]string) error { return made(unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_SCTP) },
	"high": func([]string) error { // the halves of an argument that the kernel does not read
		return raw(unix.SYS_SOCKET, unix.AF_UNIX|1<<32, unix.SOCK_STREAM, 0)
	},
	"connect": func(a []string) error { return dial("tcp", a[0]) },
	"udp":     func(a []string) error { return sendUDP(a[0]) },
	"udpconnected": func(a []string) error {
		c, err := net.Dial("udp", a[0])
		if err != nil {
			return err
		}
		_, err = c.Write([]byte("x"))
		return err
	},
	"fastopen": func(a []string) error { return fastOpened(a[0]) },
	"bind": func(a []string) error {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
		if err != nil {
			return err
		}
		return unix.Bind(fd, &unix.SockaddrInet4{Port: int(number(a[0])), Addr: [4]byte{127, 0, 0, 1}})
	},
	"listen": func(a []string) error {
		l, err := net.Listen("tcp", a[0])
		if err != nil {
			return err
		}
		return l.Close()
	},
	"listenunbound": func([]string) error {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
		if err != nil {
			return err
		}
		return unix.Listen(fd, 1)
	},
	"resolve": func(a []string) error {
		addrs, err := (&net.Resolver{PreferGo: true}).LookupHost(backgroundContext(), a[0])
		if err != nil {
			var d *net.DNSError
			if errors.As(err, &d) && d.IsNotFound {
				return errors.New("no such host")
			}
			return err
		}
		return errors.New(strings.Join(addrs, " "))
	},
	"flip": func(a []string) error { return flip(a[0], a[1], int(number(a[2]))) },
	"wait": func([]string) error { // for ever, until it is ended
		fmt.Println(os.Getpid())
		return forEver()
	},
	"stuck": func(a []string) error { // in connects that are never accepted
		for range number(a[1]) {
			go func() { _ = dialNow(a[0]) }()
		}
		fmt.Println("stuck")
		return forEver()
	},
	"get": func(a []string) error { return get(a[0]) },
	"flood": func([]string) error {
		var w sync.WaitGroup
		for range 64 {
			w.Go(func() {
				for range 200 {
					_ = opened("/etc/shadow", unix.O_RDONLY)
					_ = dialNow("192.0.2.1:1")
				}
			})
		}
		w.Wait()
		return nil
	},
}

// forEver waits. A select without a case is a deadlock where nothing else runs.
func forEver() error {
	for {
		if _, err := unix.Poll(nil, -1); err != nil && err != unix.EINTR {
			return err
		}
	}
}

// swapped starts a link 300 times while another thread makes it lead to a granted and to
// a forbidden command in turn. It reports how often each ran.
func swapped(dir, granted, forbidden string) error {
	link := filepath.Join(dir, "link")
	if err := errors.Join(os.Symlink(granted, link+"0"), os.Symlink(forbidden, link+"1"), os.Symlink(granted, link)); err != nil {
		return err
	}
	over := make(chan struct{})
	var w sync.WaitGroup
	w.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-over:
				return
			default:
			}
			next := link + "-next"
			_ = os.Symlink([]string{granted, forbidden}[i&1], next)
			_ = os.Rename(next, link)
		}
	})
	ran, won := 0, 0
	for range 300 {
		out, err := exec.Command(link, "won").Output()
		switch {
		case strings.Contains(string(out), "won"):
			won++
		case err == nil:
			ran++
		}
	}
	close(over)
	w.Wait()
	return fmt.Errorf("%d of %t", won, ran > 0 && ran < 300)
}
