//go:build amd64 || arm64

package confine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A server may delete the files that it made in this session: a lock, or a file that it
// writes before it renames it. So the supervisor makes new files in writePaths itself,
// and identifies each by its device, its number, its time of birth and its handle.

const (
	ioctlAddFD = 0x40182103 // SECCOMP_IOCTL_NOTIF_ADDFD
	addAndSend = 1 << 1     // SECCOMP_ADDFD_FLAG_SEND
	maxMade    = 100_000    // files that are remembered

	// openFlags are the flags for an open that makes a file.
	openFlags = unix.O_ACCMODE | unix.O_TRUNC | unix.O_APPEND | unix.O_NONBLOCK | unix.O_SYNC | unix.O_DSYNC | unix.O_NOCTTY |
		unix.O_NOATIME | unix.O_DIRECT | unix.O_LARGEFILE | unix.O_NOFOLLOW
)

// identityOf distinguishes a file from every other. The file is a name in a directory, or
// the descriptor itself for "". A later file with its number differs if the file system
// records when a file was born, as not every one does. Times have the length of a tick of
// the kernel; in the same tick the handle differs (name_to_handle_at(2)), which has the
// generation of the number.
func identityOf(fd int, name string) (id string, born bool, err error) {
	var s unix.Statx_t
	if err := unix.Statx(fd, name, unix.AT_EMPTY_PATH|unix.AT_SYMLINK_NOFOLLOW, unix.STATX_INO|unix.STATX_BTIME, &s); err != nil {
		return "", false, err
	}
	id = fmt.Sprintf("%d:%d/%d", s.Dev_major, s.Dev_minor, s.Ino)
	if born = s.Mask&unix.STATX_BTIME != 0; born {
		id += fmt.Sprintf("@%d.%09d", s.Btime.Sec, s.Btime.Nsec)
	}
	if handle, _, err := unix.NameToHandleAt(fd, name, unix.AT_EMPTY_PATH); err == nil {
		id += fmt.Sprintf("#%d:%x", handle.Type(), handle.Bytes())
	}
	return id, born, nil
}

func identity(f *os.File) (string, error) {
	id, _, err := identityOf(int(f.Fd()), "")
	return id, err
}

// sessionFiles are the identities of the files that the server made in this session.
type sessionFiles struct {
	mu  sync.Mutex
	ids map[string]bool
}

func (m *sessionFiles) add(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ids == nil {
		m.ids = map[string]bool{}
	}
	if len(m.ids) < maxMade {
		m.ids[id] = true
	}
}

func (m *sessionFiles) has(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.ids[id]
}

func (m *sessionFiles) forget(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.ids, id)
}

// mayMake reports whether a call may make a file that the server may later delete.
func (s *supervisor) mayMake(number int32, args [6]uint64) bool {
	if len(s.policy.scopes.WritePaths) == 0 && len(s.policy.arguments) == 0 {
		return false
	}
	switch number {
	case unix.SYS_MKDIRAT, unix.SYS_SYMLINKAT:
		return true
	case unix.SYS_OPENAT:
		return args[2]&unix.O_CREAT != 0 && args[2]&(unix.O_PATH|unix.O_DIRECTORY) == 0
	}
	return false
}

// make makes a new file in a writePath. It returns false if the kernel has to decide:
// everywhere else, and if the name exists already.
func (s *supervisor) make(n *notification, number int32, args [6]uint64) (answered bool) {
	dirfd, at := args[0], args[1]
	if number == unix.SYS_SYMLINKAT {
		dirfd, at = args[1], args[2]
	}
	path, e := peekString(n, at)
	if e != 0 {
		return false
	}
	if number == unix.SYS_MKDIRAT {
		path = strings.TrimRight(path, "/")
	}
	fd, actual, name, e := s.openParent(n, dirfd, path)
	if e != 0 {
		return false
	}
	defer func() { _ = unix.Close(fd) }()
	needs := write
	if number == unix.SYS_OPENAT {
		needs = accessOf(args[2]) | write
	}
	if !s.makes(fd, actual, name, needs) || !s.valid(n) {
		return false
	}
	switch number {
	case unix.SYS_OPENAT:
		return s.makeFile(n, fd, name, args)
	case unix.SYS_MKDIRAT:
		return s.remember(n, fd, name, unix.Mkdirat(fd, name, uint32(args[2])&0o1777&^umaskOf(n.PID)))
	}
	target, e := peekString(n, args[0])
	return e == 0 && s.remember(n, fd, name, unix.Symlinkat(target, fd, name))
}

// makes reports whether a new name in a directory is in a writePath, with every requested
// access. The directory must belong to this user, so that this program has no more right
// to it than the server. It must also be below the same file as the grant.
func (s *supervisor) makes(fd int, dir, name string, needs access) bool {
	path := filepath.Join(dir, name)
	if s.owns(dir) {
		return false
	}
	for _, a := range []access{read, write} {
		if needs&a == 0 {
			continue
		}
		g, ok := s.policy.granting(path, a)
		if !ok || g.path == path {
			return false
		}
		if now, err := os.Stat(g.path); err != nil || !os.SameFile(now, g.info) {
			return false
		}
	}
	var st unix.Stat_t
	if unix.Fstat(fd, &st) != nil || st.Uid != uint32(os.Geteuid()) || st.Mode&0o300 != 0o300 {
		return false
	}
	return unix.Faccessat(fd, name, unix.F_OK, unix.AT_SYMLINK_NOFOLLOW) == unix.ENOENT
}

func (s *supervisor) makeFile(n *notification, dir int, name string, args [6]uint64) bool {
	fd, err := unix.Openat(dir, name, int(args[2])&openFlags|unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return false
	}
	defer func() { _ = unix.Close(fd) }()
	if unix.Fchmod(fd, uint32(args[3])&0o1777&^umaskOf(n.PID)) != nil {
		_ = unix.Unlinkat(dir, name, 0)
		return false
	}
	id, born, _ := identityOf(fd, "")
	if born {
		s.made.add(id)
	}
	e := s.handOver(n, fd, args[2]&unix.O_CLOEXEC != 0)
	if e == 0 {
		return true
	}
	if now, _, _ := identityOf(dir, name); born && now == id { // the caller has ended, or has no free descriptor
		_ = unix.Unlinkat(dir, name, 0)
		s.made.forget(id)
	}
	s.respond(response{ID: n.ID, Error: -int32(e)})
	return true
}

// handOver gives the caller a copy of a descriptor, and answers its call with it. No
// signal may interrupt this: Linux 6.18 then drops the descriptor and lets the call
// return 0, which is another descriptor. Go signals its own threads at any time.
func (s *supervisor) handOver(n *notification, fd int, closeOnExec bool) unix.Errno {
	add := struct {
		id                          uint64
		flags, from, to, closeOnRun uint32
	}{id: n.ID, flags: addAndSend, from: uint32(fd)}
	if closeOnExec {
		add.closeOnRun = unix.O_CLOEXEC
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	all, was := unix.Sigset_t{}, unix.Sigset_t{}
	for i := range all.Val {
		all.Val[i] = ^all.Val[i]
	}
	if err := unix.PthreadSigmask(unix.SIG_SETMASK, &all, &was); err != nil {
		return errno(err)
	}
	_, _, e := unix.Syscall(unix.SYS_IOCTL, uintptr(s.listener), ioctlAddFD, uintptr(unsafe.Pointer(&add)))
	_ = unix.PthreadSigmask(unix.SIG_SETMASK, &was, nil) // cannot fail: the mask was valid before
	return e
}

// remember answers a call that this program made, and records the new file.
func (s *supervisor) remember(n *notification, dir int, name string, err error) bool {
	if errors.Is(err, unix.EEXIST) { // another process has just made it
		return false
	}
	if id, born, _ := identityOf(dir, name); err == nil && born {
		s.made.add(id)
	}
	s.respond(response{ID: n.ID, Error: -int32(errno(err))})
	return true
}

func umaskOf(tid uint32) uint32 {
	mask, err := strconv.ParseUint(statusOf(tid, "Umask"), 8, 32)
	if err != nil {
		return 0o077 // only this user has access
	}
	return uint32(mask)
}
