package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/summarize"
)

// exitFindings is the exit code of a doctor that found something.
const exitFindings = 10

func (a *app) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Check everything that a question needs", Args: cli.Exactly(0, "doctor takes nothing"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.doctor(cmd.Context()) },
	}
}

// finding is one check of the doctor.
type finding struct {
	Name  string        `json:"name"`
	OK    bool          `json:"ok"`
	Note  string        `json:"note,omitempty"`
	Lines string        `json:"lines,omitempty"` // to read, and to copy
	Error *host.Failure `json:"error,omitempty"`
}

func (a *app) doctor(ctx context.Context) error {
	findings := a.examine(ctx)
	bad := 0
	for _, f := range findings {
		if !f.OK {
			bad++
		}
	}
	if a.JSON {
		a.Member("checks", findings)
	} else {
		a.printFindings(findings)
	}
	if bad > 0 {
		return cli.Ended(exitFindings)
	}
	return nil
}

func (a *app) examine(ctx context.Context) []finding {
	s, paths, err := a.Settings()
	found := []finding{check("configuration", "config.toml of "+paths.Config, err)}
	if err != nil {
		return found
	}
	_, err = config.LoadRules(s.Rules)
	found = append(found, check("input rules", fmt.Sprintf("%d file(s) beside the built-in rules", len(s.Rules)), err))
	found = append(found, check("traces", s.TraceDir.V, writable(s)), check("state", s.StateFile.V, checkState(ctx, s)))
	found = append(found, a.examinePlanner(ctx, s)...)
	inv, err := setup.Open(s, a.Options())
	found = append(found, check("servers file", s.Servers.V, err))
	if err != nil {
		return found
	}
	for _, n := range inv.Notes {
		found = append(found, noted(n))
	}
	found = append(found, check("allowlist", fmt.Sprintf("%d server(s)", len(inv.Allowlist.Servers())), inv.Allowlist.Refusal()))
	return append(found, a.examineServers(ctx, s, inv)...)
}

// examinePlanner looks a model's key up too; no model is asked.
func (a *app) examinePlanner(ctx context.Context, s config.Settings) []finding {
	p, err := setup.Choose(s, a.Options())
	if err != nil {
		return []finding{check("planner", "", err)}
	}
	_, writes := p.Writer(s, summarize.Rendered)
	return []finding{check("planner", plannerName(s), p.Ready(ctx)), check("writer", s.Writer.V, writes)}
}

func (a *app) examineServers(ctx context.Context, s config.Settings, inv setup.Inventory) []finding {
	if inv.Allowlist.Refusal() != nil {
		return nil // said already, and no server may be asked
	}
	var found []finding
	with := a.Options()
	with.Live = true // it is to find out what would go wrong
	err := a.catalog(ctx, s, with, inv.Allowlist.Servers(), func(c catalog.Catalog) error {
		for _, l := range c.Listings() {
			found = append(found, check("server "+l.Server, fmt.Sprintf("%d tool(s) listed", len(l.Tools)), l.Err))
		}
		found = append(found, examineTools(c, inv)...)
		return nil
	})
	if err != nil {
		return []finding{check("servers", "", err)}
	}
	return found
}

// examineTools: an allowlisted tool that cannot be called is a finding.
func examineTools(c catalog.Catalog, inv setup.Inventory) []finding {
	found := []finding{check("tools", fmt.Sprintf("%d can be called", len(c.Tools())), c.Refusal())}
	if list, open := decided(c, inv.Allowlist); len(open) > 0 {
		f := check("effects", fmt.Sprintf("%d tool(s) have no stated effect, and count as writing. With the servers' claims filled in, the allowlist is", len(open)), nil)
		f.Lines = string(list)
		found = append(found, f)
	}
	for _, e := range c.Excluded() {
		if slices.Contains(inv.Allowlist.Tools(e.Server), e.Name) {
			found = append(found, check("tool "+e.Server+"/"+e.Name, "", e.Denial))
		}
	}
	return found
}

// noted is what is to be said of an entry: it is wrong where it is left out.
func noted(n config.Note) finding {
	var err error
	if n.Out {
		err = verdict.Fail(verdict.ConfigInvalid, nil, "%s", n)
	}
	return check("servers file", n.String(), err)
}

func check(name, note string, err error) finding {
	if err != nil {
		return finding{Name: name, Error: host.FailureOf(err)}
	}
	return finding{Name: name, OK: true, Note: note}
}

// checkState reads all that was decided and withheld; where there is no file,
// that is nothing.
func checkState(ctx context.Context, s config.Settings) error {
	state := store.At(s.StateFile.V, time.Now)
	return errors.Join(state.Check(ctx), state.Close())
}

// writable makes a trace and takes it away again.
func writable(s config.Settings) error {
	return host.TraceDir(s.TraceDir.V).Probe()
}

func plannerName(s config.Settings) string {
	return cmp.Or(s.Model.V, setup.Embedded)
}

func (a *app) printFindings(findings []finding) {
	for _, f := range findings {
		state, text := "ok  ", f.Note
		if !f.OK {
			state, text = "FAIL", string(f.Error.Code)+": "+f.Error.Message
		}
		fmt.Fprintf(a.Out, "%s  %-24s %s\n", state, guard.Line(f.Name, 160), guard.Line(text, cli.MaxLine))
		if f.Lines != "" {
			fmt.Fprintf(a.Out, "      %s\n", guard.Text(f.Lines, cli.MaxShown))
		}
		if !f.OK && f.Error.Hint != "" {
			fmt.Fprintf(a.Out, "      next: %s\n", cli.Indent(guard.Text(f.Error.Hint, cli.MaxLine)))
		}
	}
	a.reportIgnored()
}
