package config

import (
	"time"

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

var serverRows = []row[ServerSettings]{
	{key: "start_timeout", at: func(s *ServerSettings) field { return duration(&s.StartTimeout) }},
	{key: "call_timeout", at: func(s *ServerSettings) field { return duration(&s.CallTimeout) }},
	{key: "ca_file", at: func(s *ServerSettings) field { return path(&s.CAFile) }, besides: true},
	{key: "proxy", at: func(s *ServerSettings) field { return address(&s.Proxy) }},
	{key: "suppress", at: func(s *ServerSettings) field {
		return text(&s.Suppress, "rules that `ask guard list` does not call core, a colon and the reason", suppressible)
	}},
}
