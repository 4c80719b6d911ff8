package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/config/edit"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

// Servers are the servers that a file configures, unexpanded. An invalid entry is kept with
// the reason, and does not affect the others.
type Servers struct {
	path    string
	field   string // the file's name of the member with the entries
	foreign bool   // another client's file
	entries map[string]*entry
	inputs  map[string]Input
	own     bool // the file is the operator's own
}

// Note is a remark on an entry: why it is left out, or what may be a mistake.
type Note struct {
	Server string
	Line   int
	Text   string
	Out    bool // the entry cannot be used
}

// serversLimits bound the operator's own file.
var serversLimits = schema.Limits{Bytes: edit.MaxFile, Depth: maxLevels, Values: 200_000, Exponent: 9, Digits: 20}

// ErrNoServers is the cause if a file is well-formed and contains something else.
var ErrNoServers = errors.New("no servers")

// LoadServers reads an mcp.json.
func LoadServers(path string) (Servers, error) { return load(path, false) }

// LoadForeign reads the file in which another client lists its servers. Any name is accepted:
// [ServerName] makes valid names of them.
func LoadForeign(path string) (Servers, error) { return load(path, true) }

func load(path string, foreign bool) (Servers, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return Servers{}, verdict.Fail(verdict.ConfigUnreadable, err, "%s: %v", path, err)
	}
	b, err := edit.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Servers{}, verdict.Fail(verdict.ConfigMissing, err, "no servers are configured: %s does not exist", path)
	}
	if err != nil {
		return Servers{}, edit.Unreadable(path, err)
	}
	return parse(path, b, foreign)
}

// ParseServers reads the text of a servers file. The path determines the format, by its
// extension, and the workspace, and appears in messages.
func ParseServers(path string, b []byte) (Servers, error) { return parse(path, b, false) }

func parse(path string, b []byte, foreign bool) (Servers, error) {
	b, err := asJSON(path, b)
	if err == nil {
		err = schema.Check(b, serversLimits)
	}
	if err != nil {
		return Servers{}, verdict.Fail(verdict.ConfigInvalid, err, "%s has %v", path, err)
	}
	base := strings.ToLower(filepath.Base(path))
	d := document{openCode: base == "opencode.json" || base == "opencode.jsonc", held: map[string][]held{}, inputs: map[string]Input{}}
	if err := d.read(b); err != nil {
		return Servers{}, verdict.Fail(verdict.ConfigInvalid, err, "%s: %v", path, err)
	}
	s := Servers{path: path, foreign: foreign, entries: map[string]*entry{}, inputs: d.inputs}
	for _, name := range holders {
		if all, there := d.held[name]; there {
			s.field = name
			s.addAll(all)
			return s, nil
		}
	}
	return Servers{}, verdict.Fail(verdict.ConfigInvalid, ErrNoServers, `%s has no "mcpServers"`, path)
}

// NewServers are servers that a program knows, each under its name. References are expanded
// when a server is resolved, so a text may name a secret without containing it: "Bearer
// ${TOKEN}". Commands start in the directory dir unless they name another. A server that
// cannot be used is an error.
func NewServers(dir string, specs map[string]Spec) (Servers, error) {
	if !filepath.IsAbs(dir) {
		return Servers{}, verdict.Fail(verdict.ConfigInvalid, nil, "the directory of the servers, %.300q, is not an absolute path", dir)
	}
	text, err := json.Marshal(map[string]any{"mcpServers": specs})
	if err != nil {
		return Servers{}, verdict.Fail(verdict.ConfigInvalid, err, "the servers: %v", err)
	}
	s, err := ParseServers(filepath.Join(dir, "servers.json"), text)
	for _, n := range s.Notes() {
		if n.Out {
			return Servers{}, verdict.Fail(verdict.ConfigInvalid, nil, "server %s: %s", escape.Line(n.Server, 64), escape.Line(n.Text, 300))
		}
	}
	return s.Own(), err
}

func (s *Servers) addAll(all []held) {
	w := &world{fixed: editors(s.path, func(string) (string, bool) { return "/", true }), inputs: s.inputs}
	for _, h := range all {
		e := readEntry(h, s.field == openCode)
		switch {
		case e.off():
			continue
		case s.entries[h.name] != nil: // only in a list: the names of a table were checked
			s.entries[h.name].wrong = "another entry would have the same name here: " + escape.Line(h.title, 64)
			continue
		case e.wrong != "":
		case h.name == "":
			e.wrong = "it has no name"
		case !s.foreign && !escape.Name(h.name):
			e.wrong = "its name has characters outside A-Z a-z 0-9 _ . -"
		default:
			for field, text := range e.Fields() {
				if wrong := w.misread(text); wrong != "" {
					e.wrong = field + wrong
					break
				}
			}
		}
		s.entries[h.name] = &e
	}
}

// Names are the servers that can be used, sorted.
func (s Servers) Names() []string {
	usable := func(name string) bool { return s.entries[name].wrong != "" }
	return slices.DeleteFunc(slices.Sorted(maps.Keys(s.entries)), usable)
}

// Notes are the remarks on the entries, in the order of the file.
func (s Servers) Notes() (all []Note) {
	for _, name := range slices.Sorted(maps.Keys(s.entries)) {
		e := s.entries[name]
		if e.wrong != "" {
			all = append(all, Note{name, e.line, e.wrong, true})
			continue
		}
		for _, field := range e.literals() {
			all = append(all, Note{name, e.line, field + ", which is sent unchanged: only ${NAME} is replaced", false})
		}
		for _, text := range s.ignored(name, e) {
			all = append(all, Note{name, e.line, text, false})
		}
	}
	slices.SortStableFunc(all, func(a, b Note) int { return a.Line - b.Line })
	return all
}

// String is the note on one line.
func (n Note) String() string {
	out := ""
	if n.Out {
		out = " is left out"
	}
	return fmt.Sprintf("server %s (line %d)%s: %s", escape.Line(n.Server, 64), n.Line, out, escape.Line(n.Text, 300))
}

// Asker asks the user for an input of the file.
type Asker func(Input) (string, error)

// Resolve expands the named servers. A name that is not configured is left out, and discovery
// reports it; an entry that cannot be used is reported in its place. Resolve also returns an
// error for the first variable that is not set or input that is not given. ask is nil without
// a user to ask.
func (s Servers) Resolve(env Environ, ask Asker, names []string) (out []session.Server, unset error) {
	w := &world{env: env, fixed: editors(s.path, env), inputs: s.inputs, ask: ask, said: map[string]string{}}
	for _, name := range names {
		e := s.entries[name]
		if e == nil {
			continue
		}
		server, err := s.resolve(name, e, w)
		if err != nil {
			err = within(s.path, err)
			server = session.Server{Name: name, Wrong: err}
		}
		if unset == nil && verdict.CodeOf(err) == verdict.ConfigVariable {
			unset = err
		}
		out = append(out, server)
	}
	return out, unset
}

func (s Servers) resolve(name string, e *entry, w *world) (session.Server, error) {
	if e.wrong != "" {
		return session.Server{}, verdict.Fail(verdict.ConfigInvalid, nil, "line %d: server %s: %s", e.line, escape.Line(name, 64), escape.Line(e.wrong, 300))
	}
	return e.resolve(name, s.field+"."+name, filepath.Dir(s.path), s.own, &expander{world: w, values: map[string]string{}})
}

// program is the path of the program that will start. It is found here once, so that it is
// the program that was identified. A command without a slash is looked up in PATH, any other
// relative to the server's directory. A program that is not found keeps its name, and fails
// to start.
func program(command, dir string) string {
	path := resolve(dir, command)
	if filepath.Base(command) == command {
		path, _ = exec.LookPath(command)
	}
	if !filepath.IsAbs(path) {
		return command
	}
	return path
}

// Own is the same servers, marked as the operator's own file. The parts of a login that such
// an entry states (its issuer, and PKCE) count if the server does not announce them. Any
// other file is a stranger's text.
func (s Servers) Own() Servers {
	s.own = true
	return s
}

// Unstated are the members of an entry that count only in the operator's own file, if this
// file is another one.
func (s Servers) Unstated(name string) (fields []string) {
	e := s.entries[name]
	if e == nil || s.own || e.OAuth == nil {
		return nil
	}
	if e.OAuth.Issuer != "" {
		fields = append(fields, "oauth.issuer")
	}
	if e.OAuth.PKCE != "" {
		fields = append(fields, "oauth.pkce")
	}
	return fields
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
