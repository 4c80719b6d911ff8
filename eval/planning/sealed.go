package planning

import "crypto/sha256"

// Sealed reports whether a row is in the sealed part of its corpus. There, the first
// byte of the SHA-256 of the id is odd. The authors of the embedded planner read and
// measure the open rows. The sealed rows are opened once a rule set is final, and
// docs/internals/planner-method.md says how often that was.
func Sealed(id string) bool {
	h := sha256.Sum256([]byte(id))
	return h[0]%2 == 1
}
