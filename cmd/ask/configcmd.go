package main

import (
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/host"
)

func (a *app) configCommand() *cobra.Command {
	var origin bool
	show := &cobra.Command{
		Use: "show", Short: "Show the settings of a run", Args: cli.Exactly(0, "show takes nothing"),
		RunE: func(*cobra.Command, []string) error { return a.showConfig(origin) },
	}
	show.Flags().BoolVar(&origin, "origin", false, "say where each value comes from")
	cmd := cli.Group("config", "Show the configuration")
	cmd.AddCommand(show)
	return cmd
}

func (a *app) showConfig(origin bool) error {
	s, _, err := a.Settings()
	if err != nil {
		return err
	}
	rows := s.Show()
	if a.JSON {
		a.Document(struct {
			SchemaVersion int            `json:"schema_version"`
			Settings      []config.Shown `json:"settings"`
			Ignored       []string       `json:"ignored_files"`
		}{host.SchemaVersion, rows, ignoredFiles()})
		return nil
	}
	w := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s", r.Key, guard.Line(fmt.Sprint(r.Value), cli.MaxLine))
		if origin {
			fmt.Fprintf(w, "\t%s", guard.Line(r.Origin.String(), cli.MaxLine))
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	a.reportIgnored()
	return nil
}

// ignoredFiles are files of the working directory that other tools would obey.
// A checkout is a stranger's text: they are named, and change nothing.
func ignoredFiles() []string {
	found := []string{}
	for _, name := range []string{".mcp.json", ".ask", "config/allowlist.json", ".vscode/mcp.json", ".cursor/mcp.json"} {
		if _, err := os.Lstat(name); err == nil {
			found = append(found, name)
		}
	}
	return found
}

func (a *app) reportIgnored() {
	for _, name := range ignoredFiles() {
		a.Say("%s of this directory is not used; --servers or --allowlist would name such a file.", name)
	}
}
