//go:build amd64 || arm64

package confine

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Landlock knows neither modes nor times of files, and does not distinguish a deletion
// from a replacement. The supervisor makes these calls itself: it opens the path that the
// caller names, finds out where that is, and acts on the open file.

// base is the directory where a caller's path begins, as a path for this program: "/" for
// an absolute path.
func base(n *notification, dirfd uint64, path string) string {
	switch {
	case strings.HasPrefix(path, "/"):
		return "/"
	case uint32(dirfd) == uint32(atCwd):
		return fmt.Sprintf("/proc/%d/cwd", n.PID)
	}
	return fmt.Sprintf("/proc/%d/fd/%d", n.PID, uint32(dirfd))
}

// open opens a caller's path without right to read or write, and returns the actual path.
// It follows no magic link: /proc/self would be this program's own.
func (s *supervisor) open(n *notification, dirfd uint64, path string, flags uint64) (fd int, actual string, e unix.Errno) {
	start, err := unix.Open(base(n, dirfd, path), unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, "", errno(err)
	}
	defer func() { _ = unix.Close(start) }()
	if !s.valid(n) {
		return -1, "", unix.ESRCH
	}
	fd, err = unix.Openat2(start, "./"+path, &unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC | flags, Resolve: unix.RESOLVE_NO_MAGICLINKS})
	if err != nil {
		return -1, "", errno(err)
	}
	if actual, err = os.Readlink(self(fd)); err != nil {
		_ = unix.Close(fd)
		return -1, "", unix.EPERM
	}
	return fd, actual, 0
}

// openParent opens the directory of a caller's path. name is the entry in it.
func (s *supervisor) openParent(n *notification, dirfd uint64, path string) (fd int, actual, name string, e unix.Errno) {
	dir, name := filepath.Split(path)
	if name == "" || name == "." || name == ".." {
		return -1, "", "", unix.EBUSY
	}
	fd, actual, e = s.open(n, dirfd, cmp.Or(dir, "."), unix.O_DIRECTORY)
	return fd, actual, name, e
}

// self returns the path of one of this program's descriptors.
func self(fd int) string { return "/proc/self/fd/" + strconv.Itoa(fd) }

func (s *supervisor) mayDelete(dir, name string) bool {
	path := filepath.Join(dir, name)
	return s.owns(dir) || s.policy.holds(path, remove) && !s.policy.barred(path, remove)
}

// owns reports whether a path is in a private directory of the server.
func (s *supervisor) owns(path string) bool {
	return slices.ContainsFunc(s.private, func(p string) bool { return beneath(p, path) })
}

func (s *supervisor) unlink(n *notification, args [6]uint64) unix.Errno {
	path, e := peekString(n, args[1])
	if e != 0 {
		return e
	}
	if path == "" {
		return unix.ENOENT
	}
	fd, actual, name, e := s.openParent(n, args[0], strings.TrimRight(path, "/"))
	if e != 0 {
		return e
	}
	defer func() { _ = unix.Close(fd) }()
	if id, born, _ := identityOf(fd, name); born && s.made.has(id) && s.policy.holds(filepath.Join(actual, name), write) {
		e := errno(unix.Unlinkat(fd, name, int(args[2])&unix.AT_REMOVEDIR))
		if e == 0 {
			s.made.forget(id)
		}
		return e
	}
	if !s.mayDelete(actual, name) {
		if unix.Faccessat(fd, name, unix.F_OK, unix.AT_SYMLINK_NOFOLLOW) == nil { // deleting an absent file is not an attempt
			s.blocked(n, "delete", filepath.Join(actual, name), FilesDelete)
		}
		return unix.EACCES
	}
	return errno(unix.Unlinkat(fd, name, int(args[2])&unix.AT_REMOVEDIR))
}

// changeable opens a file if the caller may change its mode and times. The caller must
// have opened it for writing, or its scopes must let it write the file. A file of another
// user is refused: this program may have more rights than the server.
func (s *supervisor) changeable(n *notification, action string, byFD bool, dirfd, at uint64, noFollow bool) (int, unix.Errno) {
	if byFD {
		return s.written(n, int32(dirfd))
	}
	path, e := peekString(n, at)
	if e != 0 {
		return -1, e
	}
	if path == "" {
		return -1, unix.ENOENT
	}
	flags := uint64(0)
	if noFollow {
		flags = unix.O_NOFOLLOW
	}
	fd, actual, e := s.open(n, dirfd, path, flags)
	if e != 0 {
		return -1, e
	}
	granted := s.policy.holds(actual, write) || s.owns(actual)
	if !granted {
		s.blocked(n, action, actual, FilesWrite)
	}
	if !granted || !ownFile(fd) {
		_ = unix.Close(fd)
		return -1, unix.EPERM
	}
	return fd, 0
}

// ownFile reports whether a descriptor is of a file, a directory or a link of this user.
// A device is refused because all users share it: a /dev/null that only its owner may
// open stops the machine.
func ownFile(fd int) bool {
	var st unix.Stat_t
	if unix.Fstat(fd, &st) != nil || st.Uid != uint32(os.Geteuid()) {
		return false
	}
	kind := st.Mode & unix.S_IFMT
	return kind == unix.S_IFREG || kind == unix.S_IFDIR || kind == unix.S_IFLNK
}

// written copies a descriptor that the caller has open for writing.
func (s *supervisor) written(n *notification, fd int32) (int, unix.Errno) {
	copied, e := s.copyDescriptor(n, fd)
	if e != 0 {
		return -1, unix.EPERM
	}
	flags, err := unix.FcntlInt(uintptr(copied), unix.F_GETFL, 0)
	reads := flags&unix.O_PATH != 0 || flags&unix.O_ACCMODE == unix.O_RDONLY
	if err != nil || reads || !ownFile(copied) {
		_ = unix.Close(copied)
		return -1, unix.EPERM
	}
	return copied, 0
}

func (s *supervisor) changeMode(n *notification, number int32, args [6]uint64) unix.Errno {
	byFD, at, mode := number == unix.SYS_FCHMOD, args[1], args[2]
	if byFD {
		mode = args[1]
	}
	noFollow := number == unix.SYS_FCHMODAT2 && args[3]&unix.AT_SYMLINK_NOFOLLOW != 0
	fd, e := s.changeable(n, "change mode", byFD, args[0], at, noFollow)
	if e != 0 {
		return e
	}
	defer func() { _ = unix.Close(fd) }()
	return errno(unix.Chmod(self(fd), uint32(mode)&0o1777)) // setuid and setgid are dropped
}

// changeTimes makes the call utimensat. Without a path it changes a descriptor's file.
func (s *supervisor) changeTimes(n *notification, args [6]uint64) unix.Errno {
	var times *[2]unix.Timespec
	if args[2] != 0 {
		b, e := peek(n, args[2], int(unsafe.Sizeof(*times)))
		if e != 0 {
			return e
		}
		times = &[2]unix.Timespec{}
		for i := range times {
			times[i].Sec = int64(binary.LittleEndian.Uint64(b[16*i:]))
			times[i].Nsec = int64(binary.LittleEndian.Uint64(b[16*i+8:]))
		}
	}
	fd, e := s.changeable(n, "change times", args[1] == 0, args[0], args[1], args[3]&unix.AT_SYMLINK_NOFOLLOW != 0)
	if e != 0 {
		return e
	}
	defer func() { _ = unix.Close(fd) }()
	path, err := unix.BytePtrFromString(self(fd))
	if err != nil {
		return unix.EINVAL
	}
	_, _, e = unix.Syscall6(unix.SYS_UTIMENSAT, uintptr(atCwd), uintptr(unsafe.Pointer(path)), uintptr(unsafe.Pointer(times)), 0, 0, 0)
	return e
}

// record is a call that Landlock decides. It is compared with the policy afterwards.
type record struct {
	start  string // an absolute path
	path   string
	access access
	create bool   // the call may make the file
	entry  bool   // the name counts, not the target of a link
	absent bool   // an existing file is not an attempt
	thread uint32 // its name is read later

	compared chan struct{} // of no call: closed when all earlier records were compared
}

// note records the path of a file that is opened, started, made or renamed. The path may
// change until the kernel reads it, so no decision uses it.
func (s *supervisor) note(n *notification, number int32, args [6]uint64) {
	if (number == unix.SYS_EXECVE || number == unix.SYS_EXECVEAT) && !s.executed { // the server's own program
		s.executed = true
		return
	}
	if !s.recording.Load() {
		return
	}
	dirfd, at := args[0], args[1]
	r := record{access: write, entry: true}
	switch number {
	case unix.SYS_OPENAT:
		if args[2]&unix.O_PATH != 0 { // gives no right to the file
			return
		}
		r = record{access: accessOf(args[2]), create: args[2]&unix.O_CREAT != 0}
	case unix.SYS_EXECVE:
		dirfd, at, r = atCwd, args[0], record{access: execute}
	case unix.SYS_EXECVEAT:
		r = record{access: execute}
	case unix.SYS_TRUNCATE:
		dirfd, at, r = atCwd, args[0], record{access: write}
	case unix.SYS_MKDIRAT:
		r.create, r.absent = true, true
	case unix.SYS_SYMLINKAT:
		dirfd, at, r.create, r.absent = args[1], args[2], true, true
	case unix.SYS_LINKAT, unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2: // the old name, and then the new one
		s.noteName(n, r, dirfd, at)
		dirfd, at, r.create, r.absent = args[2], args[3], true, number == unix.SYS_LINKAT
	}
	s.noteName(n, r, dirfd, at)
}

func accessOf(flags uint64) access {
	a := read
	switch flags & unix.O_ACCMODE {
	case unix.O_WRONLY:
		a = write
	case unix.O_RDWR:
		a = read | write
	}
	if flags&unix.O_TRUNC != 0 {
		a |= write
	}
	return a
}

// noteName copies one path, to be compared later.
func (s *supervisor) noteName(n *notification, r record, dirfd, at uint64) {
	var e unix.Errno
	if r.path, e = peekString(n, at); e != 0 || r.path == "" {
		return
	}
	if r.start = base(n, dirfd, r.path); r.start != "/" {
		var err error
		if r.start, err = os.Readlink(r.start); err != nil || !s.valid(n) {
			return
		}
	}
	r.thread = n.PID
	select {
	case s.records <- r:
	default:
		s.audit.missed()
	}
}

// compare records a refused attempt. Opening an absent file is not an attempt.
func (s *supervisor) compare(r record) {
	path := filepath.Clean(r.path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.start, path)
	}
	if ofItself(path, s.pid) {
		return
	}
	actual, exists := where(path)
	if r.entry || !exists && r.create {
		dir, ok := where(filepath.Dir(path))
		actual = filepath.Join(dir, filepath.Base(path))
		if r.entry {
			_, err := os.Lstat(actual)
			exists = err == nil
		}
		if exists && r.absent {
			return
		}
		if !exists && !r.create {
			return
		}
		exists, r.access = ok, r.access|write
	}
	if !exists || s.owns(actual) {
		return
	}
	for _, a := range []struct {
		access access
		action string
	}{{read, "read"}, {write, "write"}, {execute, "start"}} {
		if r.access&a.access != 0 && (!s.policy.holds(actual, a.access) || s.policy.barred(actual, a.access)) {
			s.audit.record(a.action, actual, permissionOf(a.access), s.pid, cmp.Or(threadName(r.thread), threadName(uint32(s.pid))))
		}
	}
}

func ofItself(path string, pid int) bool {
	own := []string{"/proc/self", "/proc/thread-self", "/proc/" + strconv.Itoa(pid)}
	return slices.ContainsFunc(own, func(dir string) bool { return beneath(dir, path) })
}

// where resolves a path. A path that this program may not follow counts as existing.
func where(path string) (actual string, exists bool) {
	fd, err := unix.Openat2(unix.AT_FDCWD, path, &unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_MAGICLINKS})
	if err != nil {
		return path, errno(err) == unix.EACCES
	}
	defer func() { _ = unix.Close(fd) }()
	if actual, err = os.Readlink(self(fd)); err != nil {
		return path, true
	}
	return actual, true
}
