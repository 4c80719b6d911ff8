//go:build amd64 || arm64

package confine

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// notification is struct seccomp_notif.
type notification struct {
	ID     uint64
	PID    uint32 // of the thread
	Flags  uint32
	Number int32
	Arch   uint32
	IP     uint64
	Args   [6]uint64
}

// response is struct seccomp_notif_resp.
type response struct {
	ID    uint64
	Value int64
	Error int32
	Flags uint32
}

const (
	ioctlValid = 0x40082102 // SECCOMP_IOCTL_NOTIF_ID_VALID
	ioctlFlags = 0x40082104 // SECCOMP_IOCTL_NOTIF_SET_FLAGS

	addressMax = 128       // struct sockaddr_storage
	sendMax    = 256 << 10 // size of one message, more than a datagram may have; a stream may accept less than it is given
	vectorMax  = 1024      // UIO_MAXIOV
	actsMax    = 256       // calls in progress at the same time; further callers wait
	recordsMax = 4096      // opens that wait to be compared with the policy

	// rest is the time after a comparison in which opens are collected. A start has
	// hundreds, and to wake the comparison for each costs more than comparing them.
	rest = 20 * time.Millisecond
)

// atCwd is AT_FDCWD as an argument of a system call.
var atCwd = uint64(uint32(0xffffff9c))

// supervisor answers the caught calls of one server. It decides on its own copy of the
// caller's memory, makes the call itself, and never lets the kernel repeat a call that it
// decided on.
type supervisor struct {
	listener   int
	stop       int           // an eventfd, for the loop that waits for calls
	quit       chan struct{} // the same, for waiting for a slot
	pid        int           // the server's
	sockets    bool
	truncation bool // Landlock decides on truncation
	policy     *Policy
	audit      *audit
	names      *names
	private    []string // the server's HOME and TMPDIR
	executed   bool     // the server's own program runs, or is about to
	made       sessionFiles
	resolve    lookup // until cancel is called
	cancel     func()

	recording atomic.Bool

	mu    sync.Mutex
	ended bool
	busy  map[int]bool // copies of sockets that a call may block on

	acts    sync.WaitGroup
	slots   chan struct{}
	records chan record
	hurry   chan struct{} // ends a rest
	done    chan struct{}

	settling sync.RWMutex // locked while records must not be closed
	settled  bool
}

func (s *supervisor) serve() {
	s.busy, s.slots, s.records = map[int]bool{}, make(chan struct{}, actsMax), make(chan record, recordsMax)
	s.quit, s.done, s.hurry = make(chan struct{}), make(chan struct{}), make(chan struct{}, 1)
	compared := make(chan struct{})
	go func() {
		defer close(compared)
		s.compareAll()
	}()
	go func() {
		defer close(s.done)
		s.loop()
		s.release()
		s.acts.Wait()
		s.settling.Lock()
		s.settled = true
		close(s.records)
		s.wake()
		s.settling.Unlock()
		<-compared
		s.names.close()
		_ = unix.Close(s.listener)
	}()
}

// compareAll compares the opens with the policy, all that came during a rest at once.
func (s *supervisor) compareAll() {
	for r := range s.records {
		if r.compared != nil {
			close(r.compared)
			continue
		}
		s.compare(r)
		if len(s.records) > 0 {
			continue
		}
		select {
		case <-s.hurry:
		case <-time.After(rest):
		}
	}
}

// wake ends the rest of the comparison, or the next one.
func (s *supervisor) wake() {
	select {
	case s.hurry <- struct{}{}:
	default:
	}
}

func (s *supervisor) loop() {
	runtime.LockOSThread() // the wake-up below is per thread
	defer runtime.UnlockOSThread()
	// From Linux 6.6 on a caller wakes the supervisor on its own processor. That takes a
	// fifth as long. Older kernels refuse the flag.
	_, _, _ = unix.Syscall(unix.SYS_IOCTL, uintptr(s.listener), ioctlFlags, unix.SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP)
	for {
		ready := []unix.PollFd{{Fd: int32(s.listener), Events: unix.POLLIN}, {Fd: int32(s.stop), Events: unix.POLLIN}}
		if _, err := unix.Poll(ready, -1); err != nil && err != unix.EINTR {
			return
		}
		switch {
		case ready[1].Revents != 0, ready[0].Revents&(unix.POLLHUP|unix.POLLNVAL) != 0:
			return // every process under the filter has ended, or this program ends them
		case ready[0].Revents&unix.POLLIN == 0: // POLLERR is a signal during the kernel's own look at the filter
			continue
		}
		n := &notification{}
		_, _, e := unix.Syscall(unix.SYS_IOCTL, uintptr(s.listener), unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(n)))
		if e != 0 {
			continue // the caller was killed meanwhile
		}
		s.answer(n)
	}
}

// answer handles cheap calls at once, and other calls in a goroutine that may block.
func (s *supervisor) answer(n *notification) {
	number, args := n.normal()
	if s.mayMake(number, args) {
		s.apart(n, func() {
			if !s.make(n, number, args) {
				s.goOn(n, number, args)
			}
		})
		return
	}
	switch number {
	case unix.SYS_OPENAT, unix.SYS_EXECVE, unix.SYS_EXECVEAT,
		unix.SYS_MKDIRAT, unix.SYS_SYMLINKAT, unix.SYS_LINKAT, unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_TRUNCATE:
		s.goOn(n, number, args)
		return
	}
	s.apart(n, func() {
		r := response{ID: n.ID}
		value, e := s.act(n, number, args)
		if r.Value = value; e != 0 {
			r.Value, r.Error = 0, -int32(e)
		}
		s.respond(r)
	})
}

// goOn records a call and lets the kernel make it: Landlock decides.
func (s *supervisor) goOn(n *notification, number int32, args [6]uint64) {
	s.note(n, number, args)
	r := response{ID: n.ID, Flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
	if !s.truncation && empties(number, args) {
		r = response{ID: n.ID, Error: -int32(unix.EACCES)}
	}
	s.respond(r)
}

func (s *supervisor) apart(n *notification, do func()) {
	select {
	case s.slots <- struct{}{}:
	case <-s.quit: // calls that block have every slot, and are cut off next
		s.respond(response{ID: n.ID, Error: -int32(unix.EACCES)})
		return
	}
	s.acts.Go(func() {
		defer func() { <-s.slots }()
		do()
	})
}

func (s *supervisor) respond(r response) {
	// a killed caller needs no answer
	_, _, _ = unix.Syscall(unix.SYS_IOCTL, uintptr(s.listener), unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&r)))
}

// valid reports whether the caller still waits. Then a pid that was looked up before is
// the caller's, and was not given to another process meanwhile.
func (s *supervisor) valid(n *notification) bool {
	id := n.ID
	_, _, e := unix.Syscall(unix.SYS_IOCTL, uintptr(s.listener), ioctlValid, uintptr(unsafe.Pointer(&id)))
	return e == 0
}

// act makes one call. It refuses an unknown call.
func (s *supervisor) act(n *notification, number int32, args [6]uint64) (int64, unix.Errno) {
	switch number {
	case unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_LISTEN, unix.SYS_SENDTO, unix.SYS_SENDMSG:
		return s.socketCall(n)
	case unix.SYS_UNLINKAT:
		return 0, s.unlink(n, args)
	case unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHMOD:
		return 0, s.changeMode(n, number, args)
	case unix.SYS_UTIMENSAT:
		return 0, s.changeTimes(n, args)
	default:
		if number == unix.SYS_CLONE || slices.Contains(oldForks, uintptr(number)) {
			s.blocked(n, "start", "", Exec)
		}
	}
	return 0, unix.EPERM
}

// blocked records an attempt. Attempts of the self-proof, before the server's own program
// runs, are not the server's.
func (s *supervisor) blocked(n *notification, action, resource string, needs Permission) {
	if s.recording.Load() {
		s.audit.record(action, resource, needs, s.pid, threadName(n.PID))
	}
}

// close ends the supervisor and waits. Calls under way are cut off.
func (s *supervisor) close() {
	close(s.quit)
	one := [8]byte{1}
	_, _ = unix.Write(s.stop, one[:])
	<-s.done
	_ = unix.Close(s.stop)
}

// settle waits until every open so far was compared with the policy.
func (s *supervisor) settle() {
	s.settling.RLock()
	defer s.settling.RUnlock()
	if s.settled {
		return
	}
	compared := make(chan struct{})
	s.wake()
	s.records <- record{compared: compared}
	<-compared
}

// release ends blocking calls: their callers have ended, and a connect would occupy a
// thread for two minutes.
func (s *supervisor) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	s.cancel()
	for fd := range s.busy {
		_ = unix.Shutdown(fd, unix.SHUT_RDWR)
	}
}

// blocking runs a call on a copy of a socket, which release can cut off.
func (s *supervisor) blocking(fd int, call func() (int64, unix.Errno)) (int64, unix.Errno) {
	s.mu.Lock()
	if s.ended {
		s.mu.Unlock()
		return 0, unix.ECONNABORTED
	}
	s.busy[fd] = true
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.busy, fd)
	}()
	return call()
}

// threadName returns a thread's name, which the thread chose itself.
func threadName(tid uint32) string {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", tid))
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(b), "\n")
}

// peek copies a caller's memory, once. The decision is on the copy.
func peek(n *notification, address uint64, size int) ([]byte, unix.Errno) {
	if size <= 0 {
		return nil, 0
	}
	b := make([]byte, size)
	if got, e := readMemory(n, address, b); got != size {
		return nil, e
	}
	return b, 0
}

// peekString copies a text that ends with a zero byte, up to the length of a path.
func peekString(n *notification, address uint64) (string, unix.Errno) {
	if address == 0 {
		return "", unix.EFAULT
	}
	const page = 4096 // a text may end right before memory that cannot be read
	var text []byte
	for len(text) < unix.PathMax {
		part := make([]byte, page-address%page)
		got, e := readMemory(n, address, part)
		if part = part[:got]; got == 0 {
			return "", e
		}
		if end := bytes.IndexByte(part, 0); end >= 0 {
			return string(append(text, part[:end]...)), 0
		}
		text, address = append(text, part...), address+uint64(len(part))
	}
	return "", unix.ENAMETOOLONG
}

// readMemory returns the number of bytes read, and the error if that is not all of them.
// The error is EPERM if this program may not read the caller's process.
func readMemory(n *notification, address uint64, b []byte) (int, unix.Errno) {
	here := []unix.Iovec{{Base: &b[0], Len: uint64(len(b))}}
	there := []unix.RemoteIovec{{Base: uintptr(address), Len: len(b)}}
	got, err := unix.ProcessVMReadv(int(n.PID), here, there, 0)
	if err == unix.EPERM {
		return 0, unix.EPERM
	}
	return max(got, 0), unix.EFAULT
}
