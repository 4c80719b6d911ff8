package main

import (
	"context"
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/artifact"
)

// serverRow is one server as `ask servers` prints it.
type serverRow struct {
	Name    string   `json:"name"`
	How     string   `json:"how"`     // as configured, variables unexpanded
	Allowed []string `json:"allowed"` // tools that the allowlist names

	Trust    *trustState        `json:"trust,omitempty"`    // what is kept of it
	Artifact *artifact.Artifact `json:"artifact,omitempty"` // what is started, of `ask servers fetch`

	// `ask servers test` adds these.
	Protocol string        `json:"protocol,omitempty"` // the version that the server agreed to
	Listed   *int          `json:"listed,omitempty"`   // tools that it lists
	Error    *host.Failure `json:"error,omitempty"`
}

func (a *app) serversCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "servers", Short: "List, add, import, review and remove the configured servers", Args: cli.Verb,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.listServers(cmd.Context()) },
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "list", Short: "List the configured servers; nothing is started or dialled", Args: cli.Exactly(0, "list takes nothing"),
			RunE: func(cmd *cobra.Command, _ []string) error { return a.listServers(cmd.Context()) },
		},
		&cobra.Command{
			Use: "test [SERVER...]", Short: "Start or dial servers, allowlisted or not, and list their tools",
			RunE: func(cmd *cobra.Command, args []string) error { return a.testServers(cmd.Context(), args) },
		},
		a.addServerCommand(), a.fetchServersCommand(), a.importServersCommand(), a.removeServerCommand(), a.showServerCommand(),
		a.reviewCommand(), a.approveServerCommand(), a.rejectCommand(), a.refreshCommand(), a.exportPinsCommand())
	return cmd
}

func (a *app) listServers(ctx context.Context) error {
	a.reportIgnored()
	_, inv, err := a.inventory()
	if err != nil {
		return err
	}
	a.printServers(append(a.withTrust(ctx, inv, serverRows(inv, inv.Names)), leftOut(inv)...))
	a.note(inv)
	return nil
}

// leftOut are the entries that cannot be used.
func leftOut(inv setup.Inventory) (rows []serverRow) {
	for _, n := range inv.Notes {
		if n.Out {
			wrong := verdict.Fail(verdict.ConfigInvalid, nil, "line %d: %s", n.Line, n.Text)
			rows = append(rows, serverRow{Name: n.Server, Allowed: append([]string{}, inv.Allowlist.Tools(n.Server)...), Error: host.FailureOf(wrong)})
		}
	}
	return rows
}

// note says what may not be meant in the servers file.
func (a *app) note(inv setup.Inventory) {
	for _, n := range inv.Notes {
		if !n.Out {
			a.Say("%s", n)
		}
	}
}

// inventory is what is configured, with nothing started or dialled.
func (a *app) inventory() (config.Settings, setup.Inventory, error) {
	s, _, err := a.Settings()
	if err != nil {
		return s, setup.Inventory{}, err
	}
	inv, err := setup.Open(s, a.Options())
	a.states = append(a.states, inv.State)
	return s, inv, err
}

func serverRows(inv setup.Inventory, names []string) []serverRow {
	rows := []serverRow{}
	for _, name := range names {
		row := serverRow{Name: name, Allowed: append([]string{}, inv.Allowlist.Tools(name)...)}
		if slices.Contains(inv.Names, name) {
			row.How = inv.Describe(name)
		}
		rows = append(rows, row)
	}
	return rows
}

func (a *app) testServers(ctx context.Context, names []string) error {
	s, inv, err := a.inventory()
	if err != nil {
		return err
	}
	a.note(inv)
	var out []serverRow
	if len(names) == 0 {
		names, out = inv.Names, leftOut(inv)
	}
	with := a.Options()
	with.Unpinned = true // they are tried, not planned with
	return a.catalog(ctx, s, with, names, func(c catalog.Catalog) error {
		tested := []serverRow{}
		for _, l := range c.Listings() {
			tested = append(tested, testedRow(inv, l))
		}
		rows := append(tested, out...)
		a.printServers(rows)
		a.noteHealth(ctx, inv, c.Listings())
		return a.sayWrong(rows)
	})
}

// noteHealth keeps how servers fared, where anything is kept of them.
func (a *app) noteHealth(ctx context.Context, inv setup.Inventory, all []catalog.Listing) {
	for _, l := range all {
		if !slices.Contains(inv.Names, l.Server) {
			continue
		}
		place, _ := inv.Place(l.Server)
		if err := inv.Keeper.Fared(ctx, place, l.Err); err != nil {
			a.Say("how %s fared is not kept: %v", l.Server, err)
		}
	}
}

func testedRow(inv setup.Inventory, l catalog.Listing) serverRow {
	row := serverRows(inv, []string{l.Server})[0]
	row.Protocol = l.Protocol
	if l.Err == nil {
		n := len(l.Tools)
		row.Listed = &n
		return row
	}
	row.Error = host.FailureOf(l.Err)
	if row.Error.Code == verdict.ServerUnknown {
		row.Error.Message += cli.Near(l.Server, inv.Names)
	}
	return row
}

// sayWrong tells what to do for each server that could not be used. The exit
// is the highest of theirs.
func (a *app) sayWrong(rows []serverRow) error {
	exit := 0
	for _, r := range rows {
		if r.Error == nil {
			continue
		}
		exit = max(exit, r.Error.Code.Entry().Exit)
		a.Say("%s: next: %s", r.Name, r.Error.Hint)
	}
	if exit == 0 {
		return nil
	}
	return cli.Ended(exit)
}

func (a *app) printServers(rows []serverRow) {
	if a.JSON {
		a.Member("servers", rows)
		return
	}
	w := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		state := fmt.Sprintf("%d allowed", len(r.Allowed))
		switch {
		case r.Error != nil:
			state = string(r.Error.Code) + ": " + cli.InALine(r.Error.Message)
		case r.Artifact != nil:
			state = r.Artifact.String()
		case r.Listed != nil:
			state = fmt.Sprintf("MCP %s, %d listed, %s", r.Protocol, *r.Listed, state)
		case r.Trust != nil:
			state += ", " + r.Trust.String()
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", guard.Line(r.Name, 128), guard.Line(r.How, 200), guard.Line(state, cli.MaxLine))
	}
	w.Flush()
}
