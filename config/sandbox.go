package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/config/edit"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/confine"
	"github.com/onestep-run/onestep/host/session"
)

// Values of an entry's "sandbox" member. With off the server keeps the user's rights,
// whatever the setting sandbox says; with files it is confined without a supervisor
// ([confine.Options]).
const (
	sandboxOff   = "off"
	sandboxFiles = "files"
)

// SandboxAll is the value of the setting sandbox that confines every stdio server, unless its
// entry has "off".
const SandboxAll = "all"

// Sandboxed are the members of an entry that confine its server. An entry without them states
// nothing. An entry with an empty manifest or empty scopes has the minimum.
type Sandboxed struct {
	Manifest jsontext.Value `json:"manifest,omitzero"` // the document, or the path of its file
	Scopes   jsontext.Value `json:"scopes,omitzero"`   // in place of the scopes that the manifest suggests
	Sandbox  string         `json:"sandbox,omitempty" validate:"omitempty,oneof=off files"`
}

// says reports whether an entry states a confinement, or states that it has none. Other
// clients write a list of scopes for a login: such a list does not count.
func (s Sandboxed) says() bool {
	scoped := len(s.Scopes) > 0 && s.Scopes.Kind() != '['
	return s.Sandbox != "" || len(s.Manifest) > 0 || scoped
}

// check finds members that contradict each other.
func (s Sandboxed) check(kind string) error {
	confined := len(s.Manifest) > 0 || len(s.Scopes) > 0 && s.Scopes.Kind() != '['
	switch {
	case !s.says():
		return nil
	case kind != (session.Server{Command: "x"}).Kind():
		return errors.New("manifest, scopes and sandbox are for a server with a command")
	case s.Sandbox == sandboxOff && confined:
		return errors.New(`sandbox is "off", and a manifest or scopes confine it: remove one of them`)
	case len(s.Manifest) > 0 && s.Manifest.Kind() != '{' && s.Manifest.Kind() != '"':
		return errors.New("manifest is neither an object nor the path of a file")
	}
	return nil
}

// sandbox is the confinement of the entry's server, nil if the entry states none. A path of a
// manifest is relative to the directory of the servers file.
func (e *entry) sandbox(field, dir string, x *expander) (*confine.Sandbox, error) {
	switch {
	case !e.says():
		return nil, nil
	case e.Sandbox == sandboxOff:
		return &confine.Sandbox{Off: true}, nil
	}
	s := &confine.Sandbox{FilesOnly: e.Sandbox == sandboxFiles}
	if len(e.Manifest) > 0 {
		text, where, err := manifestText(e.Manifest, field, dir, x)
		if err == nil {
			s.Manifest, err = confine.Parse(text)
		}
		if err != nil {
			return nil, within(where, err)
		}
		if s.Manifest.Scopes != nil {
			s.Scopes = *s.Manifest.Scopes
		}
	}
	if len(e.Scopes) > 0 && e.Scopes.Kind() != '[' {
		var err error
		if s.Scopes, err = confine.ParseScopes(e.Scopes); err != nil {
			return nil, within(field+".scopes", err)
		}
	}
	for name, list := range map[string][]string{
		"readPaths": s.Scopes.ReadPaths, "writePaths": s.Scopes.WritePaths, "deletePaths": s.Scopes.DeletePaths,
		"allowedHosts": s.Scopes.AllowedHosts, "allowedCommands": s.Scopes.AllowedCommands,
	} {
		for i := range list {
			if strings.HasPrefix(list[i], "{") {
				continue // a reference to an argument of the call
			}
			list[i] = x.expand(fmt.Sprintf("%s.scopes.%s[%d]", field, name, i), list[i])
		}
	}
	return s, x.err
}

// manifestText is the document of a manifest, and its place.
func manifestText(raw jsontext.Value, field, dir string, x *expander) (text []byte, where string, err error) {
	if raw.Kind() == '{' {
		return raw, field + ".manifest", nil
	}
	path, err := manifestPath(raw, field+".manifest", dir, x)
	if err != nil {
		return nil, field + ".manifest", err
	}
	text, err = edit.Read(path)
	if err != nil {
		return nil, field + ".manifest", edit.Unreadable(path, err)
	}
	return text, path, nil
}

// manifestPath is the file that an entry's manifest names.
func manifestPath(raw jsontext.Value, field, dir string, x *expander) (string, error) {
	name, err := jsontext.AppendUnquote(nil, raw)
	if err != nil {
		return "", verdict.Fail(verdict.ConfigInvalid, err, "it is not a text")
	}
	path := resolve(dir, x.expand(field, string(name)))
	return path, x.err
}

// within adds a place to an error, and keeps code and hint.
func within(where string, err error) error {
	if f, is := errors.AsType[*verdict.Fault](err); is {
		return verdict.Fail(f.Code, err, "%s: %s", where, f.Reason).WithHint(f.Hint)
	}
	return verdict.Fail(verdict.ConfigInvalid, err, "%s: %v", where, err)
}

// absolute is the members for a file in another directory.
func (s Sandboxed) absolute(dir string) Sandboxed {
	name, err := jsontext.AppendUnquote(nil, s.Manifest)
	if s.Manifest.Kind() != '"' || err != nil || filepath.IsAbs(string(name)) {
		return s
	}
	s.Manifest, _ = jsontext.AppendQuote(nil, resolve(dir, string(name))) // it was unquoted just now
	return s
}
