package learn

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/onestep-run/onestep/host/confine"
)

// take keeps an attempt, and has it in the scopes as narrowly as a scope can say
// it. It reports whether the server runs under more from then on. raw is the attempt
// as the server made it, maybe on a copy.
func (l *learner) take(raw, a confine.Attempt) (more bool) {
	if l.seen[key(a)] {
		return false
	}
	l.seen[key(a)] = true
	if i := slices.IndexFunc(l.Needless, func(b confine.Attempt) bool { return key(a) == key(b) }); i >= 0 {
		l.Needless = slices.Delete(l.Needless, i, i+1) // another call needs it
	} else {
		l.Attempts = append(l.Attempts, a)
	}
	resource, ok := narrowest(raw)
	resource = l.copies.real(resource)
	if a.Permission == confine.FilesRead {
		resource = l.written(resource)
	}
	if _, err := os.Lstat(resource); err != nil && ok && filepath.IsAbs(resource) { // it is in the copy alone
		resource, ok = existing(filepath.Dir(resource))
	}
	why := "no scope allows it"
	if ok {
		why = l.forbids(a.Permission, resource)
	}
	if why != "" {
		l.Withheld = append(l.Withheld, Withheld{a, why})
		return false
	}
	effective := slices.Contains(l.Effective, a.Permission)
	return l.grant(a.Permission, resource, effective) && effective
}

// written is the directory of a file where the server may write there, else the file:
// one that replaces its files has others there later, and a rule is of a file.
func (l *learner) written(path string) string {
	dir := filepath.Dir(path)
	if l.forbids(confine.FilesRead, dir) != "" || !slices.ContainsFunc(l.scopes.WritePaths, func(above string) bool { return strings.HasPrefix(path, above+"/") }) {
		return path
	}
	return dir
}

// forbids says why no scope is made of an attempt at a path, "" where one is: files of
// this program are in no scope, and some places only in one that a person typed.
func (l *learner) forbids(p confine.Permission, path string) string {
	only := confine.Scopes{}
	if !add(&only, p, path) {
		return "no scope allows it"
	}
	if l.Program.Own.Forbids(only) != nil {
		return "it is one of ask's own files, or a directory that they are in"
	}
	if h, mind := confine.HazardOf(p, path); mind && !slices.Contains(l.Typed, path) {
		return strings.TrimPrefix(h.String(), "mind: ") + "; --allow " + path + " grants it"
	}
	return ""
}

// key is what an attempt is told apart by.
func key(a confine.Attempt) string { return a.Action + "\x00" + a.Resource }

// narrowest is what a scope has to hold for an attempt to pass. A scope is of what
// exists: a file that is to be made needs its directory, and so does one that is
// to be deleted, which is not there the next time.
func narrowest(a confine.Attempt) (string, bool) {
	_, gone := os.Lstat(a.Resource)
	switch {
	case a.Permission == confine.FilesDelete, a.Permission == confine.FilesWrite && gone != nil:
		return existing(filepath.Dir(a.Resource))
	case a.Permission == confine.FilesRead && gone != nil: // it was there for a moment
		return "", false
	}
	return a.Resource, a.Permission != "" && a.Resource != ""
}

// existing is a directory, or the first above it that is there.
func existing(dir string) (string, bool) {
	for dir != "/" && dir != "." {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir, true
		}
		dir = filepath.Dir(dir)
	}
	return "", false
}

// grant adds to the scopes of the manifest, and to those that the server runs
// under where it is effective. It reports whether anything was added.
func (l *learner) grant(p confine.Permission, resource string, effective bool) bool {
	if !add(&l.scopes, p, resource) {
		return false
	}
	return !effective || add(&l.effective, p, resource)
}

// list is the member of the scopes that makes a permission effective, nil for
// ports.
func list(s *confine.Scopes, p confine.Permission) *[]string {
	return map[confine.Permission]*[]string{
		confine.FilesRead: (*[]string)(&s.ReadPaths), confine.FilesWrite: (*[]string)(&s.WritePaths), confine.FilesDelete: (*[]string)(&s.DeletePaths),
		confine.NetworkClient: &s.AllowedHosts, confine.EnvRead: &s.EnvVars, confine.Exec: &s.AllowedCommands,
	}[p]
}

// add adds a resource to the scope of a permission, where it is not there yet.
func add(s *confine.Scopes, p confine.Permission, resource string) bool {
	if p == confine.NetworkServer {
		port, err := strconv.ParseUint(resource, 10, 16)
		if err != nil || port == 0 || slices.Contains(s.ListenPorts, uint16(port)) {
			return false
		}
		s.ListenPorts = append(slices.Clone(s.ListenPorts), uint16(port))
		return true
	}
	l := list(s, p)
	if l == nil || slices.Contains(*l, resource) {
		return false
	}
	*l = append(slices.Clone(*l), resource)
	return true
}

// drop takes a resource out of the scope of a permission, where it is there.
func drop(s *confine.Scopes, p confine.Permission, resource string) bool {
	l := list(s, p)
	if l == nil || !slices.Contains(*l, resource) {
		return false
	}
	*l = slices.DeleteFunc(slices.Clone(*l), func(r string) bool { return r == resource })
	return true
}

// uncover leaves out the paths that are below another one.
func uncover(s *confine.Scopes) {
	for _, paths := range []*[]string{(*[]string)(&s.ReadPaths), (*[]string)(&s.WritePaths), (*[]string)(&s.DeletePaths)} {
		*paths = uncovered(*paths)
	}
}

// uncovered leaves out the paths that are below another one: a directory covers
// what is in it.
func uncovered(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
		return slices.ContainsFunc(paths, func(above string) bool { return strings.HasPrefix(path, above+"/") })
	})
}
