package setup

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/session"
)

// Inventory is what is configured, before anything is started or dialled: the
// operator's servers, or the demo's.
type Inventory struct {
	Names     []string // of the servers, allowlisted or not
	Allowlist catalog.Allowlist
	Types     map[string]func([]byte) error // see gate.Options
	Limits    session.Limits

	// Describe says how a server is reached, without secrets.
	Describe func(server string) string
	// Resolve gives what starts or dials the named servers. Variables are
	// expanded here and no earlier.
	Resolve func(names []string) ([]session.Server, error)
}

// inDemo says in a trace that a server was the demo's.
const inDemo = "demo"

// Open reads the servers and the allowlist.
func Open(s config.Settings, o Options) (Inventory, error) {
	inv, err := o.inventory(s)
	inv.Limits = session.Limits{
		StartTimeout: s.StartTimeout.V, ConnectTimeout: s.Connect.V, ReadTimeout: s.Read.V, MaxMessage: s.MaxMessage.V,
	}
	return inv, err
}

func (o Options) inventory(s config.Settings) (Inventory, error) {
	if o.Demo {
		return demoInventory(s)
	}
	file, err := config.LoadServers(s.Servers.V)
	if err != nil {
		return Inventory{}, o.unconfigured(err)
	}
	return Inventory{
		Names: file.Names(), Allowlist: config.LoadAllowlist(s.Allowlist.V),
		Describe: func(name string) string { return file.Describe(name).String() },
		Resolve:  func(names []string) ([]session.Server, error) { return file.Resolve(o.Env, names) },
	}, nil
}

// demoInventory: the demo carries its own allowlist, unless a flag or a
// variable names another.
func demoInventory(s config.Settings) (Inventory, error) {
	allow, err := catalog.ParseAllowlist(demo.Allowlist())
	if err != nil {
		return Inventory{}, err
	}
	if o := s.Allowlist.Origin; strings.HasPrefix(o, "flag ") || strings.HasPrefix(o, "variable ") {
		allow = config.LoadAllowlist(s.Allowlist.V)
	}
	d := demo.New()
	return Inventory{
		Names: d.Servers(), Allowlist: allow, Types: demo.Types(),
		Describe: func(string) string { return inDemo },
		Resolve:  func(names []string) ([]session.Server, error) { return inProcess(d, names), nil },
	}, nil
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

// Pool can reach the named servers and no other. It starts none.
func (i Inventory) Pool(names []string) (*session.Pool, error) {
	servers, err := i.Resolve(names)
	if err != nil {
		return nil, err
	}
	return session.New(servers, i.Limits), nil
}

// Described says how the allowlisted servers are reached.
func (i Inventory) Described() map[string]string {
	d := map[string]string{}
	for _, name := range i.Allowlist.Servers() {
		d[name] = i.Describe(name)
	}
	return d
}

// RecordedTypes are those that a recorded run checked its results against:
// the demo's Go types, where its servers were the demo's.
func RecordedTypes(described map[string]string) map[string]func([]byte) error {
	for _, how := range described {
		if how == inDemo {
			return demo.Types()
		}
	}
	return nil
}

// unconfigured says what to write where nothing is configured yet.
func (o Options) unconfigured(err error) error {
	if verdict.CodeOf(err) != verdict.ConfigMissing {
		return err
	}
	f := verdict.Fail(verdict.ConfigMissing, err, "nothing is configured: there is no servers file")
	paths, err := config.FindPaths(o.Env)
	if err != nil {
		return f
	}
	f.Hint = strings.Join([]string{
		"try the demo, or copy and adapt:",
		`mkdir -p '` + paths.Config + `'`,
		`echo '{"mcpServers":{"files":{"command":"npx","args":["-y","@modelcontextprotocol/server-filesystem","'"$HOME"'"]}}}' > '` + paths.Config + `/mcp.json'`,
		`echo '{"files":["read_text_file","list_directory"]}' > '` + paths.Config + `/allowlist.json'`,
	}, "\n")
	return f
}
