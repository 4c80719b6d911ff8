package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// toolRow is one tool as `ask tools` prints it.
type toolRow struct {
	Server      string       `json:"server"`
	Name        string       `json:"name"`
	Callable    bool         `json:"callable"`
	Code        verdict.Code `json:"code,omitempty"`
	Reason      string       `json:"reason,omitempty"`
	Effect      string       `json:"effect,omitempty"`    // "read" or "write"
	EffectBy    string       `json:"effect_by,omitempty"` // "operator", or "default" where a plain list says neither
	Claim       string       `json:"claim,omitempty"`     // what the server says of it: "reads" or "writes"
	Title       string       `json:"title,omitempty"`
	Description string       `json:"description,omitempty"`
	Output      string       `json:"output,omitempty"`
	Notes       []string     `json:"notes,omitempty"`

	// `ask tools show` adds these.
	Digest       string         `json:"digest,omitempty"`
	InputSchema  jsontext.Value `json:"input_schema,omitempty"`
	OutputSchema jsontext.Value `json:"output_schema,omitempty"`
}

func (a *app) toolsCommand() *cobra.Command {
	var all, undecided bool
	list := func(cmd *cobra.Command, _ []string) error {
		if undecided {
			return a.discover(cmd.Context(), false, a.undecided)
		}
		return a.discover(cmd.Context(), all, func(inv setup.Inventory, c catalog.Catalog) error {
			if err := a.listTools(c); err != nil || !all {
				return err
			}
			a.sayLine(inv, c)
			return nil
		})
	}
	cmd := &cobra.Command{
		Use:   "tools",
		Short: "What a run may consider, and why the rest may not",
		Args:  cli.Verb,
		RunE:  list,
	}
	cmd.PersistentFlags().BoolVar(&all, "all", false, "ask every configured server, not only the allowlisted ones")
	cmd.Flags().BoolVar(&undecided, "undecided", false, "print the allowlist with what the servers claim of each tool that has no stated effect")
	cmd.AddCommand(
		&cobra.Command{Use: "list", Short: "List tools", Args: cli.Exactly(0, "list takes nothing"), RunE: list},
		&cobra.Command{
			Use: "show SERVER/TOOL", Short: "Show one tool in full", Args: cli.Exactly(1, "show takes SERVER/TOOL"),
			RunE: func(cmd *cobra.Command, args []string) error { return a.showTool(cmd.Context(), args[0], all) },
		},
		a.checkToolCommand())
	return cmd
}

// discover lists tools the way a run does, of the allowlisted servers or of
// every configured one, and has them shown.
func (a *app) discover(ctx context.Context, all bool, show func(setup.Inventory, catalog.Catalog) error) error {
	s, inv, err := a.inventory()
	if err != nil {
		return err
	}
	names := inv.Names
	if !all {
		if err := inv.Allowlist.Refusal(); err != nil {
			return err
		}
		names = inv.Allowlist.Servers()
	}
	with := a.Options()
	with.Live = with.Live || all // whoever asks for all asks what there is
	return a.catalog(ctx, s, with, names, func(c catalog.Catalog) error { return show(inv, c) })
}

// catalog asks these servers, has shown what they list, and then ends them:
// whoever asked does not wait for that.
func (a *app) catalog(ctx context.Context, s config.Settings, with setup.Options, names []string, show func(catalog.Catalog) error) error {
	with.NoAsks, with.Servers = true, names
	h, err := setup.Host(s, with)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, s.Timeout.V)
	defer cancel()
	end := show(h.Catalog(ctx, names...))
	a.showStrays(h)
	if err := h.Close(); err != nil {
		a.Say("a server did not end cleanly: %v", err)
	}
	return end
}

func (a *app) listTools(c catalog.Catalog) error {
	rows := toolRows(c)
	down := []host.Unreachable{}
	for _, u := range c.Unreachable() {
		f := host.FailureOf(u.Err)
		down = append(down, host.Unreachable{Server: u.Server, Code: f.Code, Reason: f.Message})
	}
	if a.JSON {
		a.Document(struct {
			SchemaVersion int                `json:"schema_version"`
			Tools         []toolRow          `json:"tools"`
			Unreachable   []host.Unreachable `json:"unreachable"`
		}{host.SchemaVersion, rows, down})
	} else {
		a.printTools(rows)
	}
	for _, u := range down {
		a.Say("server %s left out: %s: %s", u.Server, u.Code, cli.InALine(u.Reason))
	}
	if len(rows) == 0 && len(down) > 0 {
		return cli.Ended(down[0].Code.Entry().Exit)
	}
	return nil
}

// sayLine prints what an operator would write to allow the tools that are not
// allowed, with what the servers claim of them: to be read, and then copied.
func (a *app) sayLine(inv setup.Inventory, c catalog.Catalog) {
	list := map[string]map[string][]string{}
	for _, e := range c.Excluded() {
		row, listed := listedTool(c, e.Server, e.Name)
		if code := e.Denial.Code; !listed || code != verdict.AllowTool && code != verdict.AllowServer {
			continue
		}
		effect := "write"
		if row.Claim == "reads" {
			effect = "read"
		}
		if list[e.Server] == nil {
			list[e.Server] = map[string][]string{}
		}
		list[e.Server][effect] = append(list[e.Server][effect], e.Name)
	}
	if line, err := json.Marshal(list, json.Deterministic(true)); err == nil && len(list) > 0 {
		a.Say("To allow the rest, by the servers' own claims; read it, and put what you want of it into %s:", cmp.Or(inv.AllowlistFile, "an allowlist"))
		fmt.Fprintln(a.Err, guard.Line(string(line), cli.MaxShown))
	}
}

func toolRows(c catalog.Catalog) []toolRow {
	rows := []toolRow{}
	for _, t := range c.Tools() {
		rows = append(rows, rowOf(t))
	}
	for _, e := range c.Excluded() {
		rows = append(rows, toolRow{Server: e.Server, Name: e.Name, Code: e.Denial.Code, Reason: e.Denial.Reason})
	}
	return rows
}

func rowOf(t catalog.Tool) toolRow {
	f := t.Fields()
	return toolRow{
		Server: t.Server(), Name: t.Name(), Callable: true, Title: f.Title,
		Effect: t.Effect().String(), EffectBy: t.Effect().By(), Claim: claimOf(t.Fields()),
		Description: f.Description, Output: t.Output().Basis.String(), Notes: t.Notes(),
	}
}

func (a *app) printTools(rows []toolRow) {
	w := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		state, why := "callable", guard.Line(r.Description, 80)
		if !r.Callable {
			state, why = string(r.Code), guard.Line(r.Reason, 200)
		}
		fmt.Fprintf(w, "%s/%s\t%s\t%s\t%s\n", guard.Line(r.Server, 128), guard.Line(r.Name, 128), state, effectOf(r), why)
	}
	w.Flush()
}

func (a *app) showTool(ctx context.Context, name string, all bool) error {
	server, tool, err := splitName(name)
	if err != nil {
		return err
	}
	return a.discover(ctx, all, func(_ setup.Inventory, c catalog.Catalog) error {
		t, err := c.Tool(server, tool)
		if err == nil {
			d := rowOf(t)
			d.Digest, d.InputSchema, d.OutputSchema = t.Digest().String(), t.Input().Raw(), t.Fields().OutputSchema
			a.printTool(d)
			return nil
		}
		if d, listed := listedTool(c, server, tool); listed && all {
			d.Code, d.Reason = verdict.CodeOf(err), host.FailureOf(err).Message
			a.printTool(d)
			return nil
		}
		return meant(err, c, server, tool, all)
	})
}

// listedTool is a tool that a server lists, whatever the allowlist says of it.
func listedTool(c catalog.Catalog, server, tool string) (toolRow, bool) {
	for _, l := range c.Listings() {
		for _, d := range l.Tools {
			f, err := d.Fields()
			if l.Server != server || f.Name != tool {
				continue
			}
			row := toolRow{Server: server, Name: tool, Title: f.Title, Description: f.Description, InputSchema: f.InputSchema, OutputSchema: f.OutputSchema, Claim: claimOf(f)}
			if digest, bad := d.Digest(); err == nil && bad == nil {
				row.Digest = digest.String()
			}
			return row, true
		}
	}
	return toolRow{}, false
}

// meant adds to an error what may have been meant.
func meant(err error, c catalog.Catalog, server, tool string, all bool) error {
	d, _ := verdict.First(err)
	if d == nil {
		return err
	}
	var servers, tools []string
	for _, r := range toolRows(c) {
		servers = append(servers, r.Server)
		if r.Server == server {
			tools = append(tools, r.Name)
		}
	}
	said := *d
	if near := cli.Near(server, servers); len(tools) == 0 {
		said.Reason += near
	} else {
		said.Reason += cli.Near(tool, tools)
	}
	if !all {
		said.Hint = "ask tools show --all " + server + "/" + tool + " shows what is not allowed, too"
	}
	return &said
}

func (a *app) printTool(d toolRow) {
	if a.JSON {
		a.Member("tool", d)
		return
	}
	fmt.Fprintf(a.Out, "%s\n%s\n\n", a.Bold(a.Out, d.Server+"/"+d.Name), indented(d.Description))
	if !d.Callable {
		fmt.Fprintf(a.Out, "%s  %s\n", d.Code, guard.Line(d.Reason, cli.MaxLine))
	}
	fmt.Fprintf(a.Out, "digest  %s\neffect  %s\noutput  %s\ninput   %s\n", d.Digest, effectOf(d), d.Output, readable(d.InputSchema))
	for _, n := range d.Notes {
		fmt.Fprintf(a.Out, "note    %s\n", guard.Line(n, cli.MaxLine))
	}
}

// indented is a stranger's text of several lines, none of which can pass for a
// line of ours.
func indented(s string) string {
	return "  " + strings.ReplaceAll(guard.Text(s, cli.MaxShown), "\n", "\n  ")
}
