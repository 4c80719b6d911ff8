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

func (a *app) grantsCommand() *cobra.Command {
	var all bool
	return cli.Group("grants", "Approvals of more than one call: of one tool, one resource, one conversation", cli.Commands(cli.Command{
		Use: "list", Short: "List the grants in force, the newest first", Takes: "list takes nothing",
		Run:   a.onDesk(func(ctx context.Context, d desk.Desk, _ []string) error { return a.listGrants(ctx, d, all) }),
		Flags: func(f *cli.FlagSet) { f.BoolVar(&all, "all", false, "also list those that ended") },
	}, cli.Command{
		Use: "revoke ID", Short: "End a grant for good", Takes: "revoke takes the ID of one grant",
		Long: `revoke ends a grant for good. A call that has not left yet needs a new approval.`,
		Run:  ofRun(a, "grant", policy.At, policy.Desk.Revoke, func(g policy.Grant) { a.Print("%s  %s", escape.Line(g.ID, 128), escape.Line(g.State, 160)) }),
	}, cli.Command{
		Use: "explain ID", Short: "Show what a grant covers, who gave it, and whether it is in force", Takes: "explain takes the ID of one grant",
		Long: `explain compares the tool of a grant with the currently approved tool, and asks no
server. It cannot say which rules will ask: a grant answers only where the same
rules ask as when it was given.`,
		Run: onServers(a.servers, func(ctx context.Context, s servers.Servers, ids []string) error {
			return result(a, "grant", a.printGrant)(policy.ExplainGrant(ctx, s, ids[0]))
		}),
	})...)
}

func (a *app) listGrants(ctx context.Context, d desk.Desk, all bool) error {
	grants, err := policy.At(d).Grants(ctx)
	if err != nil {
		return err
	}
	rows := slices.DeleteFunc(slices.Clone(grants), func(g policy.Grant) bool { return !all && !g.Stands() })
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

func (a *app) conversationsCommand() *cobra.Command {
	var old olderThan
	return cli.Group("conversations", "What the calls of one conversation share: grants and labels", cli.Commands(cli.Command{
		Use: "list", Short: "List the conversations with a grant or a label, newest first", Takes: "list takes nothing",
		Run: a.onDesk(func(ctx context.Context, d desk.Desk, _ []string) error {
			return result(a, "conversations", a.printConversations)(policy.At(d).Conversations(ctx))
		}),
	}, cli.Command{
		Use: "end [ID]", Short: "End a conversation, or the old ones, with all its grants",
		Long: `end has everything end that was granted in a conversation, for good. Nothing can be
granted in it afterwards, and its labels stay: they never fall.`,
		Example: "  ask conversations end release-42\n  ask conversations end --older-than 7d",
		Run: a.onDesk(func(ctx context.Context, d desk.Desk, ids []string) error {
			switch named := len(ids) == 1; {
			case len(ids) > 1, named == (old.text != ""), named && ids[0] == "":
				return cli.Usage(verdict.UsageArgument, "end takes the ID of a conversation, or --older-than")
			}
			id, age := "", time.Duration(0)
			if len(ids) == 1 {
				id = ids[0]
			} else {
				var err error
				if age, err = old.age(); err != nil {
					return err
				}
			}
			ended, err := policy.At(d).EndConversations(ctx, id, age)
			if err != nil {
				return err
			}
			return a.Result("ended", ended, func() {
				for _, id := range ended {
					a.Print("ended %s", escape.Line(id, 256))
				}
			})
		}),
		Flags: func(f *cli.FlagSet) {
			old.Apply(f, "end those in which nothing was granted or labelled for a `DURATION`, such as 7d or 12h")
		},
	})...)
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
