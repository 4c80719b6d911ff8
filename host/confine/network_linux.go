//go:build amd64 || arm64

package confine

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// socket is a copy of a caller's own socket. It is the same open file description, so
// O_NONBLOCK, options and epoll registrations stay, and nothing has to be put back.
type socket struct {
	fd, family, kind int
}

// fits reports whether the socket can have an address. Formatted for another family, it
// would be another address.
func (k socket) fits(a netip.AddrPort) bool { return k.family == unix.AF_INET6 || a.Addr().Is4() }

// copyDescriptor copies the socket, and then checks that the caller still waits.
func (s *supervisor) copyDescriptor(n *notification, fd int32) (int, unix.Errno) {
	if !s.sockets {
		return -1, unix.EACCES
	}
	const thread = unix.O_EXCL // PIDFD_THREAD, from Linux 6.9
	pidfd, err := unix.PidfdOpen(int(n.PID), thread)
	if err != nil {
		pidfd, err = unix.PidfdOpen(leaderOf(n.PID), 0)
	}
	if err != nil {
		return -1, unix.EPERM
	}
	defer func() { _ = unix.Close(pidfd) }()
	if !s.valid(n) {
		return -1, unix.ESRCH
	}
	copied, err := unix.PidfdGetfd(pidfd, int(fd), 0)
	return copied, errno(err)
}

func errno(err error) unix.Errno {
	switch e := err.(type) { //nolint:errorlint // system calls return bare numbers
	case nil:
		return 0
	case unix.Errno:
		return e
	}
	return unix.EIO
}

// leaderOf returns the process of a thread, or 0 if it has ended. Its descriptors are
// those of its threads, unless a thread has a separate table. Then the supervisor acts on
// another socket of the same server, under the same checks.
func leaderOf(tid uint32) int {
	pid, err := strconv.Atoi(statusOf(tid, "Tgid"))
	if err != nil {
		return 0
	}
	return pid
}

// statusOf returns a field of a thread's status in /proc, or "".
func statusOf(tid uint32, field string) string {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", tid)) // a thread that has ended has none
	_, rest, _ := strings.Cut(string(status), "\n"+field+":")
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(line)
}

// socketCall makes connect, bind, listen, sendto and sendmsg calls on the caller's own
// socket, with its checked copy of the address.
func (s *supervisor) socketCall(n *notification) (int64, unix.Errno) {
	m, e := messageOf(n)
	if e == unix.EPERM && n.Number == unix.SYS_CONNECT {
		s.blocked(n, "connect", "of a program that this user may not read", "")
	}
	if e != 0 {
		return 0, e
	}
	if len(m.to) >= 2 && binary.NativeEndian.Uint16(m.to) == unix.AF_UNIX {
		return 0, s.local(n, m.to)
	}
	fd, e := s.copyDescriptor(n, int32(n.Args[0]))
	if e == unix.EACCES { // its sockets cannot be reached, and no scope needs them
		s.blockedNetwork(n, m)
	}
	if e != 0 {
		return 0, e
	}
	defer func() { _ = unix.Close(fd) }()
	family, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_DOMAIN)
	kind, err2 := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TYPE)
	if err != nil || err2 != nil {
		return 0, unix.ENOTSOCK
	}
	k := socket{fd, family, kind}
	if family == unix.AF_UNIX {
		return s.pair(n, k, m)
	}
	if family != unix.AF_INET && family != unix.AF_INET6 {
		return 0, unix.EACCES
	}
	switch n.Number {
	case unix.SYS_BIND:
		return 0, s.bind(n, k, m.to)
	case unix.SYS_LISTEN:
		return 0, s.listen(n, k)
	case unix.SYS_CONNECT:
		return s.connect(n, k, m.to)
	}
	return s.send(n, k, m)
}

type message struct {
	to    []byte // a struct sockaddr, nil for none
	data  []byte
	flags int
}

// messageOf copies the message. Ancillary data is refused: it can carry a descriptor or
// choose an address.
func messageOf(n *notification) (m message, e unix.Errno) {
	switch n.Number {
	case unix.SYS_CONNECT, unix.SYS_BIND:
		m.to, e = peekAddress(n, n.Args[1], n.Args[2])
	case unix.SYS_SENDTO:
		m.flags = int(int32(n.Args[3]))
		if m.to, e = peekAddress(n, n.Args[4], n.Args[5]); e == 0 {
			m.data, e = peek(n, n.Args[1], int(min(n.Args[2], sendMax)))
		}
	case unix.SYS_SENDMSG:
		m, e = peekMessage(n)
	}
	return m, e
}

func peekAddress(n *notification, at, size uint64) ([]byte, unix.Errno) {
	size = uint64(uint32(size))
	if size < 2 || size > addressMax {
		return nil, unix.EINVAL
	}
	return peek(n, at, int(size))
}

// peekMessage reads struct msghdr: a name, a vector and control data, and flags.
func peekMessage(n *notification) (m message, e unix.Errno) {
	h, e := peek(n, n.Args[1], int(unsafe.Sizeof(unix.Msghdr{})))
	if e != 0 {
		return m, e
	}
	word := binary.LittleEndian.Uint64
	name, nameLen, vector, count, control := word(h), binary.LittleEndian.Uint32(h[8:]), word(h[16:]), word(h[24:]), word(h[40:])
	m.flags = int(int32(n.Args[2]))
	if control != 0 {
		return m, unix.EPERM
	}
	if name != 0 && nameLen > 0 {
		if m.to, e = peekAddress(n, name, uint64(nameLen)); e != 0 {
			return m, e
		}
	}
	if count > vectorMax {
		return m, unix.EMSGSIZE
	}
	v, e := peek(n, vector, int(count)*int(unsafe.Sizeof(unix.Iovec{})))
	for ; e == 0 && len(v) > 0 && len(m.data) < sendMax; v = v[16:] {
		var part []byte
		part, e = peek(n, word(v), int(min(word(v[8:]), uint64(sendMax-len(m.data)))))
		m.data = append(m.data, part...)
	}
	return m, e
}

// local refuses the address of a local socket, and records it by its path, or by its
// abstract name. An absent path is not an attempt.
func (s *supervisor) local(n *notification, address []byte) unix.Errno {
	name, action := address[2:], "connect"
	if n.Number == unix.SYS_BIND {
		action = "listen"
	}
	if len(name) > 0 && name[0] == 0 {
		s.blocked(n, action, "@"+string(name[1:]), "")
		return unix.EACCES
	}
	path, _, _ := strings.Cut(string(name), "\x00")
	if path == "" {
		return unix.EACCES
	}
	if !strings.HasPrefix(path, "/") {
		dir, err := os.Readlink(base(n, atCwd, path))
		if err != nil || !s.valid(n) {
			return unix.EACCES
		}
		path = filepath.Join(dir, path)
	}
	actual, there := where(path)
	if !there && action == "connect" {
		return unix.ENOENT
	}
	s.blocked(n, action, actual, "")
	return unix.EACCES
}

// pair serves one end of a socketpair. It may send to its other end, and to no address.
func (s *supervisor) pair(n *notification, k socket, m message) (int64, unix.Errno) {
	if m.to != nil || n.Number == unix.SYS_LISTEN {
		return 0, unix.EACCES
	}
	return s.write(k, m, nil)
}

func (s *supervisor) bind(n *notification, k socket, raw []byte) unix.Errno {
	to, ok := parseAddress(raw)
	if !ok || !k.fits(to) {
		return unix.EAFNOSUPPORT
	}
	// Port 0 lets the kernel choose a port, for a client. listen is checked separately,
	// and a server cannot answer what arrives there over UDP.
	if to.Port() != 0 && !s.policy.listens(to.Port()) {
		s.blocked(n, "listen", strconv.Itoa(int(to.Port())), NetworkServer)
		return unix.EACCES
	}
	return withAddress(unix.SYS_BIND, k.fd, formatAddress(to, k.family))
}

// listen checks the socket's actual port. A socket that was never bound would get any.
func (s *supervisor) listen(n *notification, k socket) unix.Errno {
	port := k.port()
	if !s.policy.listens(port) {
		s.blocked(n, "listen", strconv.Itoa(int(port)), NetworkServer)
		return unix.EACCES
	}
	_, _, e := unix.Syscall(unix.SYS_LISTEN, uintptr(k.fd), uintptr(int32(n.Args[1])), 0)
	if e == 0 && !s.policy.listens(k.port()) { // another thread has unbound the port meanwhile
		_ = unix.Shutdown(k.fd, unix.SHUT_RDWR)
		return unix.EACCES
	}
	return e
}

func (k socket) port() uint16 {
	at, _ := unix.Getsockname(k.fd) // a socket without a name has no port
	switch at := at.(type) {
	case *unix.SockaddrInet4:
		return uint16(at.Port)
	case *unix.SockaddrInet6:
		return uint16(at.Port)
	}
	return 0
}

func (s *supervisor) connect(n *notification, k socket, raw []byte) (int64, unix.Errno) {
	if binary.NativeEndian.Uint16(raw) == unix.AF_UNSPEC { // dissolves a connection
		return 0, withAddress(unix.SYS_CONNECT, k.fd, make([]byte, 16))
	}
	to, e := s.target(n, k, raw, "connect")
	if e != 0 {
		return 0, e
	}
	return s.blocking(k.fd, func() (int64, unix.Errno) { return 0, withAddress(unix.SYS_CONNECT, k.fd, to) })
}

func (s *supervisor) send(n *notification, k socket, m message) (int64, unix.Errno) {
	var to []byte
	if m.to != nil && k.kind == unix.SOCK_DGRAM { // a stream ignores it
		var e unix.Errno
		if to, e = s.target(n, k, m.to, "send"); e != 0 {
			return 0, e
		}
	}
	return s.write(k, m, to)
}

// sendFlags are the flags that a caller may send with. MSG_ZEROCOPY is not among them:
// the kernel would read this program's memory after the call.
const sendFlags = unix.MSG_DONTWAIT | unix.MSG_MORE | unix.MSG_OOB | unix.MSG_EOR | unix.MSG_DONTROUTE | unix.MSG_CONFIRM

// write sends on the copy. A broken pipe is an error for the caller and not a signal for
// this program.
func (s *supervisor) write(k socket, m message, to []byte) (int64, unix.Errno) {
	return s.blocking(k.fd, func() (int64, unix.Errno) {
		r, _, e := unix.Syscall6(unix.SYS_SENDTO, uintptr(k.fd), uintptr(unsafe.Pointer(unsafe.SliceData(m.data))), uintptr(len(m.data)),
			uintptr(m.flags&sendFlags|unix.MSG_NOSIGNAL), uintptr(unsafe.Pointer(unsafe.SliceData(to))), uintptr(len(to)))
		return int64(r), e
	})
}

func (s *supervisor) target(n *notification, k socket, raw []byte, action string) ([]byte, unix.Errno) {
	asked, ok := parseAddress(raw)
	if !ok || !k.fits(asked) {
		return nil, unix.EAFNOSUPPORT
	}
	to, label, e := s.lead(asked, k)
	// To sort addresses, resolvers connect datagram sockets and send nothing.
	sends := k.kind == unix.SOCK_STREAM || action == "send"
	if e == unix.EACCES && sends && label != "" {
		s.blocked(n, action, label, NetworkClient)
	}
	if e != 0 {
		return nil, e
	}
	return formatAddress(to, k.family), 0
}

// lead decides where a connection goes. A name's stand-in leads to the name's address, a
// question to any name server to the stub, and a granted address to itself. Every other
// address is refused. label names the requested address.
func (s *supervisor) lead(asked netip.AddrPort, k socket) (to netip.AddrPort, label string, e unix.Errno) {
	const dns = 53
	if name, known := s.names.of(asked.Addr()); known {
		label = name + ":" + strconv.Itoa(int(asked.Port()))
		if k.kind != unix.SOCK_STREAM || !s.policy.hosts.allowsName(name, asked.Port()) {
			return to, label, unix.EACCES
		}
		return s.resolved(name, asked.Port(), k, label)
	}
	switch {
	case k.kind == unix.SOCK_STREAM && s.policy.hosts.allowsAddr(asked):
		return asked, "", 0
	case asked.Port() == dns:
		to, err := s.names.stub()
		if err != nil {
			return to, "", unix.ENETUNREACH
		}
		return to, "", 0
	}
	return to, asked.String(), unix.EACCES
}

// resolved returns a granted name's current address. The lookup happens only when a
// connection is made, and does not affect connections made before.
func (s *supervisor) resolved(name string, port uint16, k socket, label string) (netip.AddrPort, string, unix.Errno) {
	addrs, err := s.resolve(name)
	if err != nil {
		return netip.AddrPort{}, label, unix.EHOSTUNREACH
	}
	e := unix.EHOSTUNREACH // none of the socket's family
	for _, addr := range addrs {
		to := netip.AddrPortFrom(addr.Unmap(), port)
		if !k.fits(to) {
			continue
		}
		if s.policy.hosts.reaches(to) {
			return to, "", 0
		}
		e, label = unix.EACCES, to.String() // an internal address, which has to be granted as an address
	}
	return netip.AddrPort{}, label, e
}

// blockedNetwork records a call that is refused for any address.
func (s *supervisor) blockedNetwork(n *notification, m message) {
	to, ok := parseAddress(m.to)
	switch {
	case !ok:
	case n.Number == unix.SYS_BIND && to.Port() != 0:
		s.blocked(n, "listen", strconv.Itoa(int(to.Port())), NetworkServer)
	case n.Number == unix.SYS_CONNECT, n.Number == unix.SYS_SENDTO:
		s.blocked(n, "connect", to.String(), NetworkClient)
	}
}

func withAddress(number uintptr, fd int, address []byte) unix.Errno {
	_, _, e := unix.Syscall(number, uintptr(fd), uintptr(unsafe.Pointer(&address[0])), uintptr(len(address)))
	return e
}
