package eval

import "crypto/sha256"

// The halves of a file that a hash divides. The authors of rules and word lists read
// only the first, and trust the figures of the second. The input rules and the
// evidence lock were written in this way.
const (
	Tuning  = "tuning"
	HeldOut = "held out"
)

// HashHalf returns the half for a key: the first byte of the key's hash is even or
// odd.
func HashHalf(key string) string {
	if sha256.Sum256([]byte(key))[0]%2 == 0 {
		return Tuning
	}
	return HeldOut
}
