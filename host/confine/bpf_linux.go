//go:build amd64 || arm64

package confine

import (
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// program is a classic BPF program over struct seccomp_data. It consists of blocks. A
// block returns an answer, or falls through to the next block.
type program []unix.SockFilter

const (
	load       = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
	jumpEqual  = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
	jumpAtOver = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
	jumpAnyBit = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
	mask       = unix.BPF_ALU | unix.BPF_AND | unix.BPF_K
	result     = unix.BPF_RET | unix.BPF_K

	offNumber, offArch, offArgs = 0, 4, 16
)

// The answers of a filter, and the halves of an argument.
const (
	allow = uint32(unix.SECCOMP_RET_ALLOW)
	ask   = uint32(unix.SECCOMP_RET_USER_NOTIF) // the supervisor decides and makes the call
	// the supervisor records it, Landlock decides; the kernel ignores lower bits
	note    = ask | 1
	deletes = ask | 2   // the supervisor decides: for Landlock a deletion is like a replacement
	local   = allow | 1 // allowed with a supervisor; the kernel ignores the lower bits
	endIt   = uint32(unix.SECCOMP_RET_KILL_PROCESS)
	lowHalf = 0 // of an argument; both architectures are little-endian
	topHalf = 4
)

func refuse(e unix.Errno) uint32 { return uint32(unix.SECCOMP_RET_ERRNO) | uint32(e) }

func ret(v uint32) unix.SockFilter { return unix.SockFilter{Code: result, K: v} }

func loadArg(n, half uint32) unix.SockFilter {
	return unix.SockFilter{Code: load, K: offArgs + 8*n + half}
}

// when runs a block if the accumulator equals k, and skips it otherwise.
func when(k uint32, block program) program {
	return append(program{{Code: jumpEqual, K: k, Jf: uint8(len(block))}}, block...)
}

// whenAnyBit runs a block if the accumulator has one of the bits.
func whenAnyBit(bits uint32, block program) program {
	return append(program{{Code: jumpAnyBit, K: bits, Jf: uint8(len(block))}}, block...)
}

// whenAtOver runs a block if the accumulator is k or more.
func whenAtOver(k uint32, block program) program {
	return append(program{{Code: jumpAtOver, K: k, Jf: uint8(len(block))}}, block...)
}

// call runs a block for one system call. The block must return an answer: after it the
// accumulator does not contain the call's number.
func (p *program) call(number uintptr, block ...unix.SockFilter) {
	*p = append(*p, when(uint32(number), block)...)
}

func (p *program) answer(v uint32, numbers ...uintptr) {
	for _, n := range numbers {
		p.call(n, ret(v))
	}
}

func join(pieces ...program) program {
	var all program
	for _, p := range pieces {
		all = append(all, p...)
	}
	return all
}

// oneOf answers yes if the low half of an argument is one of the values. The kernel reads
// such arguments as int, so it ignores the other half.
func oneOf(arg uint32, yes, no uint32, values ...uint32) program {
	block := program{loadArg(arg, lowHalf)}
	for _, v := range values {
		block = append(block, when(v, program{ret(yes)})...)
	}
	return append(block, ret(no))
}

// alone returns the filter for a server without a supervisor. It refuses the calls that
// the supervisor would decide, and allows the calls that Landlock decides.
func (p program) alone() program {
	all := slices.Clone(p)
	for i, in := range all {
		switch {
		case in.Code != result:
		case in.K == note, in.K == deletes:
			all[i] = ret(allow)
		case in.K == local:
			all[i] = ret(refuse(unix.EAFNOSUPPORT))
		case in.K == ask:
			all[i] = ret(refuse(unix.EACCES))
		}
	}
	return all
}

// bytes returns the program as the kernel reads it.
func (p program) bytes() []byte {
	return append([]byte(nil), unsafe.Slice((*byte)(unsafe.Pointer(&p[0])), len(p)*int(unsafe.Sizeof(p[0])))...)
}
