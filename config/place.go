package config

import (
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/secret"
	"github.com/onestep-run/onestep/host/artifact"
	"github.com/onestep-run/onestep/host/session"
)

// placed is a server's entry without the parts that may change while it stays the same
// server. These are its name, versions of the package, secrets and values of headers.
// References stay as written.
type placed struct {
	Transport string            `json:"transport"`
	Command   string            `json:"command,omitempty"`
	Args      []string          `json:"args,omitempty"`
	Dir       string            `json:"cwd,omitempty"`
	Env       map[string]string `json:"env,omitempty"`
	URL       string            `json:"url,omitempty"`
	Headers   []string          `json:"headers,omitempty"`
	From      string            `json:"from,omitempty"` // the directory of the file, if it affects the server
}

// Place is where a server is reached, and its description: canonical JSON, for display. An
// unknown or invalid server has neither.
//
// A server that starts in the directory of its file is another server in another directory:
// its program, its script, its modules and the settings of its launcher may all be looked up
// there. Different clients' spellings of one entry make one place. The proxy and the
// authorities of a config.toml are not part of it. If the rules for secrets change, entries
// with a secret may get other places and are reviewed again.
func (s Servers) Place(name string) (pin.Place, jsontext.Value) { return s.place(name, s.From(name)) }

// Shared is the place, and its text, without the directory of the file. It is the key of an
// entry in a file of pins, which many machines and checkouts use. Use it for nothing else:
// locked pins alone ensure that only the approved program starts, wherever it is.
func (s Servers) Shared(name string) (pin.Place, jsontext.Value) { return s.place(name, "") }

func (s Servers) place(name, from string) (pin.Place, jsontext.Value) {
	e := s.entries[name]
	if e == nil || e.wrong != "" {
		return pin.Place{}, nil
	}
	var c concealer
	p := c.placed(e)
	p.From = from
	b, err := json.Marshal(p)
	if err != nil {
		return pin.Place{}, nil
	}
	text, err := schema.Canonical(b)
	if err != nil {
		return pin.Place{}, nil
	}
	return pin.PlaceOf(text, strings.Join(slices.Sorted(maps.Keys(c.carriers)), ", ")), text
}

// From is the directory of the file, if the named server depends on it; otherwise "".
func (s Servers) From(name string) string {
	if e := s.entries[name]; e != nil && e.anchored() {
		return filepath.Dir(s.path)
	}
	return ""
}

// anchored reports whether the server depends on the directory of the file. A server starts
// there unless it names another directory in full. Editors' names of the workspace refer to
// folders around the file.
func (e *entry) anchored() bool {
	if e.URL == "" && !filepath.IsAbs(e.Dir) {
		return true
	}
	for _, text := range e.Fields() {
		for _, m := range reference().FindAllStringSubmatch(text, -1) {
			if ofWorkspace(m[1]) {
				return true
			}
		}
	}
	return false
}

func (c *concealer) placed(e *entry) placed {
	p := placed{
		Transport: e.kind(), Command: e.Command, Dir: e.Dir, URL: c.address(e.URL),
		Args: c.args(artifact.PackageOf(e.Command, e.Args).Unversioned(e.Args)), Env: map[string]string{},
	}
	for name, value := range e.Env {
		p.Env[name] = c.variable(name, value)
	}
	for name, value := range e.Headers {
		name = strings.ToLower(name)
		p.Headers = append(p.Headers, name)
		if secret.Named(name, secret.Setting) || reference().MatchString(value) {
			c.carried(name, value)
		}
	}
	slices.Sort(p.Headers)
	return p
}

// Command is the command of a stdio server, and its package, for host/artifact. It asks for
// no input; a variable that is not set stays as written. For any other server it is empty.
func (s Servers) Command(env Environ, name string) artifact.Command {
	e := s.entries[name]
	if e == nil || e.wrong != "" || e.URL != "" {
		return artifact.Command{}
	}
	bare := *e // the server's environment is not part of the command
	bare.Env, bare.Headers = nil, nil
	w := &world{env: env, fixed: editors(s.path, env), inputs: s.inputs, said: map[string]string{}}
	if server, err := s.resolve(name, &bare, w); err == nil {
		return s.CommandOf(server)
	}
	return s.CommandOf(session.Server{Name: name, Command: e.Command, Args: e.Args})
}

// CommandOf is the command of a server that [Servers.Resolve] returned.
func (s Servers) CommandOf(reached session.Server) artifact.Command {
	e := s.entries[reached.Name]
	if e == nil || e.URL != "" {
		return artifact.Command{}
	}
	c := artifact.Command{Package: artifact.PackageOf(e.Command, e.Args), Path: reached.Command, Args: reached.Args, Dir: reached.Dir}
	c.Env, c.Sandbox = slices.Sorted(maps.Keys(e.Env)), reached.Sandbox
	return c
}

// Identity identifies a server that [Servers.Resolve] returned. Both digests are keyed as a
// whole: the endpoint contains the values of variables, and users write passwords into env,
// headers, args and urls of the file itself. So two machines, with different keys, give one
// entry two identities.
//
// The endpoint is the program's path as it was found, the arguments, the working directory,
// the url with its query, the configured variables and headers, the login without its token,
// and the proxy and the file of authorities of a config.toml. PATH, HOME and LANG, which
// every server inherits, are not part of it.
func (s Servers) Identity(key pin.Key, reached session.Server) pin.Identity {
	i := s.Describe(reached.Name)
	e := s.entries[reached.Name]
	if e == nil || e.wrong != "" || i.Kind == "" {
		return pin.Identity{}
	}
	entry, err := schema.Canonical(e.raw)
	if err != nil {
		return pin.Identity{}
	}
	i.Entry = key.Digest("entry", string(entry))
	i.Endpoint = key.Digest(endpoint(reached)...)
	return i
}

// endpoint lists the texts of the endpoint. The counts keep lists apart.
func endpoint(s session.Server) []string {
	texts := []string{"endpoint", s.Kind(), s.Command, s.Dir, s.URL, strconv.Itoa(len(s.Args))}
	texts = append(texts, s.Args...)
	for _, table := range []map[string]string{s.Env, s.Headers} {
		texts = append(texts, strconv.Itoa(len(table)))
		for _, name := range slices.Sorted(maps.Keys(table)) {
			texts = append(texts, name, table[name])
		}
	}
	if s.Credential != nil {
		texts = append(texts, "login", s.Credential.ID())
	}
	if s.Proxy != "" || s.CAFile != "" { // omitted if unset, so that earlier digests still match
		texts = append(texts, "by", s.Proxy, s.CAFile)
	}
	if d := s.Sandbox.Document(); d != nil {
		texts = append(texts, "sandbox", string(d))
	}
	return texts
}

// Describe is a server's identity without its digests: it can be shown, and matches nothing.
// It is read from the file alone, with variables unexpanded.
func (s Servers) Describe(name string) pin.Identity {
	e := s.entries[name]
	if e == nil {
		return pin.Identity{}
	}
	i := pin.Identity{Kind: e.kind(), Address: e.Command}
	if e.URL != "" {
		i.Address = origin(e.URL)
		return i
	}
	p := artifact.PackageOf(e.Command, e.Args)
	i.Package, i.Version = p.Name, p.Version
	if b, is := s.Bridge(name); is && b.Rounds {
		i.Rounds = b.Name
	}
	return i
}

// origin is a URL's scheme and host, "" if a variable may be part of them.
func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || strings.Contains(u.Host, "$") {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
