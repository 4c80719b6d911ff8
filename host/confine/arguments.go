package confine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Paths are one member of the scopes. An element is an absolute path, or an object that
// names an argument of the call in place of a path. In Go the element for an object is
// the result of [Argument.Path].
type Paths []string

// Argument grants the file that an argument of one call names. Without a call it grants
// nothing: [Policy.Bind] makes the grant.
type Argument struct {
	// Arg is the place of a path, or of an array of paths, in the arguments: a JSON
	// Pointer (RFC 6901).
	Arg string `json:"arg"`

	// Under is the directory that must contain the path. It is absolute.
	Under string `json:"under"`

	// Scope is "directory" for the whole directory of the file, or for the named
	// directory. "" is exactly the named file.
	Scope string `json:"scope,omitempty"`
}

// wholeDirectory is a scope for servers that replace a file in order to write it. They
// make the new file next to it, so the siblings can be written, too.
const wholeDirectory = "directory"

// Path returns the argument as an element of [Paths].
func (a Argument) Path() string {
	b, err := json.Marshal(a, json.Deterministic(true))
	if err != nil {
		return "" // an invalid element
	}
	return string(b)
}

// argument decodes an element of Paths, and reports whether it is an argument.
func argument(element string) (a Argument, is bool, err error) {
	if !strings.HasPrefix(element, "{") {
		return a, false, nil
	}
	err = schema.Decode([]byte(element), &a, manifestLimits)
	return a, true, err
}

// MarshalJSONTo writes an argument as an object.
func (p Paths) MarshalJSONTo(e *jsontext.Encoder) error {
	all := make([]any, 0, len(p))
	for _, path := range p {
		all = append(all, path)
		if a, is, err := argument(path); is && err == nil {
			all[len(all)-1] = a
		}
	}
	return json.MarshalEncode(e, all)
}

// UnmarshalJSON reads texts and objects. It keeps any other value unchanged, and
// [Scopes.arguments] reports its place.
func (p *Paths) UnmarshalJSON(b []byte) error {
	var all []jsontext.Value
	if err := schema.Decode(b, &all, manifestLimits); err != nil {
		return err
	}
	*p = nil
	for _, v := range all {
		path := []byte(v)
		if v.Kind() == '"' {
			path, _ = jsontext.AppendUnquote(nil, v) // it was checked above
			if strings.HasPrefix(string(path), "{") {
				path = append([]byte("./"), path...) // marks a path, which is not an argument
			}
		}
		if a, is, err := argument(string(path)); is && err == nil {
			path = []byte(a.Path())
		}
		*p = append(*p, string(path))
	}
	return nil
}

// arguments reports an element of the scopes that is neither a path nor an argument.
func (s Scopes) arguments(at string) error {
	members := map[string]Paths{"readPaths": s.ReadPaths, "writePaths": s.WritePaths, "deletePaths": s.DeletePaths}
	for member, paths := range members {
		for i, path := range paths {
			if _, _, err := argument(path); err != nil {
				return malformed(fmt.Sprintf("%s/%s/%d", at, member, i), err)
			}
		}
	}
	return nil
}

// argued is an argument of a policy, with the grant of its directory.
type argued struct {
	Argument
	why    string
	access access
	root   grant
}

// argue adds an argument's rule, which grants nothing yet.
func (p *Policy) argue(a Argument, access access, at string) error {
	switch {
	case !strings.HasPrefix(a.Arg, "/"):
		return invalid(fmt.Sprintf("%s/arg is %.80q, which is not a place in the arguments", at, a.Arg),
			`write it as a JSON Pointer: "/path" is the argument path`)
	case a.Scope != "" && a.Scope != wholeDirectory:
		return invalid(fmt.Sprintf("%s/scope is %.80q", at, a.Scope),
			`write "directory", or leave it out for exactly the file`)
	}
	if err := absolute(at+"/under", a.Under); err != nil {
		return err
	}
	root, err := grantOf(a.Under, access, at)
	if err != nil {
		return missing(at+"/under", a.Under, err)
	}
	if !root.info.IsDir() {
		return invalid(fmt.Sprintf("%s/under is %.200q, which is not a directory", at, a.Under),
			"name the directory that the argument's path has to be in")
	}
	p.arguments = append(p.arguments, argued{a, at, access, root})
	return nil
}

// Bind returns the policy for one call. It also grants the files that the call's
// arguments name, if scopes name those arguments. Each path is resolved once, beneath its
// directory, and its file is kept open. If another file takes its place, it is not
// granted, and the start fails. Reading a file that does not exist needs no grant.
// arguments may be nil.
//
// The error says why a call cannot be granted a file. A path must not be relative, or
// outside its directory, or lead out of it.
func (p *Policy) Bind(arguments jsontext.Value) (*Policy, error) {
	bound := *p
	bound.grants, bound.bound = slices.Clone(p.grants), nil
	for leaf := range schema.Leaves(arguments) {
		for _, a := range p.arguments {
			if leaf.Name || leaf.Kind != '"' || !a.names(leaf) {
				continue
			}
			g, err := a.grant(leaf.Text)
			if err != nil {
				return nil, err
			}
			if g != nil {
				if err := p.own.find().forbid(a.why, g.path, g.access); err != nil {
					return nil, errors.Join(err, g.held.Close())
				}
				bound.grants = append(bound.grants, *g)
				bound.bound = append(bound.bound, Bound{leaf.Pointer(), g.path, permissionOf(a.access), a.Scope == wholeDirectory, g.id})
			}
		}
	}
	return &bound, bound.unwritable()
}

// names reports whether a text is the argument or one of its items.
func (a argued) names(leaf schema.Leaf) bool {
	way, at := leaf.Path(), leaf.Pointer()
	if at == a.Arg || len(way) == 0 {
		return at == a.Arg
	}
	last := way[len(way)-1].Index
	return last >= 0 && at == a.Arg+"/"+strconv.Itoa(last)
}

// Bound is the grant for one argument of a call.
type Bound struct {
	Pointer    string     `json:"pointer"` // of the argument
	Path       string     `json:"path"`    // without symbolic links
	Permission Permission `json:"permission"`
	Siblings   bool       `json:"siblings,omitempty"` // everything in the directory Path
	ID         string     `json:"id"`                 // of the file: another file at the path has another ID
}

// Bound lists the grants of [Policy.Bind], for the user who approves the call.
func (p *Policy) Bound() []Bound { return slices.Clone(p.bound) }

// Release closes the files that [Policy.Bind] keeps open. Afterwards another file can get
// the number of a file that is removed.
func (p *Policy) Release() {
	for _, g := range p.grants {
		_ = g.held.Close() // ignores the error for a nil file
	}
}

// grant returns the grant of one path, or nil if the path needs none. A refusal does not
// repeat the path: a model may have written it.
func (a argued) grant(path string) (*grant, error) {
	what := fmt.Sprintf("the argument %s", a.Arg)
	if !filepath.IsAbs(path) {
		return nil, invalid(what+" names a relative path", "ask for an absolute path in "+a.Under)
	}
	if err := absolute(what, path); err != nil {
		return nil, err
	}
	below, ok := a.below(filepath.Clean(path))
	if !ok {
		return nil, invalid(fmt.Sprintf("%s names a path which is not in %.200q", what, a.Under),
			"ask for a path in that directory; "+a.why+" allows no other")
	}
	f, err := a.root.openBelow(below)
	named := ""
	switch {
	case errors.Is(err, fs.ErrNotExist) && a.access != write:
		return nil, nil
	case errors.Is(err, fs.ErrNotExist) && a.Scope != wholeDirectory:
		why := fmt.Sprintf("%s names a file that does not exist, and %s allows writing what exists", what, a.why)
		return nil, invalid(why,
			`"scope": "directory" allows making it, and writing everything next to it`)
	case err == nil && a.Scope == wholeDirectory:
		below, named, err = a.whole(f)
		if err == nil {
			f, err = a.root.openBelow(below)
		}
	case errors.Is(err, fs.ErrNotExist):
		f, err = a.root.openBelow(filepath.Dir(below))
	}
	if err != nil {
		return nil, verdict.Fail(verdict.ManifestInvalid, err, "%s names a path that cannot be granted: %v", what, cause(err)).
			WithHint("ask for a path that stays in " + a.Under + ", links included")
	}
	return a.granted(f, what, named)
}

// below returns the path relative to the argument's directory.
func (a argued) below(path string) (string, bool) {
	for _, root := range []string{filepath.Clean(a.Under), a.root.path} {
		if beneath(root, path) {
			below, err := filepath.Rel(root, path)
			return below, err == nil
		}
	}
	return "", false
}

// whole returns the directory of an open file, relative to the argument's directory, and
// the file's identity. An open directory is its own directory.
func (a argued) whole(f *os.File) (directory, named string, err error) {
	defer f.Close()
	info, err := f.Stat()
	if err == nil {
		named, err = identity(f)
	}
	if err != nil {
		return "", "", err
	}
	actual := f.Name()
	if !info.IsDir() {
		actual = filepath.Dir(actual)
	}
	below, ok := a.below(actual)
	if !ok {
		return "", "", errReplaced
	}
	return below, " " + named, nil
}

// granted grants an open file. named is the identity of the named file in it. It refuses
// a device or a pipe, which all users share.
func (a argued) granted(f *os.File, what, named string) (*grant, error) {
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		err = fmt.Errorf("it is a %v", info.Mode().Type())
	}
	id := ""
	if err == nil {
		id, err = identity(f)
	}
	if err != nil {
		_ = f.Close()
		return nil, verdict.Fail(verdict.ManifestInvalid, err, "%s cannot be granted: %v", what, cause(err))
	}
	return &grant{path: f.Name(), access: a.access, why: a.why + " names " + what, info: info, held: f, id: id + named}, nil
}
