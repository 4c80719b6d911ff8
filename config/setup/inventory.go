package setup

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/artifact"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/host/trust"
)

// Inventory is what is configured, before anything is started or dialled: the
// operator's servers, or the demo's.
type Inventory struct {
	Names         []string // of the servers, allowlisted or not
	Allowlist     catalog.Allowlist
	AllowlistFile string                        // where it is or would be, "" for the demo's own
	Types         map[string]func([]byte) error // see gate.Options
	Limits        session.Limits
	Notes         []config.Note // of entries that are left out, or may not be meant

	// State is what outlives a run; it is opened when it is first needed.
	State *store.Store
	// Pins is what was approved: the demo's own, what the keeper keeps, or the
	// pins of the options.
	Pins   trust.Book
	Keeper *trust.Keeper // nil for the demo, and for pins of the options
	// Describe says how a server is reached, without secrets.
	Describe func(server string) string
	// Place says what a server's pins are looked up by, and the text that shows it.
	Place func(server string) (pin.Place, jsontext.Value)
	// Shared is the same for a file of pins, wherever the servers file lies.
	Shared func(server string) (pin.Place, jsontext.Value)
	// Command is what starts a stdio server, for Cache, which keeps the packages
	// that were fetched. Of another server it is empty.
	Command func(server string) artifact.Command
	Cache   artifact.Cache
	// Resolve gives what starts or dials the named servers. Variables are
	// expanded here and no earlier.
	Resolve func(names []string) ([]session.Server, error)
	// Identify tells by name which servers these are, for traces and approvals.
	Identify func(servers []session.Server) (map[string]pin.Identity, error)

	guard  guard.Rules // by which a review scans
	locked bool        // the pins are those of the options
}

// Open reads the servers and the allowlist.
func Open(s config.Settings, o Options) (Inventory, error) {
	state := store.At(s.StateFile.V, o.now())
	rules, err := s.GuardRules()
	if err != nil {
		return Inventory{}, err
	}
	inv, err := o.inventory(s, state)
	if err == nil {
		inv, err = o.lock(inv)
	}
	inv.State, inv.guard = state, rules
	inv.Limits = session.Limits{
		StartTimeout: s.StartTimeout.V, ConnectTimeout: s.Connect.V, CallTimeout: s.Call.V, CloseGrace: s.CloseGrace.V, MaxMessage: s.MaxMessage.V,
	}
	return inv, err
}

func (o Options) inventory(s config.Settings, state *store.Store) (Inventory, error) {
	if o.Demo {
		return o.demoInventory(s)
	}
	file, err := config.LoadServers(s.Servers.V)
	if err != nil {
		return Inventory{}, unconfigured(s.Servers, err)
	}
	paths, err := config.FindPaths(o.environ())
	if err != nil {
		return Inventory{}, err
	}
	cache := artifact.Cache(filepath.Join(paths.Cache, "packages"))
	keeper, ask := trust.NewKeeper(state, o.now()), remembered(o.Ask)
	return Inventory{
		Names: file.Names(), Notes: file.Notes(), Allowlist: config.LoadAllowlist(s.Allowlist.V), AllowlistFile: s.Allowlist.V,
		Pins: keeper, Keeper: keeper,
		Describe: func(name string) string { return file.Describe(name).String() },
		Place:    file.Place,
		Shared:   file.Shared,
		Command:  func(name string) artifact.Command { return file.Command(o.environ(), name) },
		Cache:    cache,
		Resolve: func(names []string) ([]session.Server, error) {
			servers, unset := file.Resolve(o.environ(), ask, names)
			for i := range servers {
				s.Of[servers[i].Name].Apply(&servers[i])
				fetched(cache, file, &servers[i])
			}
			if o.NoAsks { // each server is reported by itself
				unset = nil
			}
			return servers, unset
		},
		Identify: func(servers []session.Server) (map[string]pin.Identity, error) { return o.identify(file, servers) },
	}, nil
}

// fetched has a server whose package was fetched start that, and no launcher.
func fetched(cache artifact.Cache, file config.Servers, server *session.Server) {
	if server.Wrong != nil {
		return
	}
	command, args, err := cache.Start(file.CommandOf(*server))
	if err != nil {
		*server = session.Server{Name: server.Name, Wrong: err}
		return
	}
	if command != "" {
		server.Command, server.Args = command, args
	}
}

// identify reads this machine's key, and makes it where there is none.
func (o Options) identify(file config.Servers, servers []session.Server) (map[string]pin.Identity, error) {
	paths, err := config.FindPaths(o.environ())
	if err != nil {
		return nil, err
	}
	key, err := config.LocalKey(paths.State)
	if err != nil {
		return nil, err
	}
	ids := map[string]pin.Identity{}
	for _, server := range servers {
		ids[server.Name] = file.Identity(key, server)
	}
	return ids, nil
}

// demoInventory: the demo carries its own allowlist, unless a flag or a
// variable names another.
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
	if s.Allowlist.Origin.Named() {
		file = s.Allowlist.V
		allow = config.LoadAllowlist(file)
	}
	d := demo.New()
	return Inventory{
		Names: d.Servers(), Allowlist: allow, AllowlistFile: file, Types: demo.Types(),
		Pins:     pins,
		Describe: func(name string) string { return pin.InProcess(name, o.Version).String() },
		Place:    placeInProcess,
		Shared:   placeInProcess,
		Command:  func(string) artifact.Command { return artifact.Command{} },
		Resolve:  func(names []string) ([]session.Server, error) { return inProcess(d, names), nil },
		Identify: func(servers []session.Server) (map[string]pin.Identity, error) {
			ids := map[string]pin.Identity{}
			for _, server := range servers {
				ids[server.Name] = pin.InProcess(server.Name, o.Version)
			}
			return ids, nil
		},
	}, nil
}

// placeInProcess is where a server of the demo is: in this program.
func placeInProcess(name string) (pin.Place, jsontext.Value) {
	text := jsontext.Value(fmt.Sprintf(`{"name":%q,"transport":%q}`, name, pin.KindInProcess))
	return pin.PlaceOf(text, ""), text
}

func inProcess(d *demo.Demo, names []string) []session.Server {
	var servers []session.Server
	for _, name := range names {
		servers = append(servers, session.Server{Name: name, InProcess: func(ctx context.Context) (mcp.Transport, error) {
			return d.Transport(ctx, name)
		}})
	}
	return servers
}

// reach gives the named servers, to be reached, and tells which they are.
// Nothing is started. Where nobody asks nobody has to be told: a key of this
// machine, which would be made for it, is not.
func (o Options) reach(inv Inventory, names []string) (servers []session.Server, ids map[string]pin.Identity, err error) {
	servers, err = inv.Resolve(names)
	if err == nil && !o.NoAsks {
		ids, err = inv.Identify(servers)
	}
	return servers, ids, err
}

// unconfigured says what to write where nothing is configured yet.
func unconfigured(from config.Value[string], err error) error {
	if verdict.CodeOf(err) != verdict.ConfigMissing {
		return err
	}
	if from.Origin != (config.Origin{}) { // somebody said that it is there
		f := verdict.Fail(verdict.ConfigMissing, err, "%s does not exist, and %s names it as the servers file", from.V, from.Origin)
		f.Hint = "name a file that is there"
		return f
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
