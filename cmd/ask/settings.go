package main

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/gate/escape"
)

// originFlag makes settings be shown with where they come from.
func originFlag(cmd *cobra.Command) *bool {
	return cmd.Flags().Bool("origin", false, "say where each value comes from")
}

func (a *app) showConfig(cmd *cobra.Command) action {
	origin := originFlag(cmd)
	return func(context.Context, []string) error {
		s, _, err := a.Settings()
		if err != nil {
			return err
		}
		rows := s.Show()
		return a.Report(cli.Object{"settings", rows, "ignored_files", ignoredFiles()}, nil, func() {
			var lines [][]string
			for _, r := range rows {
				line := []string{r.Key, fmt.Sprint(r.Value)}
				if *origin {
					line = append(line, r.Origin.String())
				}
				lines = append(lines, line)
			}
			a.Table(lines)
			a.reportIgnored()
		})
	}
}

// getConfig prints the values of one setting, one on each line: layers may add up.
func (a *app) getConfig(cmd *cobra.Command) action {
	origin := originFlag(cmd)
	return func(_ context.Context, args []string) error {
		s, _, err := a.Settings()
		if err != nil {
			return err
		}
		rows := s.Lookup(args[0])
		if len(rows) == 0 {
			if _, err := config.Find(args[0]); err != nil {
				return err
			}
		}
		return a.Report(cli.Object{"settings", append([]config.Shown{}, rows...)}, nil, func() {
			for _, r := range rows {
				line := fmt.Sprint(r.Value)
				if *origin {
					line += "  " + r.Origin.String()
				}
				a.Print("%s", line)
			}
			if len(rows) == 0 {
				a.Say("%s is not set.", args[0])
			}
		})
	}
}

// setConfig writes one setting, even if another setting keeps a run from starting.
func (a *app) setConfig(_ context.Context, args []string) error {
	set, err := desk.SetSetting(args[0], args[1], a.Flags, a.Options())
	if err != nil {
		return err
	}
	return a.Report(set, nil, func() {
		did := "wrote %s to %s"
		if !set.Changed {
			did = "%s has this value already in %s"
		}
		a.Print(did, set.Key, set.File)
		if set.OutrankedBy != "" {
			a.Say("The %s sets another value, and overrides the file.", set.OutrankedBy)
		}
	})
}

// exitFindings is the exit code of a doctor that found something.
const exitFindings = 10

// doctor checks everything that a question needs.
func (a *app) doctor(ctx context.Context, _ []string) error {
	findings := a.examine(ctx)
	_ = a.Result("checks", findings, func() { a.printFindings(findings) })
	if slices.ContainsFunc(findings, func(f desk.Check) bool { return !f.OK }) {
		return cli.Ended(exitFindings)
	}
	return nil
}

func (a *app) examine(ctx context.Context) []desk.Check {
	_, paths, err := a.Settings()
	found := []desk.Check{desk.NewCheck("configuration", "config.toml of "+paths.Config, err)}
	d, err := a.desk()
	if err != nil {
		return found
	}
	found = append(found, d.Examine(ctx)...)
	s, err := a.servers()
	if err != nil {
		return append(found, desk.NewCheck("servers file", "", err))
	}
	return append(found, s.Examine(ctx)...)
}

func (a *app) printFindings(findings []desk.Check) {
	for _, f := range findings {
		state, text := "ok  ", f.Note
		if !f.OK {
			state, text = "FAIL", string(f.Error.Code)+": "+f.Error.Message
		}
		fmt.Fprintf(a.Out, "%s  %-24s %s\n", state, escape.Line(f.Name, 160), escape.Line(text, cli.MaxLine))
		if f.Lines != "" {
			if !a.Out.Terminal() {
				fmt.Fprint(a.Out, "      ")
			}
			a.JSONText(a.Out, []byte(f.Lines))
		}
		if !f.OK && f.Error.Hint != "" {
			a.Hint(a.Out, "      next: ", f.Error.Hint)
		}
	}
	a.reportIgnored()
}

// ignoredFiles are files of the working directory that other tools would obey. A checkout is
// a stranger's text: the files are named, and change nothing.
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
		a.Say("%s in this directory is not used; to use it, name it with --servers or --allowlist.", name)
	}
}
