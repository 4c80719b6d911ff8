//go:build amd64 || arm64

package confine

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// abi returns the kernel's version of Landlock, or 0 without Landlock.
func abi() int {
	v, _, e := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if e != 0 {
		return 0
	}
	return int(v)
}

const (
	// fileRights are the rights that a rule of a file, not a directory, may have.
	fileRights = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_READ_FILE |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	reading = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	// writing includes removal, because replacing a file by a rename counts as that. The
	// supervisor makes unlink and rmdir calls, so writing alone deletes nothing.
	writing = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_DIR |
		unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REFER | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR
	executing = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE
	deleting  = unix.LANDLOCK_ACCESS_FS_REMOVE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR
	devices   = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
)

// rights returns Landlock's rights for one access. The supervisor deletes by itself.
// Without a supervisor Landlock decides on deletion, and a file that may be written may
// be deleted: a server that cannot remove its locks leaves them to the next program.
func (a access) rights(alone bool) uint64 {
	var all uint64
	if alone && a&remove != 0 {
		all = deleting
	}
	for of, rights := range map[access]uint64{read: reading, write: writing, execute: executing, device: devices} {
		if a&of != 0 {
			all |= rights
		}
	}
	return all
}

// handled returns the rights of files that an ABI knows. All of them are denied unless a
// rule grants them.
func handled(abi int) uint64 {
	rights := uint64(unix.LANDLOCK_ACCESS_FS_REFER - 1)
	if abi >= 2 {
		rights |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if abi >= truncateABI {
		rights |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if abi >= 5 {
		rights |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	return rights
}

// ruleset is a Landlock ruleset that is made here and applied by the shim.
type ruleset struct {
	file   *os.File
	rights uint64
	alone  bool // without a supervisor
	own    owned
}

func newRuleset(abi int, alone bool) (*ruleset, error) {
	// rights that an older kernel does not know must be zero
	a := unix.LandlockRulesetAttr{Handled_access_fs: handled(abi)}
	// a second check: the supervisor, in no domain, connects and binds
	if abi >= 4 {
		a.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if abi >= scopedABI {
		a.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	file, err := createRuleset(a)
	if err != nil {
		return nil, err
	}
	return &ruleset{file: file, rights: a.Handled_access_fs, alone: alone}, nil
}

func createRuleset(a unix.LandlockRulesetAttr) (*os.File, error) {
	fd, _, e := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&a)), unsafe.Sizeof(a), 0)
	if e != 0 {
		return nil, e
	}
	return os.NewFile(fd, "ruleset"), nil
}

// add opens the path of a grant and makes the rule for the descriptor. So the rule is for
// the checked file. Another file at the path is an error.
func (r *ruleset) add(g grant) error {
	fd, err := unix.Open(g.path, unix.O_PATH|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0)
	if err != nil {
		return err
	}
	f := os.NewFile(uintptr(fd), g.path)
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(info, g.info) {
		return errReplaced
	}
	if g.path, err = os.Readlink(self(fd)); err != nil {
		return err
	}
	if err := r.own.forbidGrant(g); err != nil {
		return err
	}
	return r.rule(fd, g.access.rights(r.alone), info.IsDir())
}

func (r *ruleset) rule(fd int, rights uint64, directory bool) error {
	rights &= r.rights
	if !directory {
		rights &= fileRights
	}
	if rights == 0 { // the kernel rejects a rule without rights
		return nil
	}
	attr := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	_, _, e := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, r.file.Fd(), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&attr)), 0, 0, 0)
	if e != 0 {
		return e
	}
	return nil
}

// directory grants a directory that this program made, or the server's own entry in
// /proc.
func (r *ruleset) directory(path string, a access) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0)
	if err == nil {
		err = r.rule(fd, a.rights(r.alone), true)
		_ = unix.Close(fd)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// openBelow opens a path beneath a directory without right to read or write. No link may
// lead out of the directory. The file's name is its actual path.
func (g grant) openBelow(path string) (*os.File, error) {
	root, err := os.OpenFile(g.path, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if info, err := root.Stat(); err != nil || !os.SameFile(info, g.info) {
		return nil, errors.Join(errReplaced, err)
	}
	fd, err := unix.Openat2(int(root.Fd()), path, &unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_MAGICLINKS})
	if err != nil {
		return nil, err
	}
	actual, err := os.Readlink(self(fd))
	return os.NewFile(uintptr(fd), actual), err
}
