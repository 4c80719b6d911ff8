package confine

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

func init() {
	probes["attribute"] = func(a []string) error { return attributesOf(unix.Getxattr(a[0], "user.secret", make([]byte, 64))) }
	probes["linkattribute"] = func(a []string) error { return attributesOf(unix.Lgetxattr(a[0], "user.secret", make([]byte, 64))) }
	probes["listattributes"] = func(a []string) error { return attributesOf(unix.Listxattr(a[0], make([]byte, 64))) }
	probes["linkattributes"] = func(a []string) error { return attributesOf(unix.Llistxattr(a[0], make([]byte, 64))) }
	probes["fdattribute"] = func(a []string) error {
		return byPath(a[0], func(fd int) error { return attributesOf(unix.Fgetxattr(fd, "user.secret", make([]byte, 64))) })
	}
	probes["fdattributes"] = func(a []string) error {
		return byPath(a[0], func(fd int) error { return attributesOf(unix.Flistxattr(fd, make([]byte, 64))) })
	}
	probes["lateattribute"] = func(a []string) error { // getxattrat of Linux 6.13
		return raw(464, uintptr(atCwd), text(a[0]), 0, text("user.secret"), text(strings.Repeat("\x00", 64)), 16)
	}
	probes["execwritten"] = func([]string) error { // a program that it wrote to its private directory
		path := filepath.Join(os.TempDir(), "program")
		if err := copyProgram(path); err != nil {
			return err
		}
		return unix.Exec(path, []string{path, "probe", "temp"}, os.Environ())
	}
	probes["peer"] = func(a []string) error { // where a datagram would go
		c, err := net.Dial("udp", a[0])
		if err != nil {
			return err
		}
		defer c.Close()
		fd, err := c.(*net.UDPConn).File()
		if err != nil {
			return err
		}
		at, err := unix.Getpeername(int(fd.Fd()))
		if err != nil {
			return err
		}
		return errors.New(net.IP(at.(*unix.SockaddrInet4).Addr[:4:4]).String())
	}
	probes["unixto"] = func(a []string) error { // a datagram from one end of a pair to a socket's path
		fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
		if err != nil {
			return err
		}
		return errors.Join(raw(unix.SYS_SENDTO, uintptr(fds[0]), text("x"), 1, 0, sockaddrUnix(a[0]), uintptr(3+len(a[0]))),
			raw(unix.SYS_CONNECT, uintptr(fds[0]), sockaddrUnix(a[0]), uintptr(3+len(a[0]))))
	}
	probes["afterwards"] = func(a []string) error { // when a line comes
		fmt.Println("ready")
		if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
			return err
		}
		return errors.New(said(dialNow(a[0])) + " " + said(opened(a[1], unix.O_RDONLY)))
	}
	probes["twice"] = func(a []string) error { // two processes, each with its own memory
		if err := probes["memory"]([]string{a[0], "private"}); err != nil {
			return err
		}
		self, err := os.Executable()
		if err != nil {
			return err
		}
		out, err := exec.Command(self, "probe", "memory", a[0], "private").Output()
		if err == nil && strings.TrimSpace(string(out)) != "ok" {
			err = errors.New(string(out))
		}
		return err
	}
	probes["files"] = func(a []string) error { // many files, each under the limit
		for i := range number(a[0]) {
			if err := os.WriteFile(filepath.Join(os.TempDir(), fmt.Sprint(i)), make([]byte, number(a[1])), 0o600); err != nil {
				return err
			}
		}
		return nil
	}
}

func sockaddrUnix(path string) uintptr { return text("\x01\x00" + path) }

func attributesOf(_ int, err error) error { return err }

// byPath does something with a descriptor that gives no right to the file.
func byPath(path string, do func(fd int) error) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	if err := do(fd); !errors.Is(err, unix.EBADF) {
		return err
	}
	return attributesOf(unix.Getxattr("/proc/self/fd/"+strconv.Itoa(fd), "user.secret", make([]byte, 64)))
}
