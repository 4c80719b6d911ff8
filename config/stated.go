package config

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Own is the same servers, marked as the operator's own file. The parts of a login that such
// an entry states (its issuer, and PKCE) count if the server does not announce them. Any
// other file is a stranger's text.
func (s Servers) Own() Servers {
	s.own = true
	return s
}

// Unstated are the members of an entry that count only in the operator's own file, if this
// file is another one.
func (s Servers) Unstated(name string) []string {
	if e := s.entries[name]; e != nil && !s.own {
		return e.OAuth.stated()
	}
	return nil
}

// OwnFile reports whether a servers file is the operator's own. A file that a flag or a
// variable names in the repository around the working directory is not, nor is a file in
// which a client lists the servers of a project.
func OwnFile(file Value[string], env Environ) bool {
	switch {
	case UsersFile(file.V, env):
		return true
	case ofProject(file.V):
		return false
	}
	return !file.Origin.Named() || !inRepository(file.V)
}

// UsersFile reports whether a client lists its user's servers in a file.
func UsersFile(path string, env Environ) bool {
	return slices.ContainsFunc(Clients(env, runtime.GOOS), func(c Client) bool { return slices.Contains(c.Files, filepath.Clean(path)) })
}

// ofProject reports whether a path is that of a project's servers.
func ofProject(path string) bool {
	slashed := filepath.ToSlash(path)
	// Their paths below a project are the same in each home.
	all := Clients(func(string) (string, bool) { return string(filepath.Separator), true }, "linux")
	return slices.ContainsFunc(all, func(c Client) bool {
		return slices.ContainsFunc(c.Project, func(name string) bool { return strings.HasSuffix(slashed, "/"+filepath.ToSlash(name)) })
	})
}
