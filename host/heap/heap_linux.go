package heap

import (
	"syscall"
	"unsafe"
)

// The advice is that of madvise(2), with numbers that package syscall lacks.
const (
	useLarge  = 14 // MADV_HUGEPAGE: when a page is first touched
	makeLarge = 25 // MADV_COLLAPSE: now, with what the pages contain
)

const (
	large = 2 << 20
	grown = 4 << 20 // the heap grows by this much, and at such addresses
)

// probe is an object of the heap.
var probe *[16]byte

func init() {
	probe = new([16]byte)
	at := uintptr(unsafe.Pointer(probe)) //nolint:gosec // a number for the kernel
	advise(at&^(grown-1), grown, useLarge)
	advise(at&^(large-1), large, makeLarge) // some of its pages were touched already
}

// advise gives the system advice about memory. An error changes nothing.
func advise(at, size, how uintptr) { _, _, _ = syscall.RawSyscall(syscall.SYS_MADVISE, at, size, how) }
