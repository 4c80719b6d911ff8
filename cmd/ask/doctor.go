package main

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/gate/escape"
)

// exitFindings is the exit code of a doctor that found something.
const exitFindings = 10

func (a *app) doctorCommand() *cobra.Command {
	return cli.Command{
		Use: "doctor", Short: "Check everything that a question needs", Takes: "doctor takes nothing",
		Run: func(ctx context.Context, _ []string) error {
			findings := a.examine(ctx)
			_ = a.Result("checks", findings, func() { a.printFindings(findings) })
			if slices.ContainsFunc(findings, func(f desk.Check) bool { return !f.OK }) {
				return cli.Ended(exitFindings)
			}
			return nil
		},
	}.Cobra()
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
