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

// placed is a server's entry without what may change while it stays the same
// server: its name, versions of the package, secrets, values of headers. The
// references of the file are left as they are written.
type placed struct {
	Transport string            `json:"transport"`
	Command   string            `json:"command,omitempty"`
	Args      []string          `json:"args,omitempty"`
	Dir       string            `json:"cwd,omitempty"`
	Env       map[string]string `json:"env,omitempty"`
	URL       string            `json:"url,omitempty"`
	Headers   []string          `json:"headers,omitempty"`
	From      string            `json:"from,omitempty"` // the directory of the file, where that has a say
}

// Place is where a server is reached, and the text that says it: canonical
// JSON, to be shown. A server that is not configured, or not understood, has
// neither.
//
// A server that starts in the directory of its file is another one in another
// directory: its program, its script, its modules and the settings of its
// launcher may all be looked up there. Clients' spellings of one entry make one
// place. The proxy and the authorities of a config.toml are not in it. A change
// of what is taken for a secret makes other places of entries that hold one;
// they are reviewed again.
func (s Servers) Place(name string) (pin.Place, jsontext.Value) { return s.place(name, s.From(name)) }

// Shared is the place, and its text, without the directory of the file: what a
// file of pins is looked up by, which many machines and checkouts use. It is for
// nothing else: only where pins are locked is nothing started but the approved
// program, wherever that lies.
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
	return pin.PlaceOf(text, c.credential()), text
}

// From is the directory of the file, where that has a say in what the named
// server is; else "".
func (s Servers) From(name string) string {
	if e := s.entries[name]; e != nil && e.anchored() {
		return filepath.Dir(s.path)
	}
	return ""
}

// anchored reports whether the directory of the file has a say in what is
// reached: a server starts there unless it names another one in full, and
// editors' names of the workspace stand for what is around the file.
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

// credential is the names of what carries one, each with the variables that it
// is made of.
func (c *concealer) credential() string {
	return strings.Join(slices.Sorted(maps.Keys(c.carriers)), ", ")
}

// Command is what starts a stdio server, and the package that it names, for
// host/artifact. No input is asked for; where a variable is not set, the
// command is as it is written. Of another server it is empty.
func (s Servers) Command(env Environ, name string) artifact.Command {
	e := s.entries[name]
	if e == nil || e.wrong != "" || e.URL != "" {
		return artifact.Command{}
	}
	bare := *e // what the server sees is nothing of what is started
	bare.Env, bare.Headers = nil, nil
	w := &world{env: env, fixed: editors(s.path, env), inputs: s.inputs, said: map[string]string{}}
	if server, err := s.resolve(name, &bare, w); err == nil {
		return s.CommandOf(server)
	}
	return s.CommandOf(session.Server{Name: name, Command: e.Command, Args: e.Args})
}

// CommandOf is the same of a server that [Servers.Resolve] gave.
func (s Servers) CommandOf(reached session.Server) artifact.Command {
	e := s.entries[reached.Name]
	if e == nil || e.URL != "" {
		return artifact.Command{}
	}
	c := artifact.Command{Package: artifact.PackageOf(e.Command, e.Args), Path: reached.Command, Args: reached.Args, Dir: reached.Dir}
	c.Env, c.Sandbox = slices.Sorted(maps.Keys(e.Env)), reached.Sandbox
	return c
}

// Identity identifies a server that [Servers.Resolve] gave. Both digests are
// keyed as a whole: what a variable stood for is in the endpoint, and people
// write passwords into env, headers, args and urls of the file itself. So two
// machines, whose keys differ, give one entry two identities.
//
// The endpoint is the program's path as it was found, the arguments, the
// working directory, the url with its query, the configured variables and
// headers, the login, which is not a token, and the proxy and the file of
// authorities of a config.toml. PATH, HOME and LANG, which every server inherits, are not in it.
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

// endpoint lists what is reached. The counts keep lists apart.
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
	if s.Proxy != "" || s.CAFile != "" { // as before, where config.toml says neither
		texts = append(texts, "by", s.Proxy, s.CAFile)
	}
	if d := s.Sandbox.Document(); d != nil {
		texts = append(texts, "sandbox", string(d))
	}
	return texts
}

// Describe is a server's identity without its digests: what can be shown, and
// matches nothing. It is read from the file alone, variables unexpanded.
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

// origin is a URL's scheme and host, "" where a variable may be part of them.
func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || strings.Contains(u.Host, "$") {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
