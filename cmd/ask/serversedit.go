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
	literal                  bool
}

func (a *app) addServer(cmd *cobra.Command) action {
	var f addFlags
	fs := cmd.Flags()
	fs.StringVar(&f.url, "url", "", "the `URL` of a remote server")
	fs.StringVar(&f.kind, "type", "", "the transport of a URL: `http` or sse")
	fs.StringArrayVar(&f.headers, "header", nil, "a `HEADER` of each request, such as 'Authorization: Bearer ${TOKEN}'")
	fs.StringArrayVar(&f.env, "env", nil, "a variable for the server: NAME passes your own on, NAME=`VALUE` sets it")
	fs.StringVar(&f.dir, "cwd", "", "the `DIRECTORY` that the server starts in, instead of the servers file's")
	fs.StringVar(&f.template, "template", "", "begin with a `TEMPLATE`; list shows them")
	fs.BoolVar(&f.literal, "literal", false, "write an apparent secret into the file unchanged")
	unfetched := unfetchedFlag(cmd)
	return func(ctx context.Context, args []string) error {
		if f.template == listTemplates && len(args) == 0 {
			return result(a, "templates", (*app).printTemplates)(servers.Templates(), nil)
		}
		before := fs.ArgsLenAtDash()
		if before < 0 {
			before = len(args)
		}
		if before != 1 {
			return cli.Usage(verdict.UsageArgument, "add takes one NAME, and what starts the server after --")
		}
		spec, err := f.spec(args[1:])
		if err != nil {
			return err
		}
		d, err := a.desk()
		if err != nil {
			return err
		}
		e, err := servers.At(d).Add(args[0], spec, f.literal, a.DryRun)
		if err = a.added(ctx, d, e, *unfetched, err); err == nil && e.Changed {
			a.Say("Nothing was started. Next: `ask servers review %s` starts or dials it, and asks which of its tools you approve.", args[0])
		}
		return err
	}
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

// unfetchedFlag adds the flag that asks no registry.
func unfetchedFlag(cmd *cobra.Command) *bool {
	return cmd.Flags().Bool("no-fetch", false, "fetch no package of npm or PyPI: no registry is asked until ask servers fetch")
}

// added reports which servers were added, does the steps after it, and prints the next ones.
func (a *app) added(ctx context.Context, d desk.Desk, e servers.Edit, unfetched bool, err error) error {
	if err = a.showEdit(e, "added %s to %s", "would add %s to %s", err); err != nil || !e.Changed {
		return err
	}
	if !unfetched {
		if err := a.fetchAdded(ctx, d, e.Servers); err != nil {
			return err
		}
	}
	a.sayProposed(d, e.Servers)
	return nil
}

func (a *app) removeServer(ctx context.Context, d desk.Desk, args []string) error {
	e, err := servers.At(d).Remove(ctx, args[0], a.how(), a.DryRun)
	return a.showEdit(e, "removed %s from %s", "would remove %s from %s", err)
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

func (a *app) printTemplates(all []servers.Template) {
	printTable(a, all, func(t servers.Template) []string {
		start := strings.Join(append([]string{t.Server.Command + t.Server.URL}, t.Server.Args...), " ")
		return []string{t.Name, strings.TrimSpace(start + " " + t.Wants), t.Meaning}
	})
}

func (a *app) importServers(cmd *cobra.Command) action {
	literal := cmd.Flags().Bool("literal", false, "copy an apparent secret unchanged")
	unfetched := unfetchedFlag(cmd)
	return a.onDesk(func(ctx context.Context, d desk.Desk, args []string) error {
		if len(args) == 0 {
			return result(a, "clients", (*app).printImportable)(clients.At(d).Importable(*literal))
		}
		e, err := clients.At(d).Import(args[0], args[1:], *literal, a.DryRun)
		return a.added(ctx, d, e, *unfetched, err)
	})
}

func (a *app) printImportable(found []clients.File) {
	for _, f := range found {
		a.Print("%s", strings.TrimSpace(f.Client+"  "+f.File))
		printTable(a, f.Servers, func(s clients.Server) []string {
			return []string{"  server " + escape.Line(s.Name, 128), s.State, described(s.How, s.As, s.Why)}
		})
	}
	if len(found) == 0 {
		a.Say("No other client's file was found in its default place; name one: `ask servers import FILE`")
	} else {
		a.Say("`ask servers import CLIENT` copies those that are new.")
	}
}

func (a *app) showServer(ctx context.Context, s servers.Servers, args []string) error {
	return result(a, "server", func(a *app, e servers.Entry) { a.printEntry(e, s.Allowlist) })(s.Entry(ctx, args[0]))
}

func (a *app) printEntry(d servers.Entry, allow catalog.Allowlist) {
	fmt.Fprintln(a.Out, a.Bold(a.Out, escape.Line(d.Name, 128)))
	p := labelled{a.Out, cli.MaxShown}
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
		p.some("sandbox", d.Entry.Sandbox)
	}
	p.pairs("setting", " = ", d.Settings)
	for _, tool := range d.Allowed {
		p.line("allowed", tool+": "+allow.Effect(d.Name, tool).String())
	}
	p.lines("hidden", d.Hidden)
	if d.Trust != nil {
		p.state(d.Trust)
	}
}

// labelled prints one thing on each line, up to max bytes and escaped, after its label.
type labelled struct {
	to  *cli.Stream
	max int
}

func (p labelled) line(label, text string) {
	fmt.Fprintf(p.to, "  %-9s  %s\n", label, escape.Line(text, p.max))
}

// some prints a text that is not empty.
func (p labelled) some(label, text string) {
	if text != "" {
		p.line(label, text)
	}
}

func (p labelled) lines(label string, texts []string) {
	for _, text := range texts {
		p.line(label, text)
	}
}

// pairs prints the names and values of a table.
func (p labelled) pairs(label, between string, table map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(table)) {
		p.line(label, name+between+table[name])
	}
}

// entry prints a command in the words that the program receives.
func (p labelled) entry(s config.Spec) {
	p.some("command", s.Command)
	p.lines("argument", s.Args)
	p.some("directory", s.Dir)
	p.some("url", s.URL)
	p.pairs("variable", " = ", s.Env)
	p.pairs("header", ": ", s.Headers)
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
		text := tool
		if slices.Contains(t.After, tool) {
			text += ": listed after a call"
		}
		if slices.Contains(t.AnyOrder, tool) {
			text += ": the same words in any order"
		}
		p.line("approved", text)
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
