package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/cmd/cli/show"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/config/desk/tools"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// listTools is the work of a group without a verb, too, which has flags for all its verbs.
func (a *app) listTools(cmd *cobra.Command) action {
	undecided := new(bool)
	if cmd.HasSubCommands() {
		cmd.Args = cli.Verb
		undecided = cmd.Flags().Bool("undecided", false, "print the allowlist with the servers' claims about each tool without a stated effect")
		cmd.PersistentFlags().Bool("all", false, "ask every configured server, not only the allowlisted ones")
	}
	return a.discover(cmd, func(s servers.Servers, c catalog.Catalog, all bool, _ []string) error {
		if *undecided {
			return a.undecided(s, c)
		}
		if err := a.reportTools(c); err != nil || !all {
			return err
		}
		return a.sayAllowable(s, c)
	})
}

func (a *app) showTool(cmd *cobra.Command) action {
	return a.discover(cmd, func(_ servers.Servers, c catalog.Catalog, all bool, args []string) error {
		return result(a, "tool", (*app).printTool)(tools.FindTool(c, args[0], all))
	})
}

// discover lists tools the way a run does, for the allowlisted servers or for every
// configured one, and shows them.
func (a *app) discover(cmd *cobra.Command, show func(s servers.Servers, c catalog.Catalog, all bool, args []string) error) action {
	return a.onServers((*app).servers, func(ctx context.Context, s servers.Servers, args []string) error {
		all, _ := cmd.Flags().GetBool("all") // of the group
		names, d := s.Names(), s.Desk
		if !all {
			if err := s.Refusal(ctx); err != nil {
				return err
			}
			names = s.Allowlist.Servers()
		}
		d.With.Live = d.With.Live || all // --all means the current lists
		return d.List(ctx, names, func(c catalog.Catalog) error { return show(s, c, all, args) })
	})
}

func (a *app) reportTools(c catalog.Catalog) error {
	rows := tools.Tools(c)
	down := []host.Unreachable{}
	for _, u := range c.Unreachable() {
		f := host.FailureOf(u.Err)
		down = append(down, host.Unreachable{Server: u.Server, Code: f.Code, Reason: f.Message})
	}
	_ = a.Report(cli.Object{"tools", rows, "unreachable", down}, nil, func() { a.printTools(rows, tools.SameClaims(c)) })
	for _, u := range down {
		a.Say("server %s left out: %s: %s", u.Server, u.Code, cli.InALine(u.Reason))
	}
	switch {
	case len(rows) == 0 && len(down) > 0:
		return cli.Ended(down[0].Code.Entry().Exit)
	case a.Live && slices.ContainsFunc(rows, func(t tools.Tool) bool { return t.Code.WaitsForReview() }):
		return cli.Ended(verdict.ApprovalNeeded.Entry().Exit)
	}
	return nil
}

// sayAllowable prints the allowlist entries that would allow the other tools, with the
// servers' claims. The operator reads them before copying.
func (a *app) sayAllowable(s servers.Servers, c catalog.Catalog) error {
	list := tools.Allowable(c)
	line, err := json.Marshal(list, json.Deterministic(true))
	if err == nil && len(list) > 0 {
		a.Say("To allow the rest, by the servers' own claims; read it, and copy the lines that you want into %s:", cmp.Or(s.AllowlistFile, "an allowlist"))
		a.JSONText(a.Err, line)
	}
	return err
}

// printTools prints a row for each tool. If a server makes a claim for all its tools, it
// distinguishes no tool, and is printed once.
func (a *app) printTools(all []tools.Tool, same map[string]string) {
	printTable(a, all, func(t tools.Tool) []string {
		if same[t.Server] != "" {
			t.Claim = ""
		}
		state, why := "callable", escape.Line(t.Description, 80)
		if !t.Callable {
			state, why = string(t.Code), escape.Line(t.Reason, 200)
		}
		return []string{escape.Line(t.Server, 128) + "/" + escape.Line(t.Name, 128), state, effectOf(t), why}
	})
	for _, server := range slices.Sorted(maps.Keys(same)) {
		if slices.ContainsFunc(all, func(t tools.Tool) bool { return t.Server == server && t.Callable }) {
			a.Say("server %s makes the same claims of all its tools, among them that each %s (not verified)", escape.Line(server, 128), same[server])
		}
	}
}

func (a *app) printTool(d tools.Tool) {
	fmt.Fprintf(a.Out, "%s\n%s\n\n", a.Bold(a.Out, d.Server+"/"+d.Name), show.Marked(escape.Text(d.Description, cli.MaxShown)))
	if !d.Callable {
		fmt.Fprintf(a.Out, "%s  %s\n", d.Code, escape.Line(d.Reason, cli.MaxLine))
	}
	fmt.Fprintf(a.Out, "digest  %s\neffect  %s\noutput  %s\ninput   %s\n", d.Digest, effectOf(d), d.Output, show.Under(8, readable(d.InputSchema)))
	for _, n := range d.Notes {
		fmt.Fprintf(a.Out, "note    %s\n", escape.Line(n, cli.MaxLine))
	}
}

// effectOf is a tool's effect, who stated it, and the server's claim.
func effectOf(r tools.Tool) string {
	text := cmp.Or(r.Effect, "not stated")
	if r.EffectBy != "" {
		text += " (" + r.EffectBy + ")"
	}
	if r.Claim != "" {
		text += ", claims it " + r.Claim
	}
	return text
}

// undecided prints the allowlist, with the servers' claims for tools without an effect stated
// by the operator. If the operator copies the claims, they become the operator's own.
func (a *app) undecided(inv servers.Servers, c catalog.Catalog) error {
	list, open := tools.FillClaims(c, inv.Allowlist)
	return a.Report(cli.Object{"allowlist", list, "undecided", open}, nil, func() {
		for _, t := range open {
			a.Say("%s/%s: %s", t.Server, t.Name, claimText(t))
		}
		fmt.Fprintln(a.Out, readable(list))
	})
}

func claimText(t tools.Undecided) string {
	if t.Claim == "" {
		return "the server does not state its effect; listed as writing"
	}
	return "the server says that it " + t.Claim + "; check that before you copy it"
}

func (a *app) checkTool(cmd *cobra.Command) action {
	digest := cmd.Flags().String("pin", "", "the `DIGEST` that has to be the approved one, as export prints it")
	return a.onServers((*app).servers, func(ctx context.Context, s servers.Servers, args []string) error {
		if *digest == "" && cmd.Flags().Changed("pin") { // for example from a variable that is not set
			return cli.Usage(verdict.UsageFlag, "--pin takes a digest")
		}
		p, err := s.Preflight(ctx, args[0], *digest)
		switch {
		case err != nil:
			return err
		case a.JSON:
			a.Document(p)
		case p.Ready:
			a.Print("%s/%s is as approved: %s", p.Server, p.Tool, p.Digest)
		default:
			a.Failure(p.Server+"/"+p.Tool, p.Error)
		}
		if p.Ready {
			return nil
		}
		return ended(p.Error.Code.Entry().Exit)
	})
}
