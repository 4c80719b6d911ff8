package confine

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

func init() {
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
