package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

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
		return a.discover(cmd.Context(), all, a.listTools)
	}
	cmd := &cobra.Command{
		Use:   "tools",
		Short: "What a run may consider, and why the rest may not",
		Args:  cli.Exactly(0, "tools takes list or show SERVER/TOOL"),
		RunE:  list,
	}
	cmd.PersistentFlags().BoolVar(&all, "all", false, "ask every configured server, not only the allowlisted ones")
	cmd.Flags().BoolVar(&undecided, "undecided", false, "print the allowlist with what the servers claim of each tool that has no stated effect")
	cmd.AddCommand(
		&cobra.Command{Use: "list", Short: "List tools", Args: cli.Exactly(0, "list takes nothing"), RunE: list},
		&cobra.Command{
			Use: "show SERVER/TOOL", Short: "Show one tool in full", Args: cli.Exactly(1, "show takes SERVER/TOOL"),
			RunE: func(cmd *cobra.Command, args []string) error { return a.showTool(cmd.Context(), args[0], all) },
		})
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
	return a.catalog(ctx, s, names, func(c catalog.Catalog) error { return show(inv, c) })
}

// catalog asks these servers, has shown what they list, and then ends them:
// whoever asked does not wait for that.
func (a *app) catalog(ctx context.Context, s config.Settings, names []string, show func(catalog.Catalog) error) error {
	with := a.Options()
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

func (a *app) listTools(_ setup.Inventory, c catalog.Catalog) error {
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
		Effect: t.Effect().String(), EffectBy: t.Effect().By(), Claim: claimOf(t),
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
		if err != nil {
			return err
		}
		a.printTool(t)
		return nil
	})
}

func (a *app) printTool(t catalog.Tool) {
	d := rowOf(t)
	d.Digest, d.InputSchema, d.OutputSchema = t.Digest().String(), t.Input().Raw(), t.Fields().OutputSchema
	if a.JSON {
		a.Member("tool", d)
		return
	}
	fmt.Fprintf(a.Out, "%s\n%s\n\n", a.Bold(a.Out, d.Server+"/"+d.Name), indented(d.Description))
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
