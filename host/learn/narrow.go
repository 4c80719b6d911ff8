package learn

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/onestep-run/onestep/host/confine"
)

// take records an attempt, and adds the narrowest possible scope for it. It reports
// whether the server runs with more grants from then on. raw is the attempt with the
// server's path, which may be in a copy.
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
	if _, err := os.Lstat(resource); err != nil && ok && filepath.IsAbs(resource) { // it is only in the copy
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

// written returns the directory of a file if the server may write there, and otherwise
// the file. A server that replaces its files has other files there later, and a rule is
// for one file.
func (l *learner) written(path string) string {
	dir := filepath.Dir(path)
	if l.forbids(confine.FilesRead, dir) != "" || !slices.ContainsFunc(l.scopes.WritePaths, func(above string) bool { return strings.HasPrefix(path, above+"/") }) {
		return path
	}
	return dir
}

// forbids says why an attempt at a path gets no scope, or "". Files of this program are
// in no scope, and some places only in a scope that the operator typed.
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

// key identifies an attempt.
func key(a confine.Attempt) string { return a.Action + "\x00" + a.Resource }

// narrowest returns the resource that a scope needs for an attempt to pass. A scope is
// for existing files. A file to be made needs its directory. So does a file to be
// deleted, which does not exist the next time.
func narrowest(a confine.Attempt) (string, bool) {
	_, gone := os.Lstat(a.Resource)
	switch {
	case a.Permission == confine.FilesDelete, a.Permission == confine.FilesWrite && gone != nil:
		return existing(filepath.Dir(a.Resource))
	case a.Permission == confine.FilesRead && gone != nil: // it existed only briefly
		return "", false
	}
	return a.Resource, a.Permission != "" && a.Resource != ""
}

// existing returns a directory, or the nearest existing one above it.
func existing(dir string) (string, bool) {
	for dir != "/" && dir != "." {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir, true
		}
		dir = filepath.Dir(dir)
	}
	return "", false
}

// grant adds to the scopes of the manifest. If it is effective, it also adds to the
// scopes that the server runs under. It reports whether anything was added.
func (l *learner) grant(p confine.Permission, resource string, effective bool) bool {
	if !add(&l.scopes, p, resource) {
		return false
	}
	return !effective || add(&l.effective, p, resource)
}

// add adds a resource to the scope of a permission, and reports whether it is new.
func add(s *confine.Scopes, p confine.Permission, resource string) bool {
	if p == confine.NetworkServer {
		port, err := strconv.ParseUint(resource, 10, 16)
		if err != nil || port == 0 || slices.Contains(s.ListenPorts, uint16(port)) {
			return false
		}
		s.ListenPorts = append(slices.Clone(s.ListenPorts), uint16(port))
		return true
	}
	l := s.Lists()[p]
	if l == nil || slices.Contains(*l, resource) {
		return false
	}
	*l = append(slices.Clone(*l), resource)
	return true
}

// drop removes a resource from the scope of a permission, and reports whether it was
// there.
func drop(s *confine.Scopes, p confine.Permission, resource string) bool {
	l := s.Lists()[p]
	if l == nil || !slices.Contains(*l, resource) {
		return false
	}
	*l = slices.DeleteFunc(slices.Clone(*l), func(r string) bool { return r == resource })
	return true
}

// uncover removes the paths below another path from the scopes: a directory covers its
// contents.
func uncover(s *confine.Scopes) {
	for _, all := range []*confine.Paths{&s.ReadPaths, &s.WritePaths, &s.DeletePaths} {
		paths := *all
		*all = slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
			return slices.ContainsFunc(paths, func(above string) bool { return strings.HasPrefix(path, above+"/") })
		})
	}
}
