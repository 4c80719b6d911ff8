package setup

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/artifact"
	"github.com/onestep-run/onestep/host/confine"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/login"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/host/trust"
)

// Registry is the set of configured servers, with their variables unexpanded. A
// [config.Servers] is a registry, read from a file or made of values by
// [config.NewServers]; the demo's servers are another. For an unknown server, a place
// or a command is zero.
type Registry interface {
	// Names returns the usable servers, sorted.
	Names() []string
	// Place returns the key of a server's pins, and the text that shows it.
	Place(server string) (pin.Place, jsontext.Value)
	// Shared returns the same for a file of pins. It does not depend on the place of
	// the servers file.
	Shared(server string) (pin.Place, jsontext.Value)
	// Command returns the command that starts a stdio server, and CommandOf the same
	// for a server from Resolve. For any other server it is empty.
	Command(env config.Environ, server string) artifact.Command
	CommandOf(reached session.Server) artifact.Command
	// Resolve returns how to start or dial the named servers. Variables are expanded
	// here and no earlier. The error is about the first unset variable. Its server
	// reports the error, too, so that callers can use the other servers alone.
	Resolve(env config.Environ, ask config.Asker, names []string) ([]session.Server, error)
	// Identity identifies a server from Resolve, for traces and approvals.
	Identity(key pin.Key, reached session.Server) pin.Identity
}

// Inventory is the configuration before anything is started or dialled: the operator's
// servers, or the demo's.
type Inventory struct {
	Registry

	Allowlist     catalog.Allowlist
	AllowlistFile string                        // its path, also if the file does not exist; "" for the demo's own and for a value
	Types         map[string]func([]byte) error // see gate.Options
	Limits        session.Limits
	Notes         []config.Note // about entries that are left out, or may not be intended

	// State is the data that outlives a run; it is opened when it is first needed.
	State *store.Store
	// Pins are the approved servers and tools: the demo's own, the keeper's, or the
	// pins of the options.
	Pins   trust.Book
	Keeper *trust.Keeper  // nil for the demo, and without a state; for pins of the options only with a state of theirs
	Cache  artifact.Cache // of fetched packages
	Logins *login.Logins  // nil for the demo
	Logs   session.Logs   // of the servers' stderr

	with   Options
	key    func() (pin.Key, error) // of this machine
	of     map[string]config.ServerSettings
	guard  scan.Rules // the rules for the scans of a review
	own    confine.Own
	all    bool // every stdio server is confined
	locked bool // the pins come from the options
}

// Open reads the servers and the allowlist.
func Open(s config.Settings, o Options) (Inventory, error) {
	o.Ask = remembered(o.Ask)
	state := cmp.Or(o.state, o.State)
	if state == nil {
		state = store.At(s.StateFile.V, o.Clock())
	}
	rules, err := s.GuardRules()
	if err != nil {
		return Inventory{}, err
	}
	inv, err := o.inventory(s, state)
	if err == nil {
		inv, err = o.lock(inv)
	}
	inv.State, inv.guard, inv.of, inv.with, inv.all = state, rules, s.Of, o, s.Sandbox.V == config.SandboxAll
	inv.own = s.Own(o.environ())
	inv.Limits = session.Limits{
		StartTimeout: s.StartTimeout.V, ConnectTimeout: s.Connect.V, CallTimeout: s.Call.V, CallLimit: s.CallLimit.V, CloseGrace: s.CloseGrace.V, MaxMessage: s.MaxMessage.V,
	}
	if !o.Demo {
		inv.Logins = o.logins(s, inv.Limits)
	}
	return inv, err
}

func (o Options) inventory(s config.Settings, state *store.Store) (Inventory, error) {
	if o.Demo {
		return o.demoInventory(s)
	}
	paths, err := config.FindPaths(o.environ())
	inv := Inventory{Registry: o.Registry, Pins: trust.File{}, key: o.key}
	if o.Registry == nil {
		file, missing := config.LoadServers(s.Servers.V)
		if missing != nil {
			return Inventory{}, unconfigured(s.Servers, missing)
		}
		if err != nil {
			return Inventory{}, err
		}
		if config.OwnFile(s.Servers, o.environ()) {
			file = file.Own()
		}
		inv.Registry, inv.Notes = file, file.Notes()
	}
	if err == nil { // a program that supplies its servers may have no home
		inv.Cache = artifact.Cache(filepath.Join(paths.Cache, "packages"))
		inv.Logs = session.Logs{Dir: filepath.Join(paths.State, "logs"), Now: o.Clock()}
	}
	if o.keepsState(s) {
		inv.Keeper = trust.NewKeeper(state, o.Clock())
		inv.Pins = inv.Keeper
	}
	inv.Allowlist, inv.AllowlistFile = o.allowlist(s)
	return inv, nil
}

// keepsState reports whether there is a state.
func (o Options) keepsState(s config.Settings) bool { return o.State != nil || s.StateFile.V != "" }

// allowlist returns the program's own allowlist, or that of a file, and the file's
// path.
func (o Options) allowlist(s config.Settings) (catalog.Allowlist, string) {
	if o.Allowlist != nil {
		return *o.Allowlist, ""
	}
	return config.LoadAllowlist(s.Allowlist.V), s.Allowlist.V
}

// key returns this machine's key, and makes it if it is missing.
func (o Options) key() (pin.Key, error) {
	if o.Key != nil {
		return *o.Key, nil
	}
	paths, err := config.FindPaths(o.environ())
	if err != nil {
		return pin.Key{}, verdict.Fail(verdict.CodeOf(err), err, "no place for this machine's key, and the program gives none: %v", err)
	}
	return config.LocalKey(paths.State)
}

// Place returns the key of a server's pins, and the text that shows it.
func (i Inventory) Place(server string) (pin.Place, jsontext.Value) {
	if i.locked {
		return i.Shared(server)
	}
	at, text := i.Registry.Place(server)
	return i.atLogin(server, at, text)
}

// Describe returns how a server is reached, without secrets.
func (i Inventory) Describe(server string) string {
	return i.Identity(pin.Key{}, session.Server{Name: server}).String()
}

// Command returns the command that starts a stdio server. For any other server it is
// empty.
func (i Inventory) Command(server string) artifact.Command {
	c := i.Registry.Command(i.with.environ(), server)
	c.Harmless = i.of[server].Harmless()
	if c.Path != "" {
		c.Sandbox = i.sandbox(c.Sandbox)
	}
	return c
}

// sandbox returns the sandbox of a stdio server with this setting in its entry, or
// nil.
func (i Inventory) sandbox(entry *confine.Sandbox) *confine.Sandbox {
	if entry == nil && i.all {
		return &confine.Sandbox{} // the minimum
	}
	return entry
}

// Resolve returns how to start or dial the named servers: [Registry.Resolve], with the
// settings of each server and the fetched packages.
func (i Inventory) Resolve(names []string) ([]session.Server, error) {
	servers, unset := i.Registry.Resolve(i.with.environ(), i.with.Ask, names)
	for n := range servers {
		if own, there := i.of[servers[n].Name]; there {
			own.Apply(&servers[n])
		}
		if servers[n].Command != "" && i.with.Waits != nil {
			what := session.Starting(servers[n].Name, servers[n].Command, servers[n].Args)
			servers[n].Starting = func() func() { return i.with.Waits(what) }
		}
		i.fetched(&servers[n])
		servers[n].Logs = i.Logs
		if servers[n].Command != "" {
			servers[n].Sandbox, servers[n].Own = i.sandbox(servers[n].Sandbox), i.own
		}
		i.logIn(&servers[n])
	}
	return servers, unset
}

// fetched makes a server with a fetched package start the package, without a launcher.
func (i Inventory) fetched(server *session.Server) {
	if server.Wrong != nil {
		return
	}
	command, args, err := i.Cache.Start(i.CommandOf(*server), i.with.environ())
	if err != nil {
		*server = session.Server{Name: server.Name, Wrong: err}
		return
	}
	if command != "" {
		if !slices.Equal(args, server.Args) {
			server.Shown = "" // the file has another command than the started one
		}
		server.Command, server.Args, server.Tree = command, args, i.Cache.Tree(i.CommandOf(*server))
	}
}

// Identify returns the identities of servers by their names, for traces and approvals.
func (i Inventory) Identify(servers []session.Server) (map[string]pin.Identity, error) {
	key, err := i.key()
	if err != nil {
		return nil, err
	}
	ids := map[string]pin.Identity{}
	for _, server := range servers {
		ids[server.Name] = i.Identity(key, server)
	}
	return ids, nil
}

// demoInventory returns the inventory of the demo. It has its own allowlist, unless a
// flag, a variable or the program names another.
func (o Options) demoInventory(s config.Settings) (Inventory, error) {
	allow, err := catalog.ParseAllowlist(demo.Allowlist())
	if err != nil {
		return Inventory{}, err
	}
	pins, err := trust.ParseFile(demo.Pins())
	if err != nil {
		return Inventory{}, err
	}
	file := ""
	if o.Allowlist != nil || s.Allowlist.Origin.Named() {
		allow, file = o.allowlist(s)
	}
	return Inventory{
		Registry: InProcess{Servers: demo.New(), Version: o.Version}, Allowlist: allow, AllowlistFile: file, Types: demo.Types(), Pins: pins,
		key: func() (pin.Key, error) { return pin.Key{}, nil }, // nothing in it belongs to this machine
	}, nil
}

// unconfigured says what to write if nothing is configured yet.
func unconfigured(from config.Value[string], err error) error {
	if verdict.CodeOf(err) != verdict.ConfigMissing {
		return err
	}
	if from.Origin != (config.Origin{}) { // a setting names the file
		return verdict.Fail(verdict.ConfigMissing, err, "%s does not exist, and %s names it as the servers file", from.V, from.Origin).
			WithHint("name a file that exists")
	}
	f := verdict.Fail(verdict.ConfigMissing, err, "nothing is configured: there is no servers file")
	f.Hint = strings.Join([]string{
		"try the demo (--demo), copy the servers of a client that you have (`ask servers import`), or begin with one:",
		`ask servers add files --template filesystem -- "$HOME"`,
		"ask servers review files --all-tools",
		`ask "List the directory $HOME"`,
	}, "\n")
	return f
}

// InProcess is a registry of servers inside the program, such as the demo's. The place
// of each server is its name. The program's author answers for the rest.
type InProcess struct {
	Servers interface {
		// Servers returns the names, sorted.
		Servers() []string
		// Transport returns the transport of one connection, which ends when ctx ends.
		Transport(ctx context.Context, name string) (mcp.Transport, error)
	}
	Version string // of the program, for identities
}

// Names returns the servers, sorted.
func (r InProcess) Names() []string { return r.Servers.Servers() }

// Place returns a server's name in this program.
func (InProcess) Place(name string) (pin.Place, jsontext.Value) {
	text := jsontext.Value(fmt.Sprintf(`{"name":%q,"transport":%q}`, name, pin.KindInProcess))
	return pin.PlaceOf(text, ""), text
}

// Shared returns the same place, because no file is involved.
func (r InProcess) Shared(name string) (pin.Place, jsontext.Value) { return r.Place(name) }

// Command is empty, because nothing is started.
func (InProcess) Command(config.Environ, string) artifact.Command { return artifact.Command{} }

// CommandOf is empty, too.
func (InProcess) CommandOf(session.Server) artifact.Command { return artifact.Command{} }

// Resolve returns the named servers. It needs no variable.
func (r InProcess) Resolve(_ config.Environ, _ config.Asker, names []string) (servers []session.Server, _ error) {
	for _, name := range names {
		servers = append(servers, session.Server{Name: name, InProcess: func(ctx context.Context) (mcp.Transport, error) {
			return r.Servers.Transport(ctx, name)
		}})
	}
	return servers, nil
}

// Identity returns the name and the program's version.
func (r InProcess) Identity(_ pin.Key, s session.Server) pin.Identity {
	return pin.InProcess(s.Name, r.Version)
}
