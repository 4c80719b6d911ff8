package main

import (
	"context"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/artifact"
)

func (a *app) fetchServersCommand() *cobra.Command {
	again := false
	cmd := &cobra.Command{
		Use: "fetch [SERVER...]", Short: "Fetch the exact packages that servers are started from; nothing of them is run",
		RunE: func(cmd *cobra.Command, args []string) error { return a.fetchServers(cmd.Context(), args, again) },
	}
	cmd.Flags().BoolVar(&again, "again", false, "fetch what is there anew, with what it depends on today")
	return cmd
}

func (a *app) fetchServers(ctx context.Context, names []string, again bool) error {
	_, inv, err := a.inventory()
	if err != nil {
		return err
	}
	a.note(inv)
	if len(names) == 0 {
		names = inv.Names
	}
	var rows []serverRow
	for _, row := range serverRows(inv, names) {
		fetched, err := fetchServer(ctx, inv, row.Name, again)
		row.Artifact = &fetched
		if err != nil {
			row.Artifact, row.Error = nil, host.FailureOf(err)
		}
		rows = append(rows, row)
		if ctx.Err() != nil {
			break
		}
	}
	a.printServers(rows)
	return a.sayWrong(rows)
}

func fetchServer(ctx context.Context, inv setup.Inventory, name string, again bool) (artifact.Artifact, error) {
	if !slices.Contains(inv.Names, name) {
		return artifact.Artifact{}, verdict.Fail(verdict.ServerUnknown, nil, "no server %s is configured%s", cli.InALine(name), cli.Near(name, inv.Names))
	}
	return inv.Cache.Fetch(ctx, inv.Command(name), os.Environ(), again)
}
