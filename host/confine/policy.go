package confine

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/verdict"
)

type access uint8

const (
	read    access = 1 << iota // files and directories
	write                      // create, write, truncate, rename, replace by rename
	remove                     // the supervisor does it
	execute                    // and read: the kernel reads the file that it executes
	device                     // read and write, and no more
)

// grant is one path and the access to it and everything below it.
type grant struct {
	path   string // absolute, without symbolic links
	access access
	why    string // for [Policy.Why]
	info   fs.FileInfo
	held   *os.File // of an argument: kept open, so that no other file gets its number
	id     string   // of an argument: see Bound
}

// Policy describes what one server may touch. That is the permissions of its manifest
// that scopes make effective, and the minimum that its program needs to run. Only
// [Resolve] makes a policy that allows anything.
type Policy struct {
	manifest  Manifest
	scopes    Scopes
	grants    []grant
	hosts     hosts
	argv      []string // argv[0] is absolute
	learning  bool     // see Learning
	dir       string
	arguments []argued // become grants with a call
	bound     []Bound
	own       Own
	found     owned  // the places of its files when the policy was made
	lookup    lookup // resolves granted names for the supervisor; nil for the system's resolver
}

// Program is the program of a policy. Without a path the policy starts nothing.
type Program struct {
	Path string   // looked up in PATH if it contains no slash
	Args []string // the first may be a script that Path runs
	Dir  string   // working directory
	Tree []string // directories of its installation, which it may read; absolute
	Own  Own      // files that no scope may reach
}

// Resolve compiles a policy. Every path of the scopes must exist: a rule is for a file,
// not for a name. Errors name the place in the scopes and a remedy.
func Resolve(m Manifest, s Scopes, program Program) (*Policy, error) {
	for _, p := range s.Granted() {
		if err := m.Consent(p); err != nil {
			return nil, err
		}
	}
	p := &Policy{manifest: m, scopes: s, dir: program.Dir, own: program.Own, found: program.Own.find()}
	err := cmp.Or(
		p.found.forbids(s), p.program(program),
		p.paths("readPaths", s.ReadPaths, read), p.paths("writePaths", s.WritePaths, write), p.paths("deletePaths", s.DeletePaths, remove),
		p.commands(s.AllowedCommands), p.network(s), variables(s.EnvVars),
	)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Learning returns the same policy for a server that is watched. It grants no more files,
// hosts or commands. Two things that a policy ends early continue until the name of the
// attempted resource is known. Every host name resolves, to an address that leads
// nowhere, so that a refused connection has its port. Processes can be made, but can
// execute only the server's own program, so that a refused start has its path.
func (p *Policy) Learning() *Policy {
	learning := *p
	learning.learning = true
	return &learning
}

func (p *Policy) paths(member string, paths []string, a access) error {
	for i, path := range paths {
		at := fmt.Sprintf("/scopes/%s/%d", member, i)
		named, is, err := argument(path)
		if err != nil {
			return malformed(at, err)
		}
		if is {
			if err := p.argue(named, a, at); err != nil {
				return err
			}
			continue
		}
		if err := absolute(at, path); err != nil {
			return err
		}
		if err := p.grant(path, a, at); err != nil {
			return missing(at, path, err)
		}
	}
	return nil
}

// absolute returns an error unless a path begins at the root and contains no "..".
func absolute(at, path string) error {
	switch {
	case !filepath.IsAbs(path):
		return invalid(fmt.Sprintf("%s is %.200q, a relative path", at, path), "write an absolute path: the meaning of a relative path depends on its reader")
	case slices.Contains(strings.Split(path, "/"), ".."):
		return invalid(fmt.Sprintf("%s has .. in it", at), "write the path without ..")
	}
	return nil
}

func missing(at, path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return invalid(fmt.Sprintf("%s is %.200q, which does not exist", at, path), "create it first, or remove it from the scopes: a rule is for a file, not for a name")
	}
	return verdict.Fail(verdict.ManifestInvalid, err, "%s is %.200q, which cannot be read: %v", at, path, cause(err)).WithHint("grant what this user can reach")
}

// cause returns the inner error of a path error: the message names the path already.
func cause(err error) error {
	if e, is := errors.AsType[*fs.PathError](err); is {
		return e.Err
	}
	return err
}

var errReplaced = errors.New("another file is there now")

func (p *Policy) grant(path string, a access, why string) error {
	g, err := grantOf(path, a, why)
	if err == nil {
		p.grants = append(p.grants, g)
	}
	return err
}

func grantOf(path string, a access, why string) (grant, error) {
	actual, err := filepath.EvalSymlinks(path)
	if err != nil {
		return grant{}, err
	}
	info, err := os.Stat(actual)
	return grant{path: filepath.Clean(actual), access: a, why: why, info: info}, err
}

// optional grants paths that may be absent. It skips a directory with our files.
func (p *Policy) optional(a access, why string, paths ...string) {
	for _, path := range paths {
		if actual, err := filepath.EvalSymlinks(path); err == nil && p.found.holds(actual, a, true) != "" {
			continue
		}
		_ = p.grant(path, a, why) // an absent path needs no rule
	}
}

// commands grants what the server may start. That is each file, the interpreter of a
// script, and the libraries of that script.
func (p *Policy) commands(names []string) error {
	for i, name := range names {
		at := fmt.Sprintf("/scopes/allowedCommands/%d", i)
		if strings.Contains(name, "/") && !filepath.IsAbs(name) {
			return invalid(fmt.Sprintf("%s is %.200q, a relative path", at, name), "write an absolute path, or the name alone")
		}
		path, err := exec.LookPath(name)
		if err != nil {
			return invalid(fmt.Sprintf("%s is %.200q, which is not a program that this user can start", at, name), "name an existing program, by its absolute path")
		}
		chain, err := p.executable(path, at)
		if err != nil {
			return missing(at, name, err)
		}
		if len(chain) > 1 { // a script
			p.libraries(chain, path, "/", at)
		}
	}
	return p.unwritable()
}

// unwritable returns an error if the server could write a program and then start it.
func (p *Policy) unwritable() error {
	for _, g := range p.grants {
		if g.access&execute != 0 && p.holds(g.path, write) {
			return invalid(fmt.Sprintf("%s can be started, and a writePath covers it", g.path), "grant a narrower directory for writing: the server could write a program and then start it")
		}
	}
	return nil
}

func (p *Policy) network(s Scopes) error {
	for i, text := range s.AllowedHosts {
		r, err := parseHost(text)
		if err != nil {
			return invalid(fmt.Sprintf("/scopes/allowedHosts/%d %v", i, err), "write name:port, *.name:port (which does not cover the name itself), or address:port")
		}
		p.hosts = append(p.hosts, r)
	}
	if i := slices.Index(s.ListenPorts, 0); i >= 0 {
		return invalid(fmt.Sprintf("/scopes/listenPorts/%d is 0, which is any port", i), "name each port")
	}
	file, _ := os.ReadFile("/etc/hosts") // a missing file has no names
	p.hosts = p.hosts.withFile(hostsFile(string(file)))
	return nil
}

// reserved are variables that this package sets itself.
var reserved = []string{"TMPDIR", "RES_OPTIONS"}

func variables(names []string) error {
	for i, name := range names {
		switch {
		case name == "" || strings.ContainsAny(name, "=\x00"):
			return invalid(fmt.Sprintf("/scopes/envVars/%d is %.80q, which is not a variable's name", i, name), "write the name alone")
		case slices.Contains(reserved, name):
			return invalid(fmt.Sprintf("/scopes/envVars/%d is %s, which a confined server is always given", i, name), "remove it")
		}
	}
	return nil
}

// holds reports whether a grant covers a path with any access in a.
func (p *Policy) holds(path string, a access) bool {
	_, ok := p.granting(path, a)
	return ok
}

func (p *Policy) granting(path string, a access) (grant, bool) {
	i := slices.IndexFunc(p.grants, func(g grant) bool { return g.gives()&a != 0 && beneath(g.path, path) })
	if i < 0 {
		return grant{}, false
	}
	return p.grants[i], true
}

// gives returns an access with the accesses that it implies.
func (g grant) gives() access {
	a := g.access
	if a&execute != 0 {
		a |= read
	}
	if a&device != 0 {
		a |= read | write
	}
	return a
}

// beneath reports whether a clean path is root or below it.
func beneath(root, path string) bool {
	return path == root || root == "/" || strings.HasPrefix(path, root+"/")
}

func (p *Policy) runs() bool { return p.learning || len(p.scopes.AllowedCommands) > 0 }

func (p *Policy) connects() bool { return len(p.hosts) > 0 || len(p.scopes.ListenPorts) > 0 }

func (p *Policy) writes() bool { return len(p.scopes.WritePaths) > 0 || len(p.scopes.DeletePaths) > 0 }

func (p *Policy) listens(port uint16) bool {
	return port != 0 && slices.Contains(p.scopes.ListenPorts, port)
}

// environment returns the variables that the server sees. Of the given variables these
// are PATH, LANG and the variables that the scopes name. It adds private directories.
func (p *Policy) environment(given []string, home, tmp string) []string {
	env := []string{
		"TMPDIR=" + tmp,
		"RES_OPTIONS=use-vc", // over UDP c-ares rejects the stub's answer, which comes from another address
	}
	seen := map[string]bool{}
	for _, v := range slices.Backward(given) { // the last of two equal names counts, as in os/exec
		name, _, _ := strings.Cut(v, "=")
		named := name == "PATH" || name == "LANG" || slices.Contains(p.scopes.EnvVars, name)
		if named && !seen[name] {
			env = append(env, v)
			seen[name] = true
		}
	}
	if !seen["HOME"] {
		env = append(env, "HOME="+home)
	}
	slices.Sort(env)
	return env
}

type lookup func(name string) ([]netip.Addr, error)
