package confine

import (
	"errors"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Probes of ways around the three parts that decide. Each uses a call that none of the
// parts used to see.
func init() {
	probes["option"] = func(a []string) error { return setOption(a[0]) }
	probes["attributes"] = func(a []string) error { // FS_IOC_SETFLAGS, on a file that is open for reading
		f, err := os.Open(a[0])
		if err != nil {
			return err
		}
		defer f.Close()
		flags, err := unix.IoctlGetUint32(int(f.Fd()), unix.FS_IOC_GETFLAGS)
		if err != nil {
			return err
		}
		return unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, int(flags|nodump))
	}
	probes["lease"] = func(a []string) error { return control(a[0], unix.F_SETLEASE, unix.F_RDLCK) }
	probes["notify"] = func(a []string) error { return control(a[0], unix.F_NOTIFY, creations) }
	probes["create"] = func(a []string) error { return create(unix.SYS_OPENAT, a[0], number(a[1])) }
	probes["inmemory"] = func(a []string) error { // a file without a name, which a link would give one
		dirfd := unix.AT_FDCWD
		return raw(unix.SYS_OPENAT, uintptr(dirfd), text(a[0]), unix.O_TMPFILE|unix.O_RDWR, number(a[1]))
	}
	probes["msgsnd"] = func(a []string) error {
		return raw(unix.SYS_MSGSND, number(a[0]), uintptr(unsafe.Pointer(&message64{1, [8]byte{'x'}})), 8, unix.IPC_NOWAIT)
	}
	probes["semop"] = func(a []string) error {
		return raw(unix.SYS_SEMOP, number(a[0]), uintptr(unsafe.Pointer(&[3]int16{0, 1, unix.IPC_NOWAIT})), 1)
	}
	probes["landlocked"] = func(a []string) error { // by Landlock alone, without a filter or a supervisor
		runtime.LockOSThread()
		r, err := newRuleset(abi(), false)
		if err != nil {
			return err
		}
		if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
			return err
		}
		if err := raw(unix.SYS_LANDLOCK_RESTRICT_SELF, r.file.Fd(), 0); err != nil {
			return err
		}
		return dialNow(a[0])
	}
	probes["asgroup"] = func([]string) error {
		if unix.Getpgrp() != os.Getpid() {
			return errors.New("it is in the group of another process")
		}
		return nil
	}
}

// nodump is FS_NODUMP_FL of linux/fs.h.
const nodump = 0x40

// creations is DN_CREATE of fcntl.h.
const creations = 0x4

type message64 struct {
	kind int64
	text [8]byte
}

func control(path string, command, arg int) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = unix.FcntlInt(f.Fd(), command, arg)
	return err
}

func create(number uintptr, path string, mode uintptr) error {
	dirfd := unix.AT_FDCWD
	return raw(number, uintptr(dirfd), text(path), unix.O_CREAT|unix.O_WRONLY, mode)
}

// setOption sets an option that sends packets elsewhere than the address that
// was checked, and ordinary ones.
func setOption(name string) error {
	family := unix.AF_INET
	if name == "IPV6_RTHDR" || name == "V6ONLY" || name == "IPV6_UNICAST_IF" {
		family = unix.AF_INET6
	}
	fd, err := unix.Socket(family, unix.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	const lo = 1 // in every network namespace
	switch name {
	case "IP_OPTIONS": // loose source routing by way of 192.0.2.7 (RFC 791)
		return unix.SetsockoptString(fd, unix.IPPROTO_IP, unix.IP_OPTIONS, "\x83\x07\x04\xc0\x00\x02\x07\x00")
	case "SO_BINDTODEVICE":
		return unix.SetsockoptString(fd, unix.SOL_SOCKET, unix.SO_BINDTODEVICE, "lo")
	case "SO_BINDTOIFINDEX":
		return unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_BINDTOIFINDEX, lo)
	case "IP_UNICAST_IF":
		return unix.SetsockoptInt(fd, unix.IPPROTO_IP, unix.IP_UNICAST_IF, lo<<24)
	case "IP_ADD_MEMBERSHIP":
		return unix.SetsockoptIPMreq(fd, unix.IPPROTO_IP, unix.IP_ADD_MEMBERSHIP, &unix.IPMreq{Multiaddr: [4]byte{239, 1, 2, 3}, Interface: [4]byte{127, 0, 0, 1}})
	case "IPV6_RTHDR": // type 2 (RFC 6275), by way of 2001:db8::7
		return unix.SetsockoptString(fd, unix.IPPROTO_IPV6, unix.IPV6_RTHDR, "\x00\x02\x02\x01\x00\x00\x00\x00\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x07")
	case "IPV6_UNICAST_IF":
		return unix.SetsockoptInt(fd, unix.IPPROTO_IPV6, unix.IPV6_UNICAST_IF, lo<<24)
	case "V6ONLY":
		return unix.SetsockoptInt(fd, unix.IPPROTO_IPV6, unix.IPV6_V6ONLY, 1)
	case "SO_REUSEADDR":
		return unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1)
	case "IP_TOS":
		return unix.SetsockoptInt(fd, unix.IPPROTO_IP, unix.IP_TOS, 8)
	}
	return errors.New("no such option")
}
