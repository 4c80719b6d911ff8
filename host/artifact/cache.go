package artifact

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/disk"
)

// Cache is a directory of fetched packages. The empty Cache contains and fetches no
// package: it is not the working directory.
type Cache string

const (
	lockFile   = ".lock"
	temporary  = ".fetch-"
	notFetched = "it was not fetched"
)

// dir is the place of a package's tree, present or not.
func (c Cache) dir(p Package) string {
	return filepath.Join(string(c), p.Registry, strings.ReplaceAll(p.bare, "/", "+")+"@"+p.Version)
}

// How has the options for fetching a package.
type How struct {
	Again  bool      // even if it is present, with its current dependencies
	Before time.Time // fetch again, only with what the registry had before this time
	Hosts  []string  // name:port or address:port that npm and pip may reach besides their configured hosts

	// Begin, which may be nil, is called before a registry is asked. Its result is called
	// after that.
	Begin func(what string) (end func())

	// Unconfined is called with the reason if this machine cannot confine npm or pip.
	// They have the user's rights then. If it is nil, the package is not fetched.
	Unconfined func(why string)
}

func (h How) begin(p Package, from string) (end func()) {
	if h.Begin == nil {
		return func() {}
	}
	return h.Begin(p.Registry + " " + p.bare + "@" + p.Version + " from " + strings.TrimSuffix(from, ":443"))
}

func (h How) again() bool { return h.Again || !h.Before.IsZero() }

// Fetch gets a package, unless all of it is present and unchanged. npm and pip see only
// the environment variables that concern them.
func (c Cache) Fetch(ctx context.Context, s Command, environment []string, how How) (Artifact, error) {
	p := s.Package
	if !c.keeps(s) {
		return c.Of(s), nil
	}
	if err := os.MkdirAll(filepath.Join(string(c), p.Registry), 0o700); err != nil {
		return Artifact{}, p.failed(err)
	}
	lock, err := disk.Lock(ctx, filepath.Join(string(c), lockFile), true) // one process fetches
	if err != nil {
		return Artifact{}, p.failed(err)
	}
	defer lock.Close()
	c.sweep()
	if _, missing := c.whole(p); missing == nil && !how.again() {
		return c.Of(s), nil
	}
	if err := c.fetch(ctx, p, environment, how); err != nil {
		return Artifact{}, p.failed(err)
	}
	return c.Of(s), nil
}

// whole reads the manifest of a package, which has to be present and unchanged.
func (c Cache) whole(p Package) (manifest, error) {
	m, err := readManifest(c.dir(p), p)
	if err == nil {
		err = m.whole(c.dir(p))
	}
	return m, err
}

// fetch makes the tree next to its place, and moves it there when it is complete.
func (c Cache) fetch(ctx context.Context, p Package, environ []string, how How) error {
	work, err := os.MkdirTemp(string(c), temporary)
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }() // the next fetch sweeps leftovers
	if work, err = filepath.Abs(work); err != nil {
		return err
	}
	dir, scratch := filepath.Join(work, "tree"), filepath.Join(work, "scratch")
	if err := errors.Join(os.Mkdir(dir, 0o700), os.Mkdir(scratch, 0o700)); err != nil {
		return err
	}
	install := map[string]installer{npm: fromNPM, pypi: fromPyPI}[p.Registry]
	m, err := install(ctx, p, tree{dir, scratch, environ, how})
	if err == nil {
		m.Tree, err = digestTree(dir)
	}
	if loose, is := errors.AsType[floating](err); is { // only the reason is kept
		m = manifest{Floating: string(loose)}
		err = errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o700))
	}
	if err == nil {
		m.Name, m.Version = p.bare, p.Version
		err = m.write(dir)
	}
	if err != nil {
		return err
	}
	return c.replace(dir, c.dir(p))
}

// replace puts a tree in its place. If the program is killed between the two steps, no
// tree is left there, as if it was never fetched.
func (c Cache) replace(made, place string) error {
	aside := made + ".old"
	if err := os.Rename(place, aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(made, place); err != nil {
		return err
	}
	return errors.Join(disk.SyncDir(filepath.Dir(place)), os.RemoveAll(aside))
}

// sweep removes leftovers of interrupted fetches. The caller has the lock.
func (c Cache) sweep() {
	left, _ := filepath.Glob(filepath.Join(string(c), temporary+"*")) // the pattern is well formed
	for _, dir := range left {
		_ = os.RemoveAll(dir) // leftovers do no harm
	}
}

// Start returns the command to start in place of a launcher. A command without a
// launcher, or with a package that was not fetched, is returned unchanged. A tree that
// changed after it was fetched is an error. So is a launcher that would ask another
// registry than the variables of lookup name.
func (c Cache) Start(s Command, lookup func(string) (string, bool)) (path string, args []string, err error) {
	p := s.Package
	if !c.keeps(s) {
		return s.Path, s.Args, s.sameRegistry(lookup)
	}
	m, err := readManifest(c.dir(p), p)
	if errors.Is(err, fs.ErrNotExist) || err == nil && m.Floating != "" {
		return s.Path, s.Args, s.sameRegistry(lookup)
	}
	if err == nil {
		path, args, err = m.start(c.dir(p), p.bin)
	}
	if err != nil {
		return "", nil, verdict.Fail(verdict.ServerArtifact, err, "the fetched %s of %s cannot be started: %v", p.bare+"@"+p.Version, p.Registry, err).
			WithHint("fetch it again: ask servers fetch")
	}
	return path, append(args, s.Args[p.rest:]...), nil
}

// Tree is the directory of the package that [Cache.Start] starts in place of a launcher.
// It is "" if Start keeps the launcher.
func (c Cache) Tree(s Command) string {
	p := s.Package
	if !c.keeps(s) {
		return ""
	}
	if m, err := readManifest(c.dir(p), p); err != nil || m.Floating != "" {
		return ""
	}
	return c.dir(p)
}

// Inspect identifies what a server starts, like Of. It also checks every fetched file and
// the program that runs them.
func (c Cache) Inspect(s Command) Artifact {
	a, p := c.Of(s), s.Package
	var err error
	switch {
	case a.Integrity == "" || a.Kind == image:
		return a
	case a.Kind == fileKind:
		if s.interpreted() {
			a.Interpreter, err = digestFile(s.Path)
		}
	default:
		a.Interpreter, err = c.inspect(p)
	}
	if err != nil {
		a.Integrity, a.Floating = "", err.Error()
	}
	return a
}

// inspect checks every file of a tree, and digests the program that runs it.
func (c Cache) inspect(p Package) (string, error) {
	m, err := c.whole(p)
	if err != nil {
		return "", err
	}
	runner, err := m.runner(c.dir(p))
	if err != nil {
		return "", err
	}
	return digestFile(runner)
}

// Of identifies what a server starts, cheaply enough for each start. An artifact that
// floats because of a variable keeps its integrity, which is still compared.
func (c Cache) Of(s Command) Artifact {
	a := c.of(s)
	if a.Floating == "" && a.Integrity != "" {
		a.Floating = s.loads()
	}
	a.Sandbox = document(s.Sandbox.Document())
	return a
}

func (c Cache) of(s Command) Artifact {
	p := s.Package
	if p.Registry == "" {
		return ofFile(s)
	}
	if !p.fetchable(s.Env) {
		return p.artifact(manifest{Floating: "its environment says where packages come from"})
	}
	if c == "" {
		return p.artifact(manifest{Floating: notFetched})
	}
	m, err := readManifest(c.dir(p), p)
	if err == nil && m.Floating == "" {
		_, _, err = m.start(c.dir(p), p.bin)
	}
	if errors.Is(err, fs.ErrNotExist) {
		m.Floating = notFetched
	} else if err != nil {
		m.Floating = "the fetched package has changed: " + err.Error()
	}
	a := p.artifact(m)
	if a.Floating == "" {
		a.Program = filepath.Join(c.dir(p), m.program(p.bin).Script)
	}
	return a
}

// keeps reports whether the cache could contain the package of a command.
func (c Cache) keeps(s Command) bool { return c != "" && s.Package.fetchable(s.Env) }

// fetchable reports whether name and version alone decide what a launcher would run.
func (p Package) fetchable(env []string) bool {
	return !slices.ContainsFunc(env, steers) && p.Fetchable() && p.floats() == ""
}

// Fetchable reports whether [Cache.Fetch] supports the package's registry.
func (p Package) Fetchable() bool { return p.Registry == npm || p.Registry == pypi }

// artifact describes a package from its manifest.
func (p Package) artifact(m manifest) Artifact {
	a := Artifact{Kind: p.Registry, Name: p.bare, Version: p.Version, Floating: p.floats()}
	switch {
	case p.Registry == image && p.exact():
		a.Integrity = p.Version // even if something else runs in it
	case a.Floating != "":
	case m.Floating != "":
		a.Floating = m.Floating
	default:
		a.Integrity = m.Integrity
	}
	return a
}

func (p Package) failed(err error) error {
	f := verdict.Fail(verdict.ServerFetch, err, "%s cannot be fetched from %s: %v", p.bare+"@"+p.Version, p.Registry, err)
	f.Hint = fmt.Sprintf("check that %s exists in this version, and that its registry can be reached", p.Name)
	switch elsewhere, is := errors.AsType[unnamed](err); {
	case is:
		f.Hint = elsewhere.hint()
	case verdict.CodeOf(err) == verdict.SandboxUnavailable:
		f.Hint = `npm and pip cannot be confined on this machine, and sandbox = "all" in config.toml wants that: fetch on another machine, or change the setting`
	}
	return f
}
