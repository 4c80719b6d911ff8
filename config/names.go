package config

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/onestep-run/onestep/gate/escape"
)

// longestMade is how long a name is at most that is made from another.
const longestMade = 64

// ServerName is the name that a server of another client gets here: its own, or
// where that cannot be a name, what of it can, with "-" in the gaps. A name of which
// nothing is left becomes a digest.
func ServerName(key string) string {
	if escape.Name(key) && !strings.HasPrefix(key, "-") { // which would be an option of ask wrap
		return key
	}
	parts := strings.FieldsFunc(key, func(r rune) bool { return r >= 0x80 || !escape.Name(string(r)) })
	name := strings.Join(parts, "-")
	name = strings.Trim(name[:min(len(name), longestMade)], "-.")
	if name != "" {
		return name
	}
	sum := sha256.Sum256([]byte(key))
	return "server-" + hex.EncodeToString(sum[:4])
}
