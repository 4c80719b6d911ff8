package main

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

// inventory is what is configured, before anything is started or dialled: the
// operator's servers, or the demo's.
type inventory struct {
	names     []string
	allowlist catalog.Allowlist
	types     map[string]func([]byte) error
	describe  func(server string) string // how a server is reached, without secrets
	resolve   func(names []string) ([]session.Server, error)
}

// demoServer says in a trace that a server was the demo's.
const demoServer = "demo"

func (a *app) inventory(s config.Settings, paths config.Paths) (inventory, error) {
	if a.demo {
		return a.demoInventory(s)
	}
	file, err := config.LoadServers(s.Servers.V)
	if err != nil {
		return inventory{}, a.unconfigured(err, paths)
	}
	return inventory{
		names: file.Names(), allowlist: config.LoadAllowlist(s.Allowlist.V), describe: file.Describe,
		resolve: func(names []string) ([]session.Server, error) { return file.Resolve(a.env, names) },
	}, nil
}

// demoInventory: the demo carries its own allowlist, unless a flag or a
// variable names another.
func (a *app) demoInventory(s config.Settings) (inventory, error) {
	allow, err := catalog.ParseAllowlist(demo.Allowlist())
	if err != nil {
		return inventory{}, err
	}
	if o := s.Allowlist.Origin; strings.HasPrefix(o, "flag ") || strings.HasPrefix(o, "variable ") {
		allow = config.LoadAllowlist(s.Allowlist.V)
	}
	d := demo.New()
	return inventory{
		names: d.Servers(), allowlist: allow, types: demo.Types(),
		describe: func(string) string { return demoServer },
		resolve:  func(names []string) ([]session.Server, error) { return inProcess(d, names), nil },
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

// pool can reach the named servers and no other.
func (i inventory) pool(s config.Settings, names []string) (*session.Pool, error) {
	servers, err := i.resolve(names)
	if err != nil {
		return nil, err
	}
	return session.New(servers, session.Limits{
		StartTimeout: s.StartTimeout.V, ConnectTimeout: s.Connect.V, ReadTimeout: s.Read.V, MaxMessage: s.MaxMessage.V,
	}), nil
}

// described says how the allowlisted servers are reached.
func (i inventory) described() map[string]string {
	d := map[string]string{}
	for _, name := range i.allowlist.Servers() {
		d[name] = i.describe(name)
	}
	return d
}

// unconfigured says what to write where nothing is configured yet.
func (a *app) unconfigured(err error, paths config.Paths) error {
	if verdict.CodeOf(err) != verdict.ConfigMissing {
		return err
	}
	f := verdict.Fail(verdict.ConfigMissing, err, "nothing is configured: there is no servers file")
	f.Hint = strings.Join([]string{
		"try the demo, or copy and adapt:",
		`mkdir -p '` + paths.Config + `'`,
		`echo '{"mcpServers":{"files":{"command":"npx","args":["-y","@modelcontextprotocol/server-filesystem","'"$HOME"'"]}}}' > '` + paths.Config + `/mcp.json'`,
		`echo '{"files":["read_text_file","list_directory"]}' > '` + paths.Config + `/allowlist.json'`,
	}, "\n")
	return f
}
