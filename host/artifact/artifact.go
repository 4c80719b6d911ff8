// Package artifact says what a stdio server starts, keeps the exact version of
// a package where no other program changes it, and starts that in the launcher's
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
// What may change while all of this stays the same floats, and says why: so does
// a server with a variable that is not known to be harmless, and a container with
// an option that is not known to leave its program alone. A launcher that would
// ask another registry than the user's variables name is not started.
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

// Artifact is what a server starts, as far as that can be told without starting
// it. The zero value describes a remote server.
type Artifact struct {
	Kind        string `json:"kind,omitempty"` // npm, pypi, image or file
	Name        string `json:"name,omitempty"`
	Version     string `json:"version,omitempty"`
	Integrity   string `json:"integrity,omitempty"`   // "" where nothing of it is pinned; what is pinned of what floats
	Program     string `json:"program,omitempty"`     // the file that is the server, where it is one
	Interpreter string `json:"interpreter,omitempty"` // the SHA-256 of what runs the program, where that is another file
	Floating    string `json:"floating,omitempty"`    // why what is started may change unseen

	// Sandbox is what confines it ([confine.Sandbox.Document]); none has the user's rights.
	Sandbox document `json:"sandbox,omitzero"`
}

// document is JSON in JSON that can be compared with ==.
type document string

// MarshalJSON is the text itself.
func (d document) MarshalJSON() ([]byte, error) { return []byte(d), nil }

// UnmarshalJSON keeps the text.
func (d *document) UnmarshalJSON(b []byte) error {
	*d = document(b)
	return nil
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

// Packaged reports whether it is a package that was fetched.
func (a Artifact) Packaged() bool { return (a.Kind == npm || a.Kind == pypi) && a.Integrity != "" }

// Image reports whether a container engine starts it.
func (a Artifact) Image() bool { return a.Kind == image }

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

	Harmless []string // those of them that the operator calls harmless

	Sandbox *confine.Sandbox // nil says nothing
}

// Pinned is what an approval keeps of an artifact, as canonical JSON; nil of a
// remote server. Where the program lies is not in it: that is
// the place's.
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

// Compare says how what is started now differs from what was approved, the
// worst first. That what floated does no longer is safer.
// An interpreter that was not read is not compared.
func Compare(was, now jsontext.Value) []pin.Difference {
	w, wrong := read(was)
	n, err := read(now)
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

// sandboxed says how what confines a server differs from what was approved. What
// lets it do more, or asks for more, lowers safety: it is not started until it
// is reviewed.
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

// compared reports whether the integrity of what was approved is compared: where
// neither floats, and where a part of what floated was pinned.
func (a Artifact) compared(now Artifact) bool {
	if a.Floating == "" && now.Floating == "" {
		return true
	}
	return a.Integrity != "" && (a.Floating != "" || now.Integrity != "")
}

// Refuse is why an artifact is not started, nil where it is the approved one, or
// where none was approved. Another version is the word of the operator, whose
// file names it: the server's tools are compared, and a review shows it. Where
// the pins are locked nothing but the approved is started, and nothing that may
// change unseen.
func Refuse(was jsontext.Value, now Artifact, locked bool) *verdict.Denial {
	if locked && now.Floating != "" {
		return verdict.Deny(verdict.PinFloating, "the started program may change unnoticed: %s", now.Floating)
	}
	if locked && len(was) == 0 && now.Kind != "" {
		return verdict.Deny(verdict.PinChanged, "the pins do not name the program to start")
	}
	return another(was, now.Pinned(), locked)
}

// Another reports whether what is started is refused to a question, as [Refuse]
// says where the pins are not locked.
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

// Text is what an approval keeps of an artifact, as a line shows it.
func Text(pinned jsontext.Value) string {
	a, err := read(pinned)
	if err != nil {
		return string(pinned)
	}
	return a.String()
}

// Confined says for people what confines a pinned artifact; nothing of a server
// that is not started.
func Confined(pinned jsontext.Value) []string {
	a, err := read(pinned)
	if err != nil || a.Kind == "" {
		return nil
	}
	s, err := confine.ReadDocument(jsontext.Value(a.Sandbox))
	if err != nil {
		return []string{"what confines it cannot be read"}
	}
	return s.Lines()
}

// Writable are the paths that a confined server may write or delete in, as its scopes
// have them; nothing of a server that is not confined.
func Writable(pinned jsontext.Value) []string {
	a, err := read(pinned)
	if err != nil {
		return nil
	}
	s, err := confine.ReadDocument(jsontext.Value(a.Sandbox))
	if err != nil || s == nil {
		return nil
	}
	all := slices.Concat(s.Scopes.WritePaths, s.Scopes.DeletePaths)
	slices.Sort(all)
	return slices.Compact(all)
}

// read reads what [Artifact.Pinned] wrote. No text is the zero artifact.
func read(text jsontext.Value) (a Artifact, err error) {
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
	b, _ := jsontext.AppendQuote(nil, text) // what is not UTF-8 is replaced
	return b
}
