package eval

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Digest returns a digest of parts in their order, such as cases, rules or a name.
// They are everything that decides a suite's figures.
func Digest(parts ...any) string {
	h := sha256.New()
	for _, p := range parts {
		b := Data(p)
		fmt.Fprintf(h, "%d\n", len(b)) // so that no two lists of parts have the same bytes
		h.Write(b)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
