package config

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host/artifact"
	"github.com/onestep-run/onestep/host/session"
)

// Identity identifies a server that [Servers.Resolve] gave. Both digests are
// keyed as a whole: what a variable stood for is in the endpoint, and people
// write passwords into env, headers, args and urls of the file itself. So two
// machines, whose keys differ, give one entry two identities.
//
// The endpoint is the program's path as it was found, the arguments, the
// working directory, the url with its query, the configured variables and
// headers, and the proxy and the file of authorities of a config.toml. PATH, HOME and LANG, which every server inherits, are not in it.
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
	if s.Proxy != "" || s.CAFile != "" { // as before, where config.toml says neither
		texts = append(texts, "by", s.Proxy, s.CAFile)
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
