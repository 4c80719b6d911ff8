//go:build amd64 || arm64

package confine

import (
	"slices"

	"golang.org/x/sys/unix"

	"github.com/onestep-run/onestep/host/confine/shim"
)

// lastKnown is the newest system call in this table: mseal of Linux 6.10. Later calls
// (setxattrat, open_tree_attr, file_setattr) do not exist for a server. A table that only
// names calls to refuse would allow each addition.
const lastKnown = unix.SYS_MSEAL

const (
	fastOpen    = unix.MSG_FASTOPEN // sends, and connects on the way
	namespaces  = unix.CLONE_NEWNS | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWCGROUP | unix.CLONE_NEWTIME
	foreignKids = unix.CLONE_PARENT | unix.CLONE_PTRACE // a child of this program, or a traced child
	socketKind  = 0xf                                   // the rest of the type are flags
	anyPersona  = 0xffffffff                            // personality(2): a query, which changes nothing
	fionbio     = 0x5421
	fionclex    = 0x5450
	fioclex     = 0x5451
	fioasync    = 0x5452
	fioqsize    = 0x5460
	whoProcess  = 0 // setpriority: a process
	whoIO       = 1 // ioprio_set: a process
	noDumps     = 0
)

// refusedAlways have no place in a server. They reach other processes, the kernel's
// state, and things that Landlock does not see.
var refusedAlways = []uintptr{
	// Mounts, namespaces and roots.
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_SETNS, unix.SYS_UNSHARE, unix.SYS_OPEN_TREE,
	unix.SYS_MOVE_MOUNT, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR, unix.SYS_STATMOUNT, unix.SYS_LISTMOUNT,
	// Other processes.
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PIDFD_GETFD, unix.SYS_KCMP, unix.SYS_PROCESS_MADVISE, unix.SYS_PROCESS_MRELEASE,
	unix.SYS_MIGRATE_PAGES, unix.SYS_MOVE_PAGES,
	// The kernel.
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_REBOOT, unix.SYS_SYSLOG,
	unix.SYS_ACCT, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME,
	unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME, unix.SYS_ADJTIMEX, unix.SYS_VHANGUP, unix.SYS_NFSSERVCTL,
	unix.SYS_MEMFD_SECRET, unix.SYS_LSM_SET_SELF_ATTR,
	// Ways to a file around its path, and news of any path.
	unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_FANOTIFY_INIT, unix.SYS_FANOTIFY_MARK, unix.SYS_INOTIFY_INIT1,
	// Memory and queues that outlive a process and that others share.
	unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_SEMGET, unix.SYS_SEMOP, unix.SYS_SEMTIMEDOP,
	unix.SYS_SEMCTL,
	unix.SYS_MSGGET, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_MSGCTL, // their numbers can be guessed
	unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK,
	// Owners and extended attributes: Landlock does not see them.
	unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR,
	unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR, unix.SYS_MKNODAT,
}

// attributes work on any file that a path leads to, because Landlock does not check them.
// The answer is that of a file system without extended attributes.
var attributes = []uintptr{
	unix.SYS_GETXATTR, unix.SYS_LGETXATTR, unix.SYS_FGETXATTR, unix.SYS_LISTXATTR, unix.SYS_LLISTXATTR, unix.SYS_FLISTXATTR,
}

// absent are answered as by an older kernel, so that programs do without them. io_uring
// makes calls that no filter sees; clone3 and openat2 hide their flags behind a pointer;
// a file in memory can be executed; and sendmmsg would have to write into the caller.
var absent = []uintptr{
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER, unix.SYS_CLONE3, unix.SYS_OPENAT2,
	unix.SYS_MEMFD_CREATE, unix.SYS_SENDMMSG,
}

// settable are the options that a server may set on its sockets, by level. Other options
// choose the interface or the route of a packet, so that the checked address does not
// decide, or join groups that the network hears of.
var settable = map[uint32][]uint32{
	unix.SOL_SOCKET: {
		unix.SO_REUSEADDR, unix.SO_REUSEPORT, unix.SO_BROADCAST, unix.SO_SNDBUF, unix.SO_RCVBUF, unix.SO_KEEPALIVE,
		unix.SO_OOBINLINE, unix.SO_PRIORITY, unix.SO_LINGER, unix.SO_RCVLOWAT, unix.SO_RCVTIMEO, unix.SO_SNDTIMEO,
		unix.SO_TIMESTAMP, unix.SO_TIMESTAMPNS, unix.SO_ZEROCOPY,
	},
	unix.IPPROTO_TCP: {
		unix.TCP_NODELAY, unix.TCP_MAXSEG, unix.TCP_CORK, unix.TCP_KEEPIDLE, unix.TCP_KEEPINTVL, unix.TCP_KEEPCNT,
		unix.TCP_SYNCNT, unix.TCP_LINGER2, unix.TCP_DEFER_ACCEPT, unix.TCP_WINDOW_CLAMP, unix.TCP_QUICKACK,
		unix.TCP_CONGESTION, unix.TCP_USER_TIMEOUT, unix.TCP_FASTOPEN, unix.TCP_NOTSENT_LOWAT,
	},
	unix.IPPROTO_UDP: {unix.UDP_CORK, unix.UDP_SEGMENT, unix.UDP_GRO},
	unix.IPPROTO_IP: {
		unix.IP_TOS, unix.IP_TTL, unix.IP_PKTINFO, unix.IP_MTU_DISCOVER, unix.IP_RECVERR, unix.IP_RECVTTL, unix.IP_RECVTOS,
		unix.IP_BIND_ADDRESS_NO_PORT,
	},
	unix.IPPROTO_IPV6: {
		unix.IPV6_V6ONLY, unix.IPV6_UNICAST_HOPS, unix.IPV6_MTU_DISCOVER, unix.IPV6_RECVERR, unix.IPV6_RECVPKTINFO,
		unix.IPV6_RECVHOPLIMIT, unix.IPV6_RECVTCLASS, unix.IPV6_TCLASS,
	},
}

// controls are the requests of ioctl(2) that a server may make. They are for descriptors,
// and for the state of terminals, files and interfaces. Others type into a terminal, or
// change a file through a descriptor that may only read it: Landlock has no rule for
// ioctl on files and directories.
var controls = []uint32{
	unix.TCGETS, unix.TIOCGWINSZ, unix.TIOCGPGRP, unix.TIOCGSID, unix.TIOCOUTQ, unix.TIOCINQ, fionbio, fionclex, fioclex,
	fioasync, fioqsize, unix.FICLONE, unix.FICLONERANGE, unix.FS_IOC_GETFLAGS, unix.SIOCGIFNAME, unix.SIOCGIFCONF,
	unix.SIOCGIFFLAGS, unix.SIOCGIFADDR, unix.SIOCGIFBRDADDR, unix.SIOCGIFNETMASK, unix.SIOCGIFMTU, unix.SIOCGIFHWADDR,
	unix.SIOCGIFINDEX,
}

var changes = []uintptr{
	unix.SYS_MKDIRAT, unix.SYS_SYMLINKAT, unix.SYS_LINKAT, unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_TRUNCATE,
}

// truncateABI is the ABI from which Landlock sees that a file is truncated. Before it, a
// server could empty any file of the user: by its path, or by opening it with O_TRUNC and
// without writing, which Landlock takes for reading, or for nothing at all.
const truncateABI = 3

// signals reach a process by number. From Landlock ABI 6 on its scope decides on them.
// Before that they may reach only the server itself.
var signals = []uintptr{unix.SYS_KILL, unix.SYS_TGKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO}

// opening is a system call that opens or makes a file. flags is the number of the
// argument with its flags, or -1 if it always makes the file; mode is that of the
// argument with the mode.
type opening struct {
	number      uintptr
	flags, mode int
}

// block records an opening; Landlock decides. It refuses to make a program that runs with
// its owner's rights. Without the flags that make a file the kernel ignores the mode,
// which may be anything.
func (o opening) block() program {
	const makes, ownersRights = unix.O_CREAT | unix.O_TMPFILE&^unix.O_DIRECTORY, unix.S_ISUID | unix.S_ISGID
	b := join(program{loadArg(uint32(o.mode), lowHalf)}, whenAnyBit(ownersRights, program{ret(refuse(unix.EPERM))}))
	if o.flags >= 0 {
		b = join(program{loadArg(uint32(o.flags), lowHalf)}, whenAnyBit(makes, b))
	}
	return append(b, ret(note))
}

// truncates sends an opening that empties a file without opening it for writing to the
// supervisor, which refuses it. Landlock decides on other openings.
func (o opening) truncates() program {
	if o.flags < 0 { // creat opens for writing
		return nil
	}
	no := program{ret(ask)}
	return join(program{loadArg(uint32(o.flags), lowHalf)}, whenAnyBit(unix.O_TRUNC, join(program{{Code: mask, K: unix.O_ACCMODE}}, when(unix.O_RDONLY, no), when(unix.O_ACCMODE, no))))
}

// empties reports whether the filter sends a call to the supervisor because this Landlock
// does not see that a file is truncated.
func empties(number int32, args [6]uint64) bool {
	if number != unix.SYS_OPENAT {
		return number == unix.SYS_TRUNCATE
	}
	mode := args[2] & unix.O_ACCMODE
	return args[2]&unix.O_TRUNC != 0 && mode != unix.O_WRONLY && mode != unix.O_RDWR
}

// filter returns the first filter of a policy for one process, next to a version of
// Landlock. It decides on arguments by value. If it would have to follow a pointer, it
// asks the supervisor.
func filter(p *Policy, pid uint32, landlock int) program {
	var f program
	f = join(f, program{{Code: load, K: offArch}}, program{{Code: jumpEqual, K: auditArch, Jt: 1}, ret(endIt)}, program{{Code: load, K: offNumber}})
	f = join(f, whenAtOver(foreignNumbers, program{ret(refuse(unix.ENOSYS))}), whenAtOver(lastKnown+1, program{ret(refuse(unix.ENOSYS))}))

	f.network()
	blind := landlock < truncateABI
	if blind {
		f.answer(ask, unix.SYS_TRUNCATE)
	}
	for _, o := range opens {
		block := o.block()
		if blind {
			block = join(o.truncates(), block)
		}
		f.call(o.number, block...)
	}
	f.answer(note, slices.Concat(changes, oldChanges)...)
	f.answer(deletes, slices.Concat([]uintptr{unix.SYS_UNLINKAT}, oldDeletes)...)
	f.answer(ask, slices.Concat([]uintptr{unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_UTIMENSAT}, oldFiles)...)
	f.answer(refuse(unix.ENOSYS), absent...)
	f.answer(refuse(unix.EOPNOTSUPP), attributes...)
	f.answer(refuse(unix.EPERM), slices.Concat(refusedAlways, oldRefuse)...)
	f.processes(p.runs())
	f.others(pid, landlock >= scopedABI)
	f.itself()
	if p.scopes.Limits.MemoryMiB > 0 { // the limit counts private memory
		f.call(unix.SYS_MMAP, sharedAnonymous()...)
	}
	return append(f, ret(allow))
}

// network allows sockets of IPv4 and IPv6, TCP and UDP only. It sends calls that name an
// address to the supervisor. A local socket can be made and reaches nothing; without a
// supervisor it cannot be made either.
func (p *program) network() {
	p.call(unix.SYS_SOCKET, join(
		program{loadArg(0, lowHalf)},
		when(unix.AF_UNIX, program{ret(local)}), // the supervisor refuses its address, and records it
		when(unix.AF_INET, program{{Code: unix.BPF_JMP | unix.BPF_JA, K: 2}}),
		program{{Code: jumpEqual, K: unix.AF_INET6, Jt: 1}, ret(refuse(unix.EAFNOSUPPORT))}, // netlink, vsock, packet, alg …
		program{loadArg(1, lowHalf), {Code: mask, K: socketKind}},
		// not MPTCP, SCTP
		when(unix.SOCK_STREAM, oneOf(2, allow, refuse(unix.EPROTONOSUPPORT), unix.IPPROTO_IP, unix.IPPROTO_TCP)),
		// not ping sockets
		when(unix.SOCK_DGRAM, oneOf(2, allow, refuse(unix.EPROTONOSUPPORT), unix.IPPROTO_IP, unix.IPPROTO_UDP)),
		// raw and others
		program{ret(refuse(unix.EPERM))},
	)...)
	p.call(unix.SYS_SOCKETPAIR, oneOf(0, allow, refuse(unix.EAFNOSUPPORT), unix.AF_UNIX)...)
	p.answer(ask, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_LISTEN)
	p.call(unix.SYS_SENDTO, join( // a call without an address is allowed at once
		program{loadArg(3, lowHalf)}, whenAnyBit(fastOpen, program{ret(refuse(unix.EOPNOTSUPP))}),
		program{loadArg(4, lowHalf), {Code: jumpEqual, K: 0, Jt: 1}, ret(ask)},
		program{loadArg(4, topHalf), {Code: jumpEqual, K: 0, Jt: 1}, ret(ask), ret(allow)},
	)...)
	p.call(unix.SYS_SENDMSG, join(
		program{loadArg(2, lowHalf)}, when(shim.HandOver, program{ret(allow)}),
		whenAnyBit(fastOpen, program{ret(refuse(unix.EOPNOTSUPP))}), program{ret(ask)},
	)...)
	options := program{loadArg(1, lowHalf)}
	for _, level := range []uint32{unix.SOL_SOCKET, unix.IPPROTO_TCP, unix.IPPROTO_UDP, unix.IPPROTO_IP, unix.IPPROTO_IPV6} {
		options = join(options, when(level, oneOf(2, allow, refuse(unix.ENOPROTOOPT), settable[level]...)))
	}
	p.call(unix.SYS_SETSOCKOPT, append(options, ret(refuse(unix.ENOPROTOOPT)))...)
}

// seal returns the second filter. It closes what the first filter left open for handing
// over the listener and for putting on this filter.
func seal() program {
	f := program{{Code: load, K: offNumber}}
	f.answer(refuse(unix.EPERM), unix.SYS_SECCOMP)
	f.call(unix.SYS_SENDMSG, oneOf(2, refuse(unix.EPERM), allow, shim.HandOver)...)
	return append(f, ret(allow))
}

// processes allows threads. It allows processes only if a command may be started: a
// server that cannot make a process leaves none behind. Otherwise an attempt goes to the
// supervisor, which refuses and records it.
func (p *program) processes(runs bool) {
	fork := program{loadArg(0, lowHalf)}
	fork = join(fork, whenAnyBit(namespaces|foreignKids, program{ret(refuse(unix.EPERM))}))
	if runs {
		p.call(unix.SYS_CLONE, append(fork, ret(allow))...)
		p.answer(note, unix.SYS_EXECVE, unix.SYS_EXECVEAT)
		return
	}
	p.call(unix.SYS_CLONE, join(fork, whenAnyBit(unix.CLONE_THREAD, program{ret(allow)}), program{ret(ask)})...)
	p.answer(ask, oldForks...)
}

// others keeps the server away from processes that are not its own.
func (p *program) others(pid uint32, scoped bool) {
	holds := []uint32{unix.F_SETLEASE, unix.F_NOTIFY} // delays other programs that open a file, and reports their actions
	if !scoped {
		for _, n := range signals {
			p.call(n, oneOf(0, allow, refuse(unix.EPERM), 0, pid)...) // 0 is its own process group, in its own session
		}
		p.answer(refuse(unix.EPERM), unix.SYS_TKILL, unix.SYS_PIDFD_SEND_SIGNAL)
		holds = append(holds, unix.F_SETOWN, unix.F_SETOWN_EX, unix.F_SETSIG) // a file can send a signal, too
	}
	p.call(unix.SYS_FCNTL, oneOf(1, refuse(unix.EPERM), allow, holds...)...)
	self := []uint32{0, pid}
	for _, n := range []uintptr{unix.SYS_PRLIMIT64, unix.SYS_SCHED_SETAFFINITY, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR} {
		p.call(n, oneOf(0, allow, refuse(unix.EPERM), self...)...)
	}
	p.call(unix.SYS_SETPRIORITY, join(program{loadArg(0, lowHalf)}, when(whoProcess, oneOf(1, allow, refuse(unix.EPERM), self...)), program{ret(refuse(unix.EPERM))})...)
	p.call(unix.SYS_IOPRIO_SET, join(program{loadArg(0, lowHalf)}, when(whoIO, oneOf(1, allow, refuse(unix.EPERM), self...)), program{ret(refuse(unix.EPERM))})...)
}

// itself keeps the server from undoing its restrictions.
func (p *program) itself() {
	p.call(unix.SYS_PRCTL, join(
		program{loadArg(0, lowHalf)},
		when(unix.PR_SET_PDEATHSIG, program{ret(refuse(unix.EPERM))}), // otherwise it outlives this program
		// otherwise the supervisor cannot reach its sockets
		when(unix.PR_SET_DUMPABLE, oneOf(1, refuse(unix.EPERM), allow, noDumps)),
		when(unix.PR_SET_SECCOMP, program{ret(refuse(unix.EPERM))}),
		program{ret(allow)},
	)...)
	p.call(unix.SYS_PERSONALITY, oneOf(0, allow, refuse(unix.EPERM), anyPersona)...)
	p.call(unix.SYS_IOCTL, oneOf(1, allow, refuse(unix.EPERM), controls...)...)
}

func sharedAnonymous() program {
	return join(
		program{loadArg(3, lowHalf)}, whenAnyBit(unix.MAP_ANONYMOUS, join(program{{Code: mask, K: unix.MAP_TYPE}}, when(unix.MAP_PRIVATE, program{ret(allow)}), program{ret(refuse(unix.ENOMEM))})),
		program{ret(allow)},
	)
}
