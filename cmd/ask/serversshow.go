package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/verdict"
)

func (a *app) showServerCommand() *cobra.Command {
	return &cobra.Command{
		Use: "show NAME", Short: "Show all that is configured of one server; nothing is started or dialled", Args: cli.Exactly(1, "show takes one NAME"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.showServer(cmd.Context(), args[0]) },
	}
}

// serverShown is one server in full, variables unexpanded and secrets concealed.
type serverShown struct {
	Name     string            `json:"name"`
	How      string            `json:"how"`
	File     string            `json:"file,omitempty"`
	Line     int               `json:"line,omitempty"`
	Entry    *config.Spec      `json:"entry,omitempty"` // none of a demo's server, or one that cannot be used
	Wrong    string            `json:"wrong,omitempty"` // why it cannot be used
	Place    jsontext.Value    `json:"place,omitempty"` // what it is known by, whatever its name
	Allowed  []string          `json:"allowed"`
	Settings map[string]string `json:"settings,omitempty"` // of its own, in config.toml
	Hidden   []string          `json:"hidden,omitempty"`   // characters that are written out, and where
	Trust    *trustState       `json:"trust,omitempty"`
}

func (a *app) showServer(ctx context.Context, name string) error {
	s, inv, err := a.inventory()
	if err != nil {
		return err
	}
	d := serverShown{Name: name, Allowed: append([]string{}, inv.Allowlist.Tools(name)...)}
	if !a.Demo {
		if err := d.read(s); err != nil {
			return err
		}
	}
	if d.Wrong == "" {
		if !slices.Contains(inv.Names, name) {
			return cli.Usage(verdict.UsageArgument, "there is no server %s%s", guard.Line(name, 64), cli.Near(name, inv.Names))
		}
		d.How = inv.Describe(name)
		d.Trust = a.withTrust(ctx, inv, []serverRow{{Name: name}})[0].Trust
	}
	a.printServer(d, inv)
	return nil
}

// read takes from the files what they say of the server.
func (d *serverShown) read(s config.Settings) error {
	file, err := config.LoadServers(s.Servers.V)
	if err != nil {
		return err
	}
	d.File = s.Servers.V
	for _, n := range file.Notes() {
		if n.Server == d.Name && n.Out {
			d.Line, d.Wrong = n.Line, n.Text
		}
	}
	if spec, line, is := file.Spec(d.Name); is {
		spec = spec.Concealed()
		d.Line, d.Entry, d.Hidden = line, &spec, hiddenIn(spec)
		_, d.Place = file.Place(d.Name)
	}
	for _, r := range s.Show() {
		if key, own := strings.CutPrefix(r.Key, "server."+d.Name+"."); own {
			if d.Settings == nil {
				d.Settings = map[string]string{}
			}
			d.Settings[key] = fmt.Sprint(r.Value)
		}
	}
	return nil
}

// hiddenIn lists the characters of a server's entry that are written out.
func hiddenIn(spec config.Spec) (all []string) {
	for field, text := range spec.Fields() {
		for _, c := range hidden(text) {
			all = append(all, c+" in "+field)
		}
	}
	return all
}

// hidden are the characters of a text that do not show as themselves, by their
// code points.
func hidden(text string) (points []string) {
	for _, r := range text {
		if point := fmt.Sprintf("U+%04X", r); r != '\n' && r != '\t' && !guard.Visible(r) && !slices.Contains(points, point) {
			points = append(points, point)
		}
	}
	return points
}

func (a *app) printServer(d serverShown, inv setup.Inventory) {
	if a.JSON {
		a.Member("server", d)
		return
	}
	fmt.Fprintln(a.Out, a.Bold(a.Out, guard.Line(d.Name, 128)))
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
	}
	for _, key := range slices.Sorted(maps.Keys(d.Settings)) {
		p.line("setting", key+" = "+d.Settings[key])
	}
	for _, tool := range d.Allowed {
		p.line("allowed", tool+": "+inv.Allowlist.Effect(d.Name, tool).String())
	}
	for _, h := range d.Hidden {
		p.line("hidden", h)
	}
	if d.Trust != nil {
		p.state(d.Trust)
	}
}

// labelled prints one thing a line, whole and escaped, after what it is.
type labelled struct{ to *cli.Stream }

func (p labelled) line(label, text string) { p.upTo(cli.MaxShown, label, text) }

func (p labelled) upTo(max int, label, text string) {
	fmt.Fprintf(p.to, "  %-9s  %s\n", label, guard.Line(text, max))
}

// entry prints a command in the words that the program gets.
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
