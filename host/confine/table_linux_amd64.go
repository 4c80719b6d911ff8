package confine

import "golang.org/x/sys/unix"

const (
	auditArch = 0xc000003e // AUDIT_ARCH_X86_64
	// foreignNumbers are the first number of another ABI of the same architecture (x32).
	foreignNumbers = 0x40000000
)

// System calls that newer architectures no longer have.
var (
	oldForks   = []uintptr{unix.SYS_FORK, unix.SYS_VFORK}
	opens      = []opening{{unix.SYS_OPENAT, 2, 3}, {unix.SYS_OPEN, 1, 2}, {unix.SYS_CREAT, -1, 1}}
	oldFiles   = []uintptr{unix.SYS_CHMOD}
	oldDeletes = []uintptr{unix.SYS_UNLINK, unix.SYS_RMDIR}
	oldChanges = []uintptr{unix.SYS_MKDIR, unix.SYS_SYMLINK, unix.SYS_LINK, unix.SYS_RENAME}
	oldRefuse  = []uintptr{
		unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES, unix.SYS_FUTIMESAT, unix.SYS_INOTIFY_INIT,
		unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS_MODIFY_LDT, unix.SYS_USELIB, unix.SYS_USTAT, unix.SYS_SYSFS, unix.SYS__SYSCTL,
		unix.SYS_CREATE_MODULE, unix.SYS_GET_KERNEL_SYMS, unix.SYS_QUERY_MODULE,
	}
)

// normal maps an older system call of files to the newer one and its arguments.
func (n *notification) normal() (number int32, args [6]uint64) {
	cwd, a := atCwd, n.Args
	switch n.Number {
	case unix.SYS_OPEN:
		return unix.SYS_OPENAT, [6]uint64{cwd, a[0], a[1], a[2]}
	case unix.SYS_CREAT:
		return unix.SYS_OPENAT, [6]uint64{cwd, a[0], unix.O_CREAT | unix.O_WRONLY | unix.O_TRUNC, a[1]}
	case unix.SYS_MKDIR:
		return unix.SYS_MKDIRAT, [6]uint64{cwd, a[0], a[1]}
	case unix.SYS_SYMLINK:
		return unix.SYS_SYMLINKAT, [6]uint64{a[0], cwd, a[1]}
	case unix.SYS_LINK:
		return unix.SYS_LINKAT, [6]uint64{cwd, a[0], cwd, a[1]}
	case unix.SYS_RENAME:
		return unix.SYS_RENAMEAT, [6]uint64{cwd, a[0], cwd, a[1]}
	case unix.SYS_UNLINK:
		return unix.SYS_UNLINKAT, [6]uint64{cwd, a[0], 0}
	case unix.SYS_RMDIR:
		return unix.SYS_UNLINKAT, [6]uint64{cwd, a[0], unix.AT_REMOVEDIR}
	case unix.SYS_CHMOD:
		return unix.SYS_FCHMODAT, [6]uint64{cwd, a[0], a[1]}
	}
	return n.Number, a
}
