package artifact

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host/launch"
)

// installer puts a package into an empty tree, and says what is in it. An error
// of the type floating is of a package that needs more than is done here.
type installer func(context.Context, Package, tree) (manifest, error)

// floating is why a package cannot be fetched without running code of it.
type floating string

func (f floating) Error() string { return string(f) }

// tree is where a package is fetched to, and what npm and pip see of the
// environment.
type tree struct {
	dir    string
	env    map[string]string
	before time.Time // what the registry got later does not count; zero for none
}

// upTo is an option with the time before which a registry must have had a package.
func (t tree) upTo(option string) []string {
	if t.before.IsZero() {
		return nil
	}
	return []string{option + "=" + t.before.UTC().Format(time.RFC3339)}
}

// fetchTime ends an npm or a pip that hangs.
const fetchTime = 15 * time.Minute

// listLimits bound what npm and pip write about a tree: 20 times the longest of
// the public servers'.
var listLimits = schema.Limits{Bytes: 32 << 20, Depth: 64, Values: 2_000_000, Exponent: 308, Digits: 64}

// run runs npm or pip in the tree, with no terminal. They and all that they
// start are gone when it returns.
func (t tree) run(ctx context.Context, name string, args ...string) error {
	path, err := exec.LookPath(name)
	if err != nil {
		return fmt.Errorf("%s is not installed", name)
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	p, err := launch.Start(ctx, launch.Command{Path: path, Args: args, Env: t.env, Dir: t.dir})
	if err != nil {
		return err
	}
	defer func() { _ = p.Close() }() // what could not be ended holds nothing up
	_ = p.Stdin.Close()
	_, _ = io.Copy(io.Discard, p.Stdout) // ends when the process does
	<-p.Done()
	if status := p.Status(); status != "exit status 0" {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		return fmt.Errorf("%s ended with %s: %s", name, status, escape.Line(lastLines(p.Tail(2048)), 600))
	}
	return nil
}

// lastLines is what a program said about its end: three lines at the most.
func lastLines(said string) string {
	lines := slices.DeleteFunc(strings.Split(said, "\n"), func(l string) bool { return strings.TrimSpace(l) == "" })
	return strings.Join(lines[max(0, len(lines)-3):], "; ")
}

// configured are the variables that are about npm, pip and the way to a
// registry.
func configured(environment []string) map[string]string {
	env := map[string]string{}
	for _, one := range environment {
		name, value, _ := strings.Cut(one, "=")
		if steers(name) || lists(ways, strings.ToLower(name)) {
			env[name] = value
		}
	}
	return env
}

// ways are the variables, in small letters, that say how the network and the
// user's own configuration are reached, beside HOME and PATH.
const ways = "http_proxy https_proxy all_proxy no_proxy ssl_cert_file ssl_cert_dir requests_ca_bundle curl_ca_bundle node_extra_ca_certs " +
	"node_auth_token xdg_config_home xdg_cache_home tmpdir"

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
