// Package artifact identifies the program that a stdio server starts. It keeps the exact
// version of a package where no other program changes it, and starts that in place of the
// launcher.
//
// A package of npm or PyPI is fetched whole, with all its dependencies, by the user's npm
// or pip in its configuration. No code of the package runs: npm runs no scripts, and pip
// accepts only wheels. A package that needs more is not fetched. A complete tree moves
// into the cache in one step, so that an interrupted fetch leaves no partial tree.
//
// An artifact is identified by its integrity. For a package these are the digests that
// the registry gives for every part of the tree; for an image its digest; for a program
// the SHA-256 of its file, and of the script that its arguments name. An artifact floats
// if its code may change while its integrity stays the same; then it says why. A server
// also floats with a variable that is not known to be harmless, and so does a container
// with an option that is not known to leave its program unchanged. A launcher is not
// started if it would ask another registry than the user's variables name.
//
// Before each start the list of the tree's parts and the program itself are compared with
// the manifest that was written next to them. Every file is compared only when the
// package is fetched again. This finds damage. It does not find a change by a program
// that can write to both the cache and the manifest, code that a script loads from
// outside its package, another interpreter, or the actions of a program.
//
// If a wheel of a private index depends, by an address, on something that is not a wheel,
// pip builds that. Afterwards the package is refused. npm is asked for the list of all
// parts before any is fetched.
//
// config reads command lines with this package, config/setup starts the kept packages,
// and cmd/ask fetches them.
package artifact

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/confine"
)

// Artifact describes what a server starts, as far as this is known without starting it.
// The zero value describes a remote server.
type Artifact struct {
	Kind        string `json:"kind,omitempty"` // npm, pypi, image or file
	Name        string `json:"name,omitempty"`
	Version     string `json:"version,omitempty"`
	Integrity   string `json:"integrity,omitempty"`   // "" if nothing is pinned; if it floats, the pinned part
	Program     string `json:"program,omitempty"`     // the server's file, if it is one file
	Interpreter string `json:"interpreter,omitempty"` // SHA-256 of the separate file that runs the program
	Floating    string `json:"floating,omitempty"`    // why the started code may change unnoticed

	// Sandbox confines it ([confine.Sandbox.Document]). Without one it has the user's
	// rights.
	Sandbox document `json:"sandbox,omitzero"`
}

// document is JSON within JSON that can be compared with ==.
type document string

// MarshalJSON returns the text unchanged.
func (d document) MarshalJSON() ([]byte, error) { return []byte(d), nil }

// UnmarshalJSON keeps the text unchanged.
func (d *document) UnmarshalJSON(b []byte) error {
	*d = document(b)
	return nil
}

// String returns the artifact as one line.
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

// Packaged reports whether it is a fetched package.
func (a Artifact) Packaged() bool { return (a.Kind == npm || a.Kind == pypi) && a.Integrity != "" }

// Image reports whether a container engine starts it.
func (a Artifact) Image() bool { return a.Kind == image }

// fileKind is the kind of a program that no launcher starts.
const fileKind = "file"

// Command is a stdio server's command line after its variables are expanded, and the
// package that it named before.
type Command struct {
	Package Package
	Path    string
	Args    []string
	Dir     string
	Env     []string // the names of its variables

	Harmless []string // the variables that the operator declares harmless

	Sandbox *confine.Sandbox // nil has no setting

	Ahead *Ahead // optional
}

// Pinned returns the record of an artifact in an approval, as canonical JSON. It is nil
// for a remote server. It leaves out the program's path, which depends on the machine.
func (a Artifact) Pinned() jsontext.Value {
	if a.Kind == "" {
		return nil
	}
	a.Program = ""
	b, err := json.Marshal(a)
	if err != nil {
		return nil
	}
	text, err := schema.Canonical(b)
	if err != nil {
		return nil
	}
	return text
}

// Compare returns the differences between the approved and the current artifact, worst
// first. An artifact that no longer floats is safer. An interpreter that was not read is
// not compared.
func Compare(was, now jsontext.Value) []pin.Difference {
	w, wrong := readPinned(was)
	n, err := readPinned(now)
	if errors.Join(wrong, err) != nil {
		return []pin.Difference{{Class: pin.Contract, Was: was, Now: now, Why: "the approved program cannot be read"}}
	}
	all := slices.Concat(
		differ("/kind", w.Kind, n.Kind, pin.Contract, "another kind of program is started"),
		differ("/name", w.Name, n.Name, pin.Contract, "another package is started"),
		differ("/version", w.Version, n.Version, pin.Contract, "another version is started"))
	switch {
	case w.Floating != "" && n.Floating == "":
		all = append(all, differ("/floating", w.Floating, "", pin.Safer, "the started program can no longer change unnoticed")...)
	case w.Floating == "" && n.Floating != "":
		all = append(all, differ("/floating", "", n.Floating, pin.Contract, "what is started may change unseen")...)
	default:
		all = append(all, differ("/floating", w.Floating, n.Floating, pin.Informational, "the started program may change unnoticed, as before")...)
	}
	if w.compared(n) {
		all = append(all, differ("/integrity", w.Integrity, n.Integrity, pin.Contract, "the package or the program is not the one that was approved")...)
	}
	if w.Interpreter != "" && n.Interpreter != "" {
		all = append(all, differ("/interpreter", w.Interpreter, n.Interpreter, pin.Informational, "another interpreter runs it")...)
	}
	all = append(all, sandboxed(jsontext.Value(w.Sandbox), jsontext.Value(n.Sandbox))...)
	slices.SortStableFunc(all, func(a, b pin.Difference) int { return int(a.Class) - int(b.Class) })
	return all
}

// sandboxed returns the differences of a server's sandbox from the approved one. A
// sandbox that permits more, or asks for more, lowers safety: the server is not started
// until it is reviewed.
func sandboxed(was, now jsontext.Value) (all []pin.Difference) {
	for _, s := range confine.Compare(was, now) {
		d := pin.Difference{Class: pin.Safer, Path: "/sandbox" + s.Path, Was: s.Was, Now: s.Now, Why: s.Why}
		switch {
		case s.Wider:
			d.Class = pin.Lowering
		case s.Path == "/manifest/description":
			d.Class = pin.Informational // it grants nothing
		}
		all = append(all, d)
	}
	return all
}

// compared reports whether the integrity is compared. This is so if neither artifact
// floats, and if a part of the floating artifact was pinned.
func (a Artifact) compared(now Artifact) bool {
	if a.Floating == "" && now.Floating == "" {
		return true
	}
	return a.Integrity != "" && (a.Floating != "" || now.Integrity != "")
}

// Refuse returns why an artifact is not started. It is nil for the approved artifact, and
// if none was approved. The operator may choose another version, in the servers file: the
// server's tools are compared, and a review shows it. With locked pins only the approved
// artifact is started, and nothing that may change unnoticed.
func Refuse(was jsontext.Value, now Artifact, locked bool) *verdict.Denial {
	if locked && now.Floating != "" {
		return verdict.Deny(verdict.PinFloating, "the started program may change unnoticed: %s", now.Floating)
	}
	if locked && len(was) == 0 && now.Kind != "" {
		return verdict.Deny(verdict.PinChanged, "the pins do not name the program to start")
	}
	return another(was, now.Pinned(), locked)
}

// Another reports whether a question may not start the current artifact, as [Refuse]
// decides without locked pins.
func Another(was, now jsontext.Value) bool { return another(was, now, false) != nil }

func another(was, now jsontext.Value, locked bool) *verdict.Denial {
	if len(was) == 0 {
		return nil
	}
	upgraded := false
	for _, d := range Compare(was, now) {
		switch {
		case d.Class > pin.Contract:
			return nil
		case locked:
		case d.Path == "/version" && d.Now != nil:
			upgraded = true
			continue
		case d.Path == "/integrity" && upgraded:
			continue
		}
		return verdict.Deny(verdict.PinChanged, "%s", d.Why)
	}
	return nil
}

// Text returns an approval's record of an artifact as one line.
func Text(pinned jsontext.Value) string {
	a, err := readPinned(pinned)
	if err != nil {
		return string(pinned)
	}
	return a.String()
}

// Confined describes the sandbox of a pinned artifact for the user. It returns nothing
// for a server that is not started.
func Confined(pinned jsontext.Value) []string {
	a, err := readPinned(pinned)
	if err != nil || a.Kind == "" {
		return nil
	}
	s, err := confine.ReadDocument(jsontext.Value(a.Sandbox))
	if err != nil {
		return []string{"what confines it cannot be read"}
	}
	return s.Lines()
}

// Writable returns the paths that the scopes of a confined server let it write or delete
// in. It returns nothing for a server that is not confined.
func Writable(pinned jsontext.Value) []string {
	a, err := readPinned(pinned)
	if err != nil {
		return nil
	}
	s, err := confine.ReadDocument(jsontext.Value(a.Sandbox))
	if err != nil || s == nil {
		return nil
	}
	all := slices.Concat(s.Scopes.WritePaths, s.Scopes.DeletePaths)
	return slices.Compact(slices.Sorted(slices.Values(all)))
}

// readPinned reads the result of [Artifact.Pinned]. An empty text gives the zero artifact.
func readPinned(text jsontext.Value) (a Artifact, err error) {
	if len(text) > 0 {
		err = schema.Decode(text, &a, manifestLimits)
	}
	return a, err
}

func differ(path, was, now string, class pin.Class, why string) []pin.Difference {
	if was == now {
		return nil
	}
	return []pin.Difference{{Class: class, Path: path, Was: quoted(was), Now: quoted(now), Why: why}}
}

func quoted(text string) jsontext.Value {
	if text == "" {
		return nil
	}
	b, _ := jsontext.AppendQuote(nil, text) // invalid UTF-8 is replaced
	return b
}
