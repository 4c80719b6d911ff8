package eval

import "crypto/sha256"

// The halves of a file that are parted by a hash. The authors of rules and
// word lists read the first only, and believe the figures of the second; so
// the input rules and the evidence lock were written.
const (
	Tuning  = "tuning"
	HeldOut = "held out"
)

// HashHalf is the half of what hashes to an even or an odd first byte.
func HashHalf(key string) string {
	if sha256.Sum256([]byte(key))[0]%2 == 0 {
		return Tuning
	}
	return HeldOut
}
