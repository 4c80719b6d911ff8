package config

import (
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/host/session"
)

// ServerSettings are what a config.toml says of one server, under
// [server.NAME]. What it does not say holds as for all.
type ServerSettings struct {
	StartTimeout Value[time.Duration] // 0 is what holds for all
	CallTimeout  Value[time.Duration]
	CAFile       Value[string] // "" is the system's roots alone
	Proxy        Value[string] // "" is none
	Suppress     Value[string] // rules of the scan, and a reason; "" is none
}

// Apply gives a server its own settings.
func (o ServerSettings) Apply(to *session.Server) {
	to.StartTimeout, to.CallTimeout, to.CAFile, to.Proxy = o.StartTimeout.V, o.CallTimeout.V, o.CAFile.V, o.Proxy.V
}

// serverTable is the table of settings of one server.
var serverTable = []struct {
	key, meaning string
	at           func(*ServerSettings) field
}{
	{"start_timeout", "limit of its start", func(s *ServerSettings) field { return duration(&s.StartTimeout) }},
	{"call_timeout", "limit of its answer to a call", func(s *ServerSettings) field { return duration(&s.CallTimeout) }},
	{"ca_file", "certificates in PEM that it may be vouched for by, beside the system's", func(s *ServerSettings) field { return path(&s.CAFile) }},
	{"suppress", "rules that find nothing in what it says, and why: request, urgency: people write to each other there", func(s *ServerSettings) field {
		return text(&s.Suppress, "rules that `ask guard list` does not call core, a colon and the reason", suppressible)
	}},
	{"proxy", "an http:// or https:// proxy through which alone it is reached", func(s *ServerSettings) field { return address(&s.Proxy) }},
}

// assignServer gives a key of a server's table its value, or says what is wrong.
func (s *Settings) assignServer(name, key string, given unstable.Node, from Origin) (wrong string) {
	for _, r := range serverTable {
		if r.key != key {
			continue
		}
		of := s.Of[name]
		f, text := r.at(&of), string(given.Data)
		if key == "ca_file" {
			text = resolve(filepath.Dir(from.Name), text)
		}
		if given.Kind != f.toml || len(given.Data) == 0 || !f.set(text, from) {
			return key + " takes " + f.takes
		}
		if s.Of == nil {
			s.Of = map[string]ServerSettings{}
		}
		s.Of[name] = of
		return ""
	}
	return "no such setting of a server: " + guard.Line(key, 64)
}

func (s Settings) showServers() (all []Shown) {
	for _, name := range slices.Sorted(maps.Keys(s.Of)) {
		of := s.Of[name]
		for _, r := range serverTable {
			for _, one := range r.at(&of).show() {
				if one.Origin != (Origin{}) {
					all = append(all, Shown{"server." + name + "." + r.key, one.V, one.Origin})
				}
			}
		}
	}
	return all
}
