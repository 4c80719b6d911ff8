package config

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/onestep-run/onestep/gate/escape"
)

// longestMade is the maximum length of a name that is made from another.
const longestMade = 64

// ServerName is the name here of another client's server. An unfit name keeps its fit
// characters, with "-" in the gaps. A name without any fit character becomes a digest.
func ServerName(key string) string {
	if escape.Name(key) && !strings.HasPrefix(key, "-") { // such a name would be an option of ask wrap
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
