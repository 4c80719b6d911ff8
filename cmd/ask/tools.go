package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/cmd/cli/show"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/desk/review"
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
			text := "the server does not state its effect; listed as writing"
			if t.Claim != "" {
				text = "the server says that it " + t.Claim + "; check that before you copy it"
			}
			a.Say("%s/%s: %s", t.Server, t.Name, text)
		}
		fmt.Fprintln(a.Out, readable(list))
	})
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

func (a *app) allowTools(cmd *cobra.Command) action {
	var named effectOptions
	named.Apply(cmd.Flags(), "the `TOOL` reads: its calls need no approval", "the `TOOL` writes: each call needs an approval")
	return func(ctx context.Context, args []string) error {
		effects, err := allowedBy(args, named)
		if err != nil {
			return err
		}
		s, err := a.reviewable()
		if err != nil {
			return err
		}
		all, err := review.Allow(ctx, s, args[0], effects, a.DryRun)
		if err != nil {
			return err
		}
		return a.Report(cli.Object{"server", args[0], "allowlist", s.AllowlistFile, "changed", !a.DryRun, "tools", all}, nil, func() {
			a.showAllowed(s, args[0], all)
		})
	}
}

// allowedBy are the effects that a command line states.
func allowedBy(args []string, o effectOptions) (map[string]string, error) {
	if len(args) == 0 || len(o.read)+len(o.write) == 0 {
		return nil, cli.Usage(verdict.UsageArgument, "allow takes a SERVER, and its tools after --read or --write")
	}
	switch more := args[1:]; {
	case len(more) == 0:
	case len(o.read) > 0 && len(o.write) > 0:
		return nil, cli.Usage(verdict.UsageArgument, "with both --read and --write each tool needs its own flag: %s has none", escape.Line(more[0], 64))
	case len(o.read) > 0:
		o.read = slices.Concat(o.read, more)
	default:
		o.write = slices.Concat(o.write, more)
	}
	return o.effects()
}

func (a *app) showAllowed(s servers.Servers, server string, all []review.Allowed) {
	is := "is"
	if a.DryRun {
		is = "would be"
	}
	var unapproved []string
	for _, one := range all {
		line := fmt.Sprintf("%s/%s %s %s in %s", server, one.Tool, is, effectLabel(one.Effect), s.AllowlistFile)
		switch one.Was {
		case "":
			line += ", which did not name it"
		case one.Effect:
			line += ", as before"
		default:
			line += ", and was " + effectLabel(one.Was)
		}
		a.Print("%s", line)
		if one.Loosens != "" {
			a.Say("%s/%s: %s", server, one.Tool, one.Loosens)
		}
		if one.Tried && one.Effect == tools.Reads {
			a.Say("%s/%s counts as writing until `ask servers review %s` approves it again: a call of it tried to write", server, one.Tool, server)
		}
		if !one.Approved {
			unapproved = append(unapproved, one.Tool)
		}
	}
	if len(unapproved) > 0 {
		a.Say("not approved, and not callable yet: %s. Next: `ask servers review %s`", strings.Join(unapproved, ", "), server)
	}
}

// nextAgain prints, without a terminal, how to change earlier decisions.
func (a *app) nextAgain(r review.Review) {
	if r.Again && len(r.Asked()) > 0 {
		a.Say("to decide again: `ask servers allow %s --read TOOL`, `ask servers allow %s --write TOOL`, `ask servers reject %s TOOL`", r.Name, r.Name, r.Name)
	}
}

// olderThan adds the option of commands that end or remove old data; parseAge reads it.
func olderThan(cmd *cobra.Command, usage string) *string {
	return cmd.Flags().String("older-than", "", usage)
}

// onOld calls do with the installation and the age that the option gives.
func (a *app) onOld(cmd *cobra.Command, usage string, do func(context.Context, desk.Desk, time.Duration) error) action {
	old := olderThan(cmd, usage)
	return func(ctx context.Context, args []string) error {
		age, err := parseAge(*old)
		if err != nil {
			return err
		}
		return a.onDesk(func(ctx context.Context, d desk.Desk, _ []string) error { return do(ctx, d, age) })(ctx, args)
	}
}

// maxDays is the longest age; a time.Duration ends soon after it.
const maxDays = 100_000

// parseAge reads a duration of Go, or a number of days: 90d.
func parseAge(text string) (time.Duration, error) {
	if text == "" {
		return 0, cli.Usage(verdict.UsageFlag, "it needs --older-than, such as --older-than 90d")
	}
	age, err := time.ParseDuration(text)
	if number, isDays := strings.CutSuffix(text, "d"); isDays {
		var days uint64
		days, err = strconv.ParseUint(number, 10, 32)
		age = time.Duration(min(days, maxDays)) * 24 * time.Hour
	}
	if err != nil || age < 0 {
		return 0, cli.Usage(verdict.UsageFlag, "--older-than %q is not a duration such as 90d or 12h", text)
	}
	return age, nil
}

// effectOptions name tools as reading or as writing.
type effectOptions struct{ read, write []string }

// Apply adds the flags.
func (o *effectOptions) Apply(f *cli.FlagSet, reads, writes string) {
	f.StringArrayVar(&o.read, "read", nil, reads)
	f.StringArrayVar(&o.write, "write", nil, writes)
}

// effects are the effects of the named tools.
func (o effectOptions) effects() (map[string]string, error) {
	effects := map[string]string{}
	for _, tool := range o.read {
		effects[tool] = tools.Reads
	}
	for _, tool := range o.write {
		if effects[tool] == tools.Reads {
			return nil, cli.Usage(verdict.UsageArgument, "%s is named by both --read and --write", escape.Line(tool, 64))
		}
		effects[tool] = tools.Writes
	}
	return effects, nil
}
