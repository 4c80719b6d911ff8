package artifact

import (
	"context"
	"crypto/sha256"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
)

// installer puts a package into an empty tree, and says what is in it. An error
// of the type floating is of a package that needs more than is done here.
type installer func(context.Context, Package, tree) (manifest, error)

// floating is why a package cannot be fetched without running code of it.
type floating string

func (f floating) Error() string { return string(f) }

// tree is where a package is fetched to.
type tree struct {
	dir     string // is empty
	scratch string // is removed with whatever npm and pip keep there
	environ []string
	how     How
}

// upTo is an option with the time before which a registry must have had a package.
func (t tree) upTo(option string) []string {
	if t.how.Before.IsZero() {
		return nil
	}
	return []string{option + "=" + t.how.Before.UTC().Format(time.RFC3339)}
}

// fetchTime ends an npm or a pip that hangs.
const fetchTime = 15 * time.Minute

// listLimits bound what npm and pip write about a tree: 20 times the longest of
// the public servers'.
var listLimits = schema.Limits{Bytes: 32 << 20, Depth: 64, Values: 2_000_000, Exponent: 308, Digits: 64}

// steers reports whether a variable says to a launcher, to npm or to pip where
// packages come from.
func steers(name string) bool {
	name = strings.ToLower(name)
	for _, prefix := range []string{"npm_", "pip_", "pipx_", "uv_", "bun_config_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// integrityOf is the digest of the parts of a tree, each in a line.
func integrityOf(parts []string) string {
	slices.Sort(parts)
	return pin.Digest(sha256.Sum256([]byte(strings.Join(parts, "\n")))).String()
}

// seal fills in what a manifest says of files.
func (t tree) seal(m manifest) (manifest, error) {
	var err error
	if m.LockDigest, err = digestFile(filepath.Join(t.dir, m.Lock)); err != nil {
		return manifest{}, err
	}
	for i, p := range m.Programs {
		if m.Programs[i].Digest, err = digestFile(filepath.Join(t.dir, p.Script)); err != nil {
			return manifest{}, err
		}
	}
	return m, nil
}
