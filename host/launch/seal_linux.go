package launch

import (
	"math"

	"golang.org/x/sys/unix"
)

// Seal keeps other processes of the same user, servers among them, from
// reading this program's memory and environment through /proc and from
// attaching to it: they may hold keys. Processes of root can all the same, so
// a server that runs as root next to a program that does reads everything.
//
// It changes the whole process, takes core dumps away, and is for main alone.
// It is an error on systems other than Linux. A program that this one starts
// is not sealed.
func Seal() error { return unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) }

// keepAll marks all descriptors but the standard ones to be closed in children
// (Linux 5.11).
func keepAll() error { return unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) }
