package main

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/trust"
)

// addFlags are those of `ask servers add`.
type addFlags struct {
	template, url, kind, dir string
	env, headers             []string
	literal                  bool
}

func (a *app) addServerCommand() *cobra.Command {
	var f addFlags
	cmd := &cobra.Command{
		Use:   "add NAME (-- COMMAND ARGS... | --url URL | --template TEMPLATE [-- ARGS...])",
		Short: "Write a server into the servers file; nothing is started or dialled",
		Example: `  ask servers add files -- npx -y @modelcontextprotocol/server-filesystem ~/Documents
  ask servers add github --url https://api.githubcopilot.com/mcp/ --header 'Authorization: Bearer ${GITHUB_TOKEN}'
  ask servers add files --template filesystem -- ~/Documents
  ask servers add --template list`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.template == listTemplates && len(args) == 0 {
				a.showTemplates()
				return nil
			}
			name, command, err := named(cmd, args)
			if err != nil {
				return err
			}
			spec, err := f.spec(command)
			if err != nil {
				return err
			}
			return a.addServer(name, spec, f.literal)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.url, "url", "", "the `URL` of a remote server")
	fs.StringVar(&f.kind, "type", "", "how a URL is spoken to: `http` or sse")
	fs.StringArrayVar(&f.headers, "header", nil, "a `HEADER` of each request, such as 'Authorization: Bearer ${TOKEN}'")
	fs.StringArrayVar(&f.env, "env", nil, "a variable that the server sees: NAME hands on your own, NAME=`VALUE` sets it")
	fs.StringVar(&f.dir, "cwd", "", "the `DIRECTORY` that the server starts in, in place of the servers file's")
	fs.StringVar(&f.template, "template", "", "begin with a `TEMPLATE`; list shows them")
	fs.BoolVar(&f.literal, "literal", false, "write what seems to be a secret into the file as it is")
	return cmd
}

// named parts the name of a server from the command after "--".
func named(cmd *cobra.Command, args []string) (name string, command []string, err error) {
	dash := cmd.ArgsLenAtDash()
	if dash < 0 {
		dash = len(args)
	}
	if dash != 1 {
		return "", nil, cli.Usage(verdict.UsageArgument, "add takes one NAME, and what starts the server after --")
	}
	return args[0], args[1:], nil
}

// spec is the server that the flags and the command describe.
func (f addFlags) spec(command []string) (config.Spec, error) {
	spec, err := templated(f.template, command)
	if err != nil {
		return spec, err
	}
	if f.url != "" {
		spec.Type, spec.URL = "http", f.url
	}
	if f.kind != "" {
		if f.kind != "http" && f.kind != "sse" || spec.URL == "" {
			return spec, cli.Usage(verdict.UsageFlag, "--type takes http or sse, of a --url")
		}
		spec.Type = f.kind
	}
	if spec.Dir = f.dir; f.dir != "" {
		if spec.Dir, err = filepath.Abs(f.dir); err != nil {
			return spec, verdict.Fail(verdict.UsageFlag, err, "--cwd: %v", err)
		}
	}
	if spec.Env, err = pairs(spec.Env, f.env, "=", true); err != nil {
		return spec, err
	}
	if spec.Headers, err = pairs(spec.Headers, f.headers, ":", false); err != nil {
		return spec, err
	}
	return spec, nil
}

// pairs adds names with values to a table. A variable without a value is handed
// on as it is.
func pairs(table map[string]string, given []string, by string, handsOn bool) (map[string]string, error) {
	for _, g := range given {
		name, value, split := strings.Cut(g, by)
		if name = strings.TrimSpace(name); !split && handsOn {
			value = "${" + name + "}"
		}
		if name == "" || !split && !handsOn {
			return nil, cli.Usage(verdict.UsageFlag, "%q has no name and value with %q between them", g, by)
		}
		if table == nil {
			table = map[string]string{}
		}
		if !handsOn {
			value = strings.TrimSpace(value)
		}
		table[name] = value
	}
	return table, nil
}

// edit is what a command did to the servers file.
type edit struct {
	SchemaVersion int      `json:"schema_version"`
	File          string   `json:"file"`
	Servers       []string `json:"servers"` // added, or removed
	Changed       bool     `json:"changed"`
}

// addServer writes a server that is new. One that is there and the same is left.
func (a *app) addServer(name string, spec config.Spec, literal bool) error {
	file, err := a.serversFile()
	if err != nil {
		return err
	}
	if err := secretive(name, spec, literal); err != nil {
		return err
	}
	if fields := spec.Relative(); len(fields) > 0 {
		return cli.Usage(verdict.UsageArgument, "%s is relative to the directory that the server starts in, which is that of %s: write the whole path, or say --cwd", fields[0], file)
	}
	was, err := config.LoadServers(file)
	if err != nil && verdict.CodeOf(err) != verdict.ConfigMissing {
		return err
	}
	if there, _, is := was.Spec(name); is && reflect.DeepEqual(there, spec) {
		a.showEdit(edit{host.SchemaVersion, file, []string{name}, false}, "had already: server "+name)
		return nil
	}
	if err := a.writeServers(file, map[string]config.Spec{name: spec}); err != nil || a.DryRun {
		return err
	}
	a.Say("Nothing was started. `ask servers test %s` starts or dials it, and lists its tools.", name)
	return nil
}

// writeServers adds servers to the file, or says what would be added.
func (a *app) writeServers(file string, all map[string]config.Spec) error {
	if err := config.AddServers(file, all, a.DryRun); err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(all))
	verb := "wrote"
	if a.DryRun {
		verb = "would get"
	}
	a.showEdit(edit{host.SchemaVersion, file, names, !a.DryRun}, verb+": server "+strings.Join(names, ", "))
	return nil
}

// serversFile is the file that holds the servers: the one that is read.
func (a *app) serversFile() (string, error) {
	if a.Demo {
		return "", cli.Usage(verdict.UsageFlag, "the demo's servers are inside this binary, and in no file")
	}
	s, _, err := a.Settings()
	return s.Servers.V, err
}

// secretive refuses a secret in plain sight, unless it was said to be meant.
func secretive(name string, spec config.Spec, literal bool) error {
	fields := spec.Secrets()
	if literal || len(fields) == 0 {
		return nil
	}
	err := verdict.Fail(verdict.UsageArgument, nil, "%s of server %s seems to hold a secret itself", fields[0], guard.Line(name, 64))
	err.Hint = "keep it in a variable and write ${NAME} in its place; --literal writes it into the file as it is"
	return err
}

func (a *app) showEdit(e edit, text string) {
	if a.JSON {
		a.Document(e)
		return
	}
	fmt.Fprintln(a.Out, guard.Line(e.File+" "+text, cli.MaxLine))
}

func (a *app) removeServerCommand() *cobra.Command {
	return &cobra.Command{
		Use: "remove NAME", Short: "Take a server out of the servers file, and leave the rest of it", Args: cli.Exactly(1, "remove takes one NAME"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.removeServer(cmd.Context(), args[0]) },
	}
}

// removeServer takes back what was approved of it first: who adds it again looks
// at it again.
func (a *app) removeServer(ctx context.Context, name string) error {
	file, err := a.serversFile()
	if err != nil {
		return err
	}
	was, err := config.LoadServers(file)
	if err != nil {
		return err
	}
	if err := config.RemoveServer(file, name, true); err != nil {
		return nearServer(err, name, was)
	}
	if !a.DryRun {
		if err := a.forget(ctx, name); err != nil {
			return err
		}
		if err := config.RemoveServer(file, name, false); err != nil {
			return err
		}
	}
	verb := "lost"
	if a.DryRun {
		verb = "would lose"
	}
	a.showEdit(edit{host.SchemaVersion, file, []string{name}, !a.DryRun}, verb+": server "+name)
	a.sayAllowed(name)
	return nil
}

// sayAllowed says what is left of a removed server: a question that finds no
// tool would name it as one that cannot be reached.
func (a *app) sayAllowed(name string) {
	if s, _, err := a.Settings(); err == nil && len(config.LoadAllowlist(s.Allowlist.V).Tools(name)) > 0 {
		a.Say("%s names tools of %s: take them out", s.Allowlist.V, name)
	}
}

// forget takes back what was approved of a server, where anything was. Of one
// that the file has under another name as well nothing is forgotten.
func (a *app) forget(ctx context.Context, name string) error {
	if err := a.unlocked(); err != nil {
		return err
	}
	_, inv, err := a.inventory()
	if err != nil || len(inv.Also(name)) > 0 {
		return err
	}
	place, _ := inv.Place(name)
	pins, err := inv.Keeper.Pins(ctx, place)
	if err != nil || pins.Last == 0 {
		return err
	}
	return inv.Keeper.Forget(ctx, place, trust.Verdict{By: subject(), How: how(a)})
}

// nearServer adds to an error which server may have been meant.
func nearServer(err error, name string, of config.Servers) error {
	if _, f := verdict.First(err); f != nil {
		said := *f
		said.Reason += cli.Near(name, of.Names())
		return &said
	}
	return err
}
