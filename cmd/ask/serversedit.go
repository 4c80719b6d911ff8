package main

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/desk/clients"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
)

// addFlags are the flags of `ask servers add`.
type addFlags struct {
	template, url, kind, dir string
	env, headers             []string
	literal, unfetched       bool
}

func (a *app) addServerCommand() *cobra.Command {
	var f addFlags
	cmd := &cobra.Command{
		Use:   "add NAME (-- COMMAND ARGS... | --url URL | --template TEMPLATE [-- ARGS...])",
		Short: "Write a server into the servers file, and fetch its package; it is not started or dialled",
		Example: `  ask servers add files -- npx -y @modelcontextprotocol/server-filesystem ~/Documents
  ask servers add github --url https://api.githubcopilot.com/mcp/ --header 'Authorization: Bearer ${GITHUB_TOKEN}'
  ask servers add files --template filesystem -- ~/Documents
  ask servers add --template list`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.template == listTemplates && len(args) == 0 {
				return a.showTemplates()
			}
			name, command, err := named(cmd, args)
			if err != nil {
				return err
			}
			spec, err := f.spec(command)
			if err != nil {
				return err
			}
			return a.addServer(cmd.Context(), name, spec, f)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.url, "url", "", "the `URL` of a remote server")
	fs.StringVar(&f.kind, "type", "", "the transport of a URL: `http` or sse")
	fs.StringArrayVar(&f.headers, "header", nil, "a `HEADER` of each request, such as 'Authorization: Bearer ${TOKEN}'")
	fs.StringArrayVar(&f.env, "env", nil, "a variable for the server: NAME passes your own on, NAME=`VALUE` sets it")
	fs.StringVar(&f.dir, "cwd", "", "the `DIRECTORY` that the server starts in, instead of the servers file's")
	fs.StringVar(&f.template, "template", "", "begin with a `TEMPLATE`; list shows them")
	fs.BoolVar(&f.literal, "literal", false, "write an apparent secret into the file unchanged")
	fs.BoolVar(&f.unfetched, "no-fetch", false, unfetched)
	return cmd
}

// named separates the name of a server from the command after "--".
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
	spec, err := servers.Templated(f.template, command)
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

// pairs adds names with values to a table. A variable without a value becomes a reference to
// itself.
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

// unfetched describes the flag that asks no registry.
const unfetched = "fetch no package of npm or PyPI: no registry is asked until ask servers fetch"

func (a *app) addServer(ctx context.Context, name string, spec config.Spec, f addFlags) error {
	d, err := a.desk()
	if err != nil {
		return err
	}
	e, err := servers.At(d).Add(name, spec, f.literal, a.DryRun)
	if err = a.showEdit(e, "added %s to %s", "would add %s to %s", err); err != nil || !e.Changed {
		return err
	}
	if err := a.follow(ctx, d, []string{name}, f.unfetched); err != nil {
		return err
	}
	a.Say("Nothing was started. Next: `ask servers review %s` starts or dials it, and asks which of its tools you approve.", name)
	return nil
}

// follow does the steps after servers were added, and prints the next ones.
func (a *app) follow(ctx context.Context, d desk.Desk, names []string, unfetched bool) error {
	if !unfetched {
		if err := a.fetchAdded(ctx, d, names); err != nil {
			return err
		}
	}
	a.sayProposed(d, names)
	return nil
}

// showEdit reports the change of the servers file, or what it would be; both texts take the
// servers and the file.
func (a *app) showEdit(e servers.Edit, did, would string, err error) error {
	switch {
	case err != nil:
		return err
	case a.JSON:
		a.Document(e)
		return nil
	case e.Already && len(e.Servers) == 0:
		a.Print("%s already has all that can be copied", e.File)
		return nil
	case e.Already:
		did = "%s is in %s already"
	case !e.Changed:
		did = would
	}
	a.Print(did, strings.Join(e.Servers, ", "), e.File)
	return nil
}

// listTemplates is the value of `ask servers add --template` that lists all templates.
const listTemplates = "list"

func (a *app) showTemplates() error {
	all := servers.Templates()
	return a.Result("templates", all, func() {
		var rows [][]string
		for _, t := range all {
			start := strings.Join(append([]string{t.Server.Command + t.Server.URL}, t.Server.Args...), " ")
			rows = append(rows, []string{t.Name, strings.TrimSpace(start + " " + t.Wants), t.Meaning})
		}
		a.Table(rows)
	})
}

func (a *app) importServersCommand() cli.Command {
	var literal, off bool
	return cli.Command{
		Use:   "import [CLIENT|FILE [SERVER[=OTHER]...]]",
		Short: "Copy servers of other clients into the servers file, and fetch their packages; none is started or dialled",
		Long: `import shows the servers that the other MCP clients of this machine have. With a
client or a file it copies those that are new, or the named ones, and fetches their
packages. None is started or dialled, and no other client's file is changed. A name
that ask cannot have becomes one that it can, which is shown; SERVER=OTHER chooses
another.`,
		Example: "  ask servers import\n  ask servers import claude-desktop\n  ask servers import .vscode/mcp.json github",
		Run: a.onDesk(func(ctx context.Context, d desk.Desk, args []string) error {
			if len(args) == 0 {
				return a.showClients(d, literal)
			}
			e, err := clients.At(d).Import(args[0], args[1:], literal, a.DryRun)
			if err = a.showEdit(e, "added %s to %s", "would add %s to %s", err); err != nil || !e.Changed {
				return err
			}
			return a.follow(ctx, d, e.Servers, off)
		}),
		Flags: func(f *cli.FlagSet) {
			f.BoolVar(&literal, "literal", false, "copy an apparent secret unchanged")
			f.BoolVar(&off, "no-fetch", false, unfetched)
		},
	}
}

func (a *app) showClients(d desk.Desk, literal bool) error {
	found, err := clients.At(d).Importable(literal)
	if err != nil {
		return err
	}
	return a.Result("clients", found, func() {
		for _, f := range found {
			a.Print("%s", strings.TrimSpace(f.Client+"  "+f.File))
			var rows [][]string
			for _, s := range f.Servers {
				rows = append(rows, []string{"  server " + escape.Line(s.Name, 128), s.State, described(s.How, s.As, s.Why)})
			}
			a.Table(rows)
		}
		if len(found) == 0 {
			a.Say("No other client's file was found in its default place; name one: `ask servers import FILE`")
		} else {
			a.Say("`ask servers import CLIENT` copies those that are new.")
		}
	})
}

func (a *app) printEntry(d servers.Entry, allow catalog.Allowlist) {
	fmt.Fprintln(a.Out, a.Bold(a.Out, escape.Line(d.Name, 128)))
	p := labelled{a.Out}
	if d.File != "" {
		p.line("from", fmt.Sprintf("%s, line %d", d.File, d.Line))
	}
	if d.Wrong != "" {
		p.line("left out", d.Wrong)
		return
	}
	p.line("reached", d.How)
	if d.Entry != nil {
		p.entry(*d.Entry)
		p.document("manifest", d.Entry.Manifest)
		p.document("scopes", d.Entry.Scopes)
		if d.Entry.Sandbox != "" {
			p.line("sandbox", d.Entry.Sandbox)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(d.Settings)) {
		p.line("setting", key+" = "+d.Settings[key])
	}
	for _, tool := range d.Allowed {
		p.line("allowed", tool+": "+allow.Effect(d.Name, tool).String())
	}
	for _, h := range d.Hidden {
		p.line("hidden", h)
	}
	if d.Trust != nil {
		p.state(d.Trust)
	}
}

// labelled prints one thing on each line, whole and escaped, after its label.
type labelled struct{ to *cli.Stream }

func (p labelled) line(label, text string) { p.upTo(cli.MaxShown, label, text) }

func (p labelled) upTo(max int, label, text string) {
	fmt.Fprintf(p.to, "  %-9s  %s\n", label, escape.Line(text, max))
}

// entry prints a command in the words that the program receives.
func (p labelled) entry(s config.Spec) {
	if s.Command != "" {
		p.line("command", s.Command)
	}
	for _, arg := range s.Args {
		p.line("argument", arg)
	}
	if s.Dir != "" {
		p.line("directory", s.Dir)
	}
	if s.URL != "" {
		p.line("url", s.URL)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		p.line("variable", name+" = "+s.Env[name])
	}
	for _, name := range slices.Sorted(maps.Keys(s.Headers)) {
		p.line("header", name+": "+s.Headers[name])
	}
}

// document prints a document on one line.
func (p labelled) document(label string, of jsontext.Value) {
	if one := of.Clone(); len(one) > 0 && one.Compact() == nil {
		p.line(label, string(one))
	}
}

// state prints the stored data about a server, one item on each line.
func (p labelled) state(t *servers.Trust) {
	for _, tool := range t.Approved {
		said := tool
		if slices.Contains(t.After, tool) {
			said += ": listed after a call"
		}
		if slices.Contains(t.AnyOrder, tool) {
			said += ": the same words in any order"
		}
		p.line("approved", said)
	}
	for _, h := range t.Held {
		p.line("held", h.Tool+": "+h.Code+": "+h.Why)
	}
	if t.Starts != nil {
		p.line("starts", t.Starts.String())
	}
	for _, h := range t.Health {
		p.line("health", healthText(h))
	}
}
