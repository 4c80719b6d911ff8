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

// installer puts a package into an empty tree, and describes its contents. An error of
// type floating is for a package that needs more than installers do.
type installer func(context.Context, Package, tree) (manifest, error)

// floating is why a package cannot be fetched without running its code.
type floating string

func (f floating) Error() string { return string(f) }

// tree is the target of a fetch.
type tree struct {
	dir     string // empty at first
	scratch string // removed with the files of npm and pip in it
	environ []string
	how     How
}

// upTo is an option that excludes what a registry got after a time.
func (t tree) upTo(option string) []string {
	if t.how.Before.IsZero() {
		return nil
	}
	return []string{option + "=" + t.how.Before.UTC().Format(time.RFC3339)}
}

// fetchTime ends an npm or a pip that hangs.
const fetchTime = 15 * time.Minute

// listLimits bound the lists of a tree by npm and pip. They allow 20 times the longest
// list of the public servers.
var listLimits = schema.Limits{Bytes: 32 << 20, Depth: 64, Values: 2_000_000, Exponent: 308, Digits: 64}

// steers reports whether a variable decides where a launcher, npm or pip gets packages
// from.
func steers(name string) bool {
	name = strings.ToLower(name)
	for _, prefix := range []string{"npm_", "pip_", "pipx_", "uv_", "bun_config_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// integrityOf is the digest of the parts of a tree, one a line.
func integrityOf(parts []string) string {
	slices.Sort(parts)
	return pin.Digest(sha256.Sum256([]byte(strings.Join(parts, "\n")))).String()
}

// seal adds the digests of files to a manifest.
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
