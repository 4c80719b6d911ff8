package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/desk/policy"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/account"
)

func (a *app) listGrants(cmd *cobra.Command) action {
	ended := cmd.Flags().Bool("all", false, "also list those that ended")
	return a.onDesk(func(ctx context.Context, d desk.Desk, _ []string) error {
		grants, err := policy.At(d).Grants(ctx)
		if err != nil {
			return err
		}
		rows := slices.DeleteFunc(slices.Clone(grants), func(g policy.Grant) bool { return !*ended && !g.Stands() })
		return a.Result("grants", rows, func() {
			var table [][]string
			for _, g := range rows {
				table = append(table, []string{
					escape.Line(g.ID, 128), escape.Line(g.Server+"/"+g.Tool, 300), escape.Line(g.Resource, 300), escape.Line(g.Conversation, 128),
					"until " + g.Until.Format(time.RFC3339), escape.Line(g.State, 160),
				})
			}
			a.Table(table)
			if left := len(grants) - len(rows); left > 0 {
				a.Say("%d ended; --all lists them", left)
			}
		})
	})
}

func (a *app) printRevoked(g policy.Grant) {
	a.Print("%s  %s", escape.Line(g.ID, 128), escape.Line(g.State, 160))
}

func (a *app) explainGrant(ctx context.Context, s servers.Servers, args []string) error {
	return result(a, "grant", (*app).printGrant)(policy.ExplainGrant(ctx, s, args[0]))
}

func (a *app) printGrant(g policy.Grant) {
	row := func(name, value string) { fmt.Fprintf(a.Out, "%-13s %s\n", name, escape.Line(value, cli.MaxLine)) }
	row("grant", g.ID)
	row("state", g.State)
	row("tool", g.Server+"/"+g.Tool)
	row("resource", g.Resource)
	row("conversation", g.Conversation)
	row("asked by", g.Subject)
	row("given by", g.By+" ("+g.How+"), "+g.Created.Format(time.RFC3339))
	row("until", g.Until.Format(time.RFC3339))
	if g.Why != "" {
		row("because", g.Why)
	}
	if g.Destructive {
		row("destroys", "the server suggests it, and the person saw it")
	}
	var fixed, open []string
	for _, v := range g.Fixed {
		fixed = append(fixed, account.Position(v.Pointer))
	}
	for _, at := range g.Open {
		open = append(open, account.Position(at))
	}
	row("stay", strings.Join(fixed, ", "))
	if len(open) > 0 {
		row("may change", strings.Join(open, ", "))
	}
}

func (a *app) endConversations(cmd *cobra.Command) action {
	old := olderThan(cmd, "end those in which nothing was granted or labelled for a `DURATION`, such as 7d or 12h")
	return a.onDesk(func(ctx context.Context, d desk.Desk, ids []string) (err error) {
		switch named := len(ids) == 1; {
		case len(ids) > 1, named == (*old != ""), named && ids[0] == "":
			return cli.Usage(verdict.UsageArgument, "end takes the ID of a conversation, or --older-than")
		}
		age := time.Duration(0)
		if len(ids) == 0 {
			if age, err = parseAge(*old); err != nil {
				return err
			}
		}
		return result(a, "ended", (*app).printEnded)(policy.At(d).EndConversations(ctx, strings.Join(ids, ""), age))
	})
}

func (a *app) printEnded(ids []string) {
	for _, id := range ids {
		a.Print("ended %s", escape.Line(id, 256))
	}
}

func (a *app) printConversations(all []policy.Conversation) {
	var rows [][]string
	for _, c := range all {
		state := ""
		if c.Ended {
			state = "ended"
		}
		rows = append(rows, []string{escape.Line(c.ID, 256), c.Last.Format(time.RFC3339), verdict.Count(c.Grants, "grant"), strings.Join(c.Labels, " "), state})
	}
	a.Table(rows)
}
