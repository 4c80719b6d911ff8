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
// it. It reports whether the server runs under more from then on.
func (l *learner) take(a confine.Attempt) (more bool) {
	if l.seen[key(a)] {
		return false
	}
	l.seen[key(a)] = true
	if i := slices.IndexFunc(l.Needless, func(b confine.Attempt) bool { return key(a) == key(b) }); i >= 0 {
		l.Needless = slices.Delete(l.Needless, i, i+1) // another call needs it
	} else {
		l.Attempts = append(l.Attempts, a)
	}
	resource, ok := narrowest(a)
	if a.Permission == confine.FilesRead {
		resource = l.written(resource)
	}
	if !ok || a.Permission != confine.Exec && secret(resource) {
		l.Withheld = append(l.Withheld, a)
		return false
	}
	effective := slices.Contains(l.Effective, a.Permission)
	return l.grant(a.Permission, resource, effective) && effective
}

// written is the directory of a file where the server may write there, else the file:
// one that replaces its files has others there later, and a rule is of a file.
func (l *learner) written(path string) string {
	dir := filepath.Dir(path)
	if secret(dir) || !slices.ContainsFunc(l.scopes.WritePaths, func(above string) bool { return strings.HasPrefix(path, above+"/") }) {
		return path
	}
	return dir
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

// secrets are names of files and directories that hold keys, tokens and what a
// browser keeps. An attempt to read one says nothing about what a server needs:
// it is reported, and the operator grants it by hand, or not.
var secrets = []string{
	".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".netrc", ".pgpass", ".git-credentials", ".npmrc", ".pypirc",
	"gcloud", "keyrings", ".password-store", ".mozilla", "google-chrome", "chromium", "shadow", "gshadow", "sudoers",
	".bash_history", ".zsh_history", "environ",
}

// secret reports whether a path is where secrets usually are, or is a directory
// that such a place is in: a scope covers all that is below it.
func secret(path string) bool {
	if !filepath.IsAbs(path) {
		return false
	}
	if slices.ContainsFunc(strings.Split(path, "/"), func(part string) bool { return slices.Contains(secrets, part) }) {
		return true
	}
	home, err := os.UserHomeDir()
	return path == "/" || err == nil && (home == path || strings.HasPrefix(home, path+"/")) || slices.ContainsFunc(secrets, func(name string) bool {
		_, err := os.Lstat(filepath.Join(path, name))
		return err == nil
	})
}
