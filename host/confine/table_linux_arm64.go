package confine

import "golang.org/x/sys/unix"

const (
	auditArch = 0xc00000b7 // AUDIT_ARCH_AARCH64
	// foreignNumbers is above every number: the architecture has one ABI.
	foreignNumbers = 0x40000000
)

// System calls that this architecture never had.
var oldForks, oldFiles, oldDeletes, oldChanges, oldRefuse []uintptr

var opens = []opening{{unix.SYS_OPENAT, 2, 3}}

// normal returns the call unchanged.
func (n *notification) normal() (number int32, args [6]uint64) { return n.Number, n.Args }
