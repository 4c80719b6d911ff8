package confine

import (
	"testing"

	"golang.org/x/sys/unix"
)

// evaluate runs a filter as the kernel does.
func evaluate(tb testing.TB, f program, arch, number uint32, args ...uint64) uint32 {
	tb.Helper()
	var data [64]byte
	put := func(at int, v uint32) {
		data[at], data[at+1], data[at+2], data[at+3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
	}
	put(offNumber, number)
	put(offArch, arch)
	for i, a := range args {
		put(offArgs+8*i, uint32(a))
		put(offArgs+8*i+4, uint32(a>>32))
	}
	acc := uint32(0)
	for pc := 0; pc < len(f); pc++ {
		in := f[pc]
		jump := func(yes bool) {
			if yes {
				pc += int(in.Jt)
			} else {
				pc += int(in.Jf)
			}
		}
		switch in.Code {
		case load:
			acc = uint32(data[in.K]) | uint32(data[in.K+1])<<8 | uint32(data[in.K+2])<<16 | uint32(data[in.K+3])<<24
		case jumpEqual:
			jump(acc == in.K)
		case jumpAtOver:
			jump(acc >= in.K)
		case jumpAnyBit:
			jump(acc&in.K != 0)
		case mask:
			acc &= in.K
		case unix.BPF_JMP | unix.BPF_JA:
			pc += int(in.K)
		case result:
			return in.K
		default:
			tb.Fatalf("the instruction %d is %+v", pc, in)
		}
	}
	tb.Fatal("the filter has no end")
	return 0
}

func TestTheFilterDecidesByValue(t *testing.T) {
	t.Parallel()
	const pid = 4711
	closed, open := filter(&Policy{}, pid, scopedABI), filter(&Policy{scopes: Scopes{AllowedCommands: []string{"x"}}}, pid, scopedABI)
	old := filter(&Policy{}, pid, scopedABI-1)
	blind := filter(&Policy{}, pid, truncateABI-1)
	perm, absent := refuse(unix.EPERM), refuse(unix.ENOSYS)
	for _, c := range []struct {
		name   string
		f      program
		number uint32
		args   []uint64
		want   uint32
	}{
		{"read", closed, unix.SYS_READ, nil, allow},
		{"truncate, which Landlock decides", closed, unix.SYS_TRUNCATE, nil, note},
		{"truncate, which Landlock does not see", blind, unix.SYS_TRUNCATE, nil, ask},
		{"openat for reading, blind", blind, unix.SYS_OPENAT, []uint64{0, 0, unix.O_RDONLY}, note},
		{"openat with O_TRUNC for reading", closed, unix.SYS_OPENAT, []uint64{0, 0, unix.O_RDONLY | unix.O_TRUNC}, note},
		{"openat with O_TRUNC for reading, blind", blind, unix.SYS_OPENAT, []uint64{0, 0, unix.O_RDONLY | unix.O_TRUNC}, ask},
		{"openat with O_TRUNC and more, blind", blind, unix.SYS_OPENAT, []uint64{0, 0, unix.O_RDONLY | unix.O_CREAT | unix.O_TRUNC | 1<<32, 0o600}, ask},
		{"openat with O_TRUNC for neither, blind", blind, unix.SYS_OPENAT, []uint64{0, 0, unix.O_ACCMODE | unix.O_TRUNC}, ask},
		{"openat with O_TRUNC for writing, blind", blind, unix.SYS_OPENAT, []uint64{0, 0, unix.O_WRONLY | unix.O_TRUNC}, note},
		{"openat with O_TRUNC for both, blind", blind, unix.SYS_OPENAT, []uint64{0, 0, unix.O_RDWR | unix.O_TRUNC}, note},
		{"openat of its owner's rights, blind", blind, unix.SYS_OPENAT, []uint64{0, 0, unix.O_WRONLY | unix.O_TRUNC | unix.O_CREAT, 0o4700}, refuse(unix.EPERM)},
		{"connect", closed, unix.SYS_CONNECT, nil, ask},
		{"openat", closed, unix.SYS_OPENAT, nil, note},
		{"unlinkat", closed, unix.SYS_UNLINKAT, nil, deletes},
		{"openat, alone", closed.alone(), unix.SYS_OPENAT, nil, allow},
		{"unlinkat, alone", closed.alone(), unix.SYS_UNLINKAT, nil, allow},
		{"connect, alone", closed.alone(), unix.SYS_CONNECT, nil, refuse(unix.EACCES)},
		{"sendto with an address, alone", closed.alone(), unix.SYS_SENDTO, []uint64{3, 1, 1, 0, 0x1000, 16}, refuse(unix.EACCES)},
		{"a process, alone", closed.alone(), unix.SYS_CLONE, []uint64{uint64(unix.SIGCHLD)}, refuse(unix.EACCES)},
		{"fchmod, alone", closed.alone(), unix.SYS_FCHMOD, nil, refuse(unix.EACCES)},
		{"sendto without an address", closed, unix.SYS_SENDTO, []uint64{3, 1, 1, 0, 0, 0}, allow},
		{"sendto with an address", closed, unix.SYS_SENDTO, []uint64{3, 1, 1, 0, 0x1000, 16}, ask},
		{"sendto with an address above 4 GiB", closed, unix.SYS_SENDTO, []uint64{3, 1, 1, 0, 1 << 32, 16}, ask},
		{"sendto that connects", closed, unix.SYS_SENDTO, []uint64{3, 1, 1, fastOpen, 0, 0}, refuse(unix.EOPNOTSUPP)},
		{"a TCP socket", closed, unix.SYS_SOCKET, []uint64{unix.AF_INET, unix.SOCK_STREAM | unix.SOCK_CLOEXEC | unix.SOCK_NONBLOCK, 0}, allow},
		{"a TCP socket of IPv6", closed, unix.SYS_SOCKET, []uint64{unix.AF_INET6, unix.SOCK_STREAM, unix.IPPROTO_TCP}, allow},
		{"a UDP socket", closed, unix.SYS_SOCKET, []uint64{unix.AF_INET, unix.SOCK_DGRAM, unix.IPPROTO_UDP}, allow},
		{"a UDP socket of TCP", closed, unix.SYS_SOCKET, []uint64{unix.AF_INET, unix.SOCK_DGRAM, unix.IPPROTO_TCP}, refuse(unix.EPROTONOSUPPORT)},
		{"a thread", closed, unix.SYS_CLONE, []uint64{unix.CLONE_THREAD | unix.CLONE_VM}, allow},
		{"a process", closed, unix.SYS_CLONE, []uint64{uint64(unix.SIGCHLD)}, ask},
		{"a process that shares memory", closed, unix.SYS_CLONE, []uint64{unix.CLONE_VM | unix.CLONE_VFORK}, ask},
		{"a thread in a namespace", closed, unix.SYS_CLONE, []uint64{unix.CLONE_THREAD | unix.CLONE_NEWNET}, perm},
		{"a process where one may be made", open, unix.SYS_CLONE, []uint64{uint64(unix.SIGCHLD)}, allow},
		{"a sibling", open, unix.SYS_CLONE, []uint64{unix.CLONE_PARENT}, perm},
		{"a process in a namespace", open, unix.SYS_CLONE, []uint64{unix.CLONE_NEWUSER}, perm},
		{"a time namespace", open, unix.SYS_CLONE, []uint64{unix.CLONE_NEWTIME}, perm},
		{"execve where one may be made", open, unix.SYS_EXECVE, nil, note},
		{"kill, scoped", closed, unix.SYS_KILL, []uint64{1}, allow}, // Landlock decides
		{"kill of another", old, unix.SYS_KILL, []uint64{1}, perm},
		{"kill of all", old, unix.SYS_KILL, []uint64{1<<64 - 1}, perm},
		{"kill of itself", old, unix.SYS_KILL, []uint64{pid}, allow},
		{"tkill", old, unix.SYS_TKILL, []uint64{pid}, perm},
		{"a file that signals another", old, unix.SYS_FCNTL, []uint64{3, unix.F_SETOWN, 1}, perm},
		{"a file's flags", old, unix.SYS_FCNTL, []uint64{3, unix.F_GETFL}, allow},
		{"limits of another", closed, unix.SYS_PRLIMIT64, []uint64{1}, perm},
		{"limits of itself", closed, unix.SYS_PRLIMIT64, []uint64{pid}, allow},
		{"priority of all of a user's", closed, unix.SYS_SETPRIORITY, []uint64{2, 0}, perm},
		{"clone3", closed, unix.SYS_CLONE3, nil, absent},
		{"io_uring", closed, unix.SYS_IO_URING_SETUP, nil, absent},
		{"the newest that is known", closed, lastKnown, nil, allow},
		{"the first that is not", closed, lastKnown + 1, nil, absent},
		{"another ABI", closed, foreignNumbers + 1, nil, absent},
		{"all bits", closed, 0xffffffff, nil, absent},
		{"a terminal's input", closed, unix.SYS_IOCTL, []uint64{0, unix.TIOCSTI}, perm},
		{"a terminal's size", closed, unix.SYS_IOCTL, []uint64{0, unix.TIOCGWINSZ}, allow},
		{"the listener's way", closed, unix.SYS_SENDMSG, []uint64{3, 1, 0x1e00}, allow},
		{"seccomp, before the seal", closed, unix.SYS_SECCOMP, nil, allow},
		{"the listener's way, sealed", seal(), unix.SYS_SENDMSG, []uint64{3, 1, 0x1e00}, perm},
		{"seccomp, sealed", seal(), unix.SYS_SECCOMP, nil, perm},
		{"sendmsg, sealed", seal(), unix.SYS_SENDMSG, []uint64{3, 1, 0}, allow},
	} {
		if got := evaluate(t, c.f, auditArch, c.number, c.args...); got != c.want {
			t.Errorf("%s: %#x, want %#x", c.name, got, c.want)
		}
	}
	if got := evaluate(t, closed, 0x40000003, unix.SYS_READ); got != endIt {
		t.Errorf("a call of another architecture: %#x", got)
	}
}

// What the filter leaves to the supervisor where Landlock sees no truncation is
// what the supervisor refuses: no more, and no less.
func TestWhatEmptiesAFileIsRefusedByValue(t *testing.T) {
	t.Parallel()
	blind := filter(&Policy{}, 1, truncateABI-1)
	asked := 0
	for _, number := range []uint32{unix.SYS_TRUNCATE, unix.SYS_OPENAT, unix.SYS_MKDIRAT} {
		for mode := range uint64(unix.O_ACCMODE + 1) {
			for _, flags := range []uint64{0, unix.O_TRUNC, unix.O_CREAT, unix.O_CREAT | unix.O_TRUNC} {
				args := [6]uint64{2: mode | flags, 3: 0o600}
				left := evaluate(t, blind, auditArch, number, args[:]...) == ask
				if refused := empties(int32(number), args); refused != left {
					t.Errorf("system call %d, mode %d, flags %#x: left to the supervisor: %v, refused by it: %v", number, mode, flags, left, refused)
				}
				if left {
					asked++
				}
			}
		}
	}
	if asked != 16+4 {
		t.Errorf("%d calls are left to the supervisor", asked)
	}
}

// A block of 256 instructions or more would be skipped in part.
func TestNoJumpOfTheFilterLeavesIt(t *testing.T) {
	t.Parallel()
	f := filter(&Policy{scopes: Scopes{AllowedCommands: []string{"x"}, Limits: Limits{MemoryMiB: 1}}}, 1, 1)
	for pc, in := range f {
		if pc+1+int(max(in.Jt, in.Jf)) >= len(f) && in.Code != result {
			t.Errorf("the instruction %d of %d jumps out: %+v", pc, len(f), in)
		}
	}
	if len(f) > 4096 {
		t.Errorf("the filter has %d instructions", len(f))
	}
}

// The kernel makes no call that the supervisor decides. Only calls that Landlock decides
// may go on.
func TestOnlyOpensAndStartsGoOn(t *testing.T) {
	t.Parallel()
	open := filter(&Policy{scopes: Scopes{AllowedCommands: []string{"x"}}}, 1, scopedABI)
	goOn := map[int32]bool{ // what Landlock decides
		unix.SYS_OPENAT: true, unix.SYS_EXECVE: true, unix.SYS_EXECVEAT: true, unix.SYS_TRUNCATE: true,
		unix.SYS_MKDIRAT: true, unix.SYS_SYMLINKAT: true, unix.SYS_LINKAT: true, unix.SYS_RENAMEAT: true, unix.SYS_RENAMEAT2: true,
	}
	var asked []uint32
	for number := range uint32(lastKnown + 1) {
		got := evaluate(t, open, auditArch, number, 0, 0, 0, 0, 1, 1)
		if got != ask && got != note && got != deletes {
			continue
		}
		asked = append(asked, number)
		if normal, _ := (&notification{Number: int32(number)}).normal(); goOn[normal] != (got == note) {
			t.Errorf("system call %d (%d) is answered with %#x", number, normal, got)
		}
	}
	decided := map[int32]bool{
		unix.SYS_CONNECT: true, unix.SYS_BIND: true, unix.SYS_LISTEN: true, unix.SYS_SENDTO: true, unix.SYS_SENDMSG: true, unix.SYS_UNLINKAT: true,
		unix.SYS_FCHMOD: true, unix.SYS_FCHMODAT: true, unix.SYS_FCHMODAT2: true, unix.SYS_UTIMENSAT: true,
	}
	for _, number := range asked {
		n := &notification{Number: int32(number)}
		normal, _ := n.normal()
		if !goOn[normal] && !decided[normal] {
			t.Errorf("system call %d (%d) is caught and known to no one", number, normal)
		}
	}
	if len(asked) < 14 {
		t.Errorf("only %d calls are caught", len(asked))
	}
}
