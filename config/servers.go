package config

import (
	"errors"
	"io/fs"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

// entry is one server of the ecosystem's mcp.json. Members that other clients
// know and onestep does not are passed over.
type entry struct {
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
	Dir     string            `json:"cwd"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
	Type    string            `json:"type"`

	Disabled bool `json:"disabled"` // as some clients write it: no such server

	raw jsontext.Value // as written
}

// Servers are the servers that an mcp.json configures, unexpanded.
type Servers struct {
	path    string
	entries map[string]entry
}

// serversLimits bound the operator's own file.
var serversLimits = schema.Limits{Bytes: maxFile, Depth: 16, Values: 200_000, Exponent: 9, Digits: 20}

// LoadServers reads an mcp.json unchanged: {"mcpServers": {name: {…}}}.
func LoadServers(path string) (Servers, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return Servers{}, verdict.Fail(verdict.ConfigUnreadable, err, "%s: %v", path, err)
	}
	b, err := readBounded(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Servers{}, verdict.Fail(verdict.ConfigMissing, err, "no servers are configured: %s does not exist", path)
	}
	if err != nil {
		return Servers{}, unreadable(path, err)
	}
	return ParseServers(path, b)
}

// ParseServers reads the text of an mcp.json; path is for messages.
func ParseServers(path string, b []byte) (Servers, error) {
	var doc struct {
		Servers map[string]jsontext.Value `json:"mcpServers"`
	}
	if err := schema.DecodeOpen(b, &doc, serversLimits); err != nil {
		return Servers{}, verdict.Fail(verdict.ConfigInvalid, err, "%s has %v", path, err)
	}
	if doc.Servers == nil {
		return Servers{}, verdict.Fail(verdict.ConfigInvalid, nil, `%s has no "mcpServers"`, path)
	}
	s := Servers{path, map[string]entry{}}
	for _, name := range slices.Sorted(maps.Keys(doc.Servers)) {
		e := entry{raw: doc.Servers[name]}
		if err := schema.DecodeOpen(e.raw, &e, serversLimits); err != nil {
			return Servers{}, verdict.Fail(verdict.ConfigInvalid, err, "%s: server %.128q has %v", path, name, err)
		}
		if e.Disabled {
			continue
		}
		if !guard.Name(name) {
			return Servers{}, verdict.Fail(verdict.ConfigInvalid, nil, "%s: server name %.128q has characters outside A-Z a-z 0-9 _ . -", path, name)
		}
		s.entries[name] = e
	}
	return s, nil
}

// Names are the configured servers, sorted.
func (s Servers) Names() []string { return slices.Sorted(maps.Keys(s.entries)) }

// Resolve expands the named servers; a name that is not configured is left
// out, and discovery reports it. The first unset variable is an error.
func (s Servers) Resolve(env Environ, names []string) ([]session.Server, error) {
	var out []session.Server
	for _, name := range names {
		e, ok := s.entries[name]
		if !ok {
			continue
		}
		server, err := e.resolve(name, filepath.Dir(s.path), env)
		if err != nil {
			return nil, s.inFile(err)
		}
		out = append(out, server)
	}
	return out, nil
}

func (s Servers) inFile(err error) error {
	var f *verdict.Fault
	if errors.As(err, &f) {
		return verdict.Fail(f.Code, err, "%s: %s", s.path, f.Reason)
	}
	return verdict.Fail(verdict.ConfigInvalid, err, "%s: %v", s.path, err)
}

// resolve expands an entry. A stdio server starts in the directory of the file
// that names it, unless that says otherwise: never in the working directory,
// whose files an interpreter may load.
func (e entry) resolve(name, dir string, env Environ) (session.Server, error) {
	x := expander{env: env, values: map[string]string{}}
	field := "mcpServers." + name
	server := session.Server{
		Name:    name,
		Command: x.expand(field+".command", e.Command),
		Args:    x.list(field+".args", e.Args),
		Env:     x.table(field+".env", e.Env),
		Dir:     x.expand(field+".cwd", e.Dir),
		URL:     x.expand(field+".url", e.URL),
		Headers: x.table(field+".headers", e.Headers),
		Type:    e.Type,
	}
	if x.err != nil {
		return session.Server{}, x.err
	}
	if server.Command != "" {
		server.Dir = resolve(dir, server.Dir)
		server.Command = program(server.Command, server.Dir)
	}
	server.Secrets = x.values
	return server, server.Validate()
}

// program is the path of what will be started, found here once so that it is
// the one that was identified: in PATH where the command holds no slash, else
// relative to the server's directory. One that is not found is left as it is,
// and fails to start.
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
