package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
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
