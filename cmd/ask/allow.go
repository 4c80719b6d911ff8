package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/desk/review"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/config/desk/tools"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
)

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
