package main

import (
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/host"
)

func (a *app) configCommand() *cobra.Command {
	var origin bool
	show := &cobra.Command{
		Use: "show", Short: "Show the settings of a run", Args: exactly(0, "show takes nothing"),
		RunE: func(*cobra.Command, []string) error { return a.showConfig(origin) },
	}
	show.Flags().BoolVar(&origin, "origin", false, "say where each value comes from")
	cmd := group("config", "Show the configuration")
	cmd.AddCommand(show)
	return cmd
}

type settingRow struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`
	Origin string `json:"origin"`
}

func (a *app) showConfig(origin bool) error {
	s, _, err := a.settings()
	if err != nil {
		return err
	}
	rows := settingRows(s)
	if a.json {
		a.document(struct {
			SchemaVersion int          `json:"schema_version"`
			Settings      []settingRow `json:"settings"`
			Ignored       []string     `json:"ignored_files"`
		}{host.SchemaVersion, rows, ignoredFiles()})
		return nil
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s", r.Key, guard.Line(fmt.Sprint(r.Value), maxLine))
		if origin {
			fmt.Fprintf(w, "\t%s", guard.Line(r.Origin, maxLine))
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	a.reportIgnored()
	return nil
}

func settingRows(s config.Settings) []settingRow {
	rows := []settingRow{
		row("servers", s.Servers), row("allowlist", s.Allowlist), row("trace_dir", s.TraceDir), row("model", s.Model),
		row("summarize", s.Summarize), row("summary_level", s.SummaryLevel), row("writer", s.Writer), row("strict_formats", s.StrictFormats),
		row("max_result", s.MaxResult), row("max_message", s.MaxMessage),
		limit("timeout", s.Timeout), limit("start_timeout", s.StartTimeout), limit("connect_timeout", s.Connect),
		limit("read_timeout", s.Read), limit("model_timeout", s.ModelTimeout), row("constrain", s.Constrain), row("sampling", s.Sampling), row("max_prompt", s.MaxPrompt),
	}
	for _, r := range s.Rules {
		rows = append(rows, row("rules", r))
	}
	return rows
}

func row[T any](key string, v config.Value[T]) settingRow { return settingRow{key, v.V, v.Origin} }

func limit(key string, v config.Value[time.Duration]) settingRow {
	return settingRow{key, v.V.String(), v.Origin}
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
		a.say("%s of this directory is not used; --servers or --allowlist would name such a file.", name)
	}
}
