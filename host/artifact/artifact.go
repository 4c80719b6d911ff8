// Package artifact says what a stdio server starts, keeps the exact version of
// a package where nobody else changes it, and starts that in the launcher's
// place.
//
// A package of npm or PyPI is fetched whole, with all that it depends on, by
// the npm or pip of the user and as those are configured. No code of it runs:
// npm runs no scripts, and pip takes wheels alone. What needs more than that is
// not fetched. A tree is put into the cache in one step when it is complete, so
// that one who is killed leaves nothing half there.
//
// What is known of an artifact is its integrity: of a package the digests that
// the registry gives for every part of the tree, of an image its digest, of a
// program the SHA-256 of its file, and of the script that its arguments name.
// What may change while all of this stays the same floats, and says why.
//
// Before each start the list of the tree's parts and the program itself are
// held against the manifest that was written beside them; every file only when
// it is fetched again. That finds damage. It does not find who can write to the
// cache and to the manifest, what a script loads from outside of its package,
// what the interpreter is, or what a program does.
//
// A private index whose wheels depend on what is not a wheel, by its address,
// has pip build that; it is refused when that is done. npm is asked for the
// list of all parts before any is fetched.
//
// config reads command lines with it, config/setup starts what it keeps, and
// cmd/ask has it fetch.
package artifact

import (
	"cmp"
	"strings"
)

// Artifact is what a server starts, as far as that can be told without starting
// it. The zero value is of a server that is started by nobody here.
type Artifact struct {
	Kind        string `json:"kind,omitempty"` // npm, pypi, image or file
	Name        string `json:"name,omitempty"`
	Version     string `json:"version,omitempty"`
	Integrity   string `json:"integrity,omitempty"`   // "" where it floats
	Program     string `json:"program,omitempty"`     // the file that is the server, where it is one
	Interpreter string `json:"interpreter,omitempty"` // the SHA-256 of what runs the program, where that is another file
	Floating    string `json:"floating,omitempty"`    // why what is started may change unseen
}

// String is the artifact as a line shows it.
func (a Artifact) String() string {
	if a.Kind == "" {
		return "nothing is started"
	}
	text := strings.TrimSpace(a.Kind + " " + cmp.Or(a.Name, a.Program) + " " + a.Version)
	if a.Floating != "" {
		return text + " floats: " + a.Floating
	}
	return text + " " + a.Integrity
}

// fileKind is the kind of a program that no launcher starts.
const fileKind = "file"

// Command is a stdio server's command line, after its variables are expanded,
// and the package that it names, read before they were.
type Command struct {
	Package Package
	Path    string
	Args    []string
	Dir     string
	Env     []string // the names of its variables
}
