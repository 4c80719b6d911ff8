package setup

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host/artifact"
	"github.com/onestep-run/onestep/host/session"
)

// InProcess is a registry of servers inside the program, as the demo's are. The
// place of each is its name: the program's author answers for the rest.
type InProcess struct {
	Servers interface {
		// Servers are their names, sorted.
		Servers() []string
		// Transport is for one connection, which ends when ctx does.
		Transport(ctx context.Context, name string) (mcp.Transport, error)
	}
	Version string // of the program, for identities
}

// Names are the servers, sorted.
func (r InProcess) Names() []string { return r.Servers.Servers() }

// Place is a server's name in this program.
func (InProcess) Place(name string) (pin.Place, jsontext.Value) {
	text := jsontext.Value(fmt.Sprintf(`{"name":%q,"transport":%q}`, name, pin.KindInProcess))
	return pin.PlaceOf(text, ""), text
}

// Shared is the place: no file has a say in it.
func (r InProcess) Shared(name string) (pin.Place, jsontext.Value) { return r.Place(name) }

// Command is empty: nothing is started.
func (InProcess) Command(config.Environ, string) artifact.Command { return artifact.Command{} }

// CommandOf is empty, too.
func (InProcess) CommandOf(session.Server) artifact.Command { return artifact.Command{} }

// Resolve gives the named servers. No variable is needed.
func (r InProcess) Resolve(_ config.Environ, _ config.Asker, names []string) (servers []session.Server, _ error) {
	for _, name := range names {
		servers = append(servers, session.Server{Name: name, InProcess: func(ctx context.Context) (mcp.Transport, error) {
			return r.Servers.Transport(ctx, name)
		}})
	}
	return servers, nil
}

// Identity is the name and the program's version.
func (r InProcess) Identity(_ pin.Key, s session.Server) pin.Identity {
	return pin.InProcess(s.Name, r.Version)
}
