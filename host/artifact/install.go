package artifact

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/confine"
	"github.com/onestep-run/onestep/host/launch"
)

// installer puts a package into an empty tree, and describes its contents. An error of
// type floating is for a package that needs more than installers do.
type installer func(context.Context, Package, tree) (manifest, error)

// floating is why a package cannot be fetched without running its code.
type floating string

func (f floating) Error() string { return string(f) }

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

// steers reports whether a variable decides where packages come from.
func steers(name string) bool {
	name = strings.ToLower(name)
	prefixes := []string{"npm_", "pip_", "pipx_", "uv_", "bun_config_"}
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// integrityOf is the digest of the parts of a tree, one a line.
func integrityOf(parts []string) string {
	slices.Sort(parts)
	return pin.Digest(sha256.Sum256([]byte(strings.Join(parts, "\n")))).String()
}

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

// run makes npm or Python work on the tree, without a terminal, and only with the rights
// that it needs for that. It ends the tool at the first attempt to reach another host:
// without that host's data the package is incomplete.
func (t tree) run(ctx context.Context, tool tool, args ...string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, fetchTime, fmt.Errorf("%s was not done in %s", tool.name, fetchTime))
	defer cancel()
	ctx, refuse := context.WithCancelCause(ctx)
	defer refuse(nil)
	var refused refusals
	c := launch.Command{
		Path: tool.command[0], Args: slices.Concat(tool.command[1:], args), Env: tool.env, Dir: t.dir, Secrets: tool.secrets,
		Blocked: func(a confine.Attempt) {
			if err := refused.record(tool.name, a); err != nil {
				refuse(err)
			}
		},
	}
	var err error
	if c.Confine, err = t.policy(tool, c); err != nil {
		return err
	}
	_, err = ended(ctx, tool.name, c)
	if lacks, is := errors.AsType[*verdict.Fault](err); is && lacks.Code == verdict.SandboxUnavailable {
		why := tool.name + ": " + strings.TrimPrefix(lacks.Reason, notStarted)
		if t.how.Unconfined == nil {
			return verdict.Fail(lacks.Code, err, "this machine cannot confine %s", why)
		}
		t.how.Unconfined(why)
		c.Confine = nil
		_, err = ended(ctx, tool.name, c)
	}
	return refused.explain(err)
}

// notStarted begins host/confine's error for a program that it cannot confine.
const notStarted = "the server was not started: "

// policy is what the tool may do. It may read its installation and its configuration,
// write the tree and the scratch directory, and reach the hosts that its configuration
// and the user name.
func (t tree) policy(tool tool, c launch.Command) (*confine.Policy, error) {
	own := confine.Paths{t.dir, t.scratch}
	s := confine.Scopes{
		ReadPaths: slices.Concat(own, confine.Paths(tool.reads)), WritePaths: own, DeletePaths: own,
		AllowedHosts: slices.Concat(tool.hosts, t.how.Hosts), AllowedCommands: tool.starts,
		EnvVars: append(slices.Collect(maps.Keys(tool.env)), "HOME"),
	}
	m := confine.Manifest{Description: "fetches a package", Permissions: s.Granted()}
	return confine.Resolve(m, s, confine.Program{Path: c.Path, Args: c.Args, Dir: c.Dir})
}

type refusals struct {
	mu   sync.Mutex
	said []string
}

// record keeps an attempt. It returns an error for an attempt to reach a host.
func (r *refusals) record(tool string, a confine.Attempt) error {
	if a.Permission == confine.NetworkClient {
		return unnamed{tool, a.Resource}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.said = append(r.said, a.Action+" "+cmp.Or(a.Resource, "a process")); len(r.said) > maxSaid {
		r.said = r.said[1:]
	}
	return nil
}

// maxSaid is the number of refusals that explain a failure. The last ones do.
const maxSaid = 3

// explain adds the earlier refusals to a failure. A success needs no explanation:
// programs try much that they do not need.
func (r *refusals) explain(err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, sent := errors.AsType[unnamed](err); err == nil || len(r.said) == 0 || sent {
		return err
	}
	return fmt.Errorf("%w (it was refused to %s)", err, escape.Line(strings.Join(r.said, ", to "), 600))
}

// unnamed is an attempt to reach a host, untrusted text, that no configuration names.
type unnamed struct{ tool, host string }

func (u unnamed) Error() string {
	return fmt.Sprintf("%s was sent to %s, which its configuration does not name", u.tool, escape.Line(u.host, 300))
}

func (u unnamed) hint() string {
	host := u.host
	if !strings.Contains(host, ":") {
		host += ":443"
	}
	return fmt.Sprintf("if the package is to come from there: `ask servers fetch SERVER --host %s`", escape.Line(host, 300))
}
