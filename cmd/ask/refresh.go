package main

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

func (a *app) refreshCommand() *cobra.Command {
	return &cobra.Command{
		Use: "refresh [SERVER...]", Short: "Ask servers whether they still say what was approved, and hold back what changed",
		RunE: func(cmd *cobra.Command, args []string) error { return a.refresh(cmd.Context(), args) },
	}
}

// refreshed is what became of one server.
type refreshed struct {
	Server  string               `json:"server"`
	Program []differenceDocument `json:"program"` // how what is started differs from what was approved
	Changed []changedTool        `json:"changed"`
	Error   *host.Failure        `json:"error,omitempty"`
	open    bool                 // there is something to decide
}

type changedTool struct {
	Tool string       `json:"tool"`
	Code verdict.Code `json:"code"`
	Why  string       `json:"why"`
}

func (r refreshed) exit() int {
	switch {
	case r.Error != nil:
		return r.Error.Code.Entry().Exit
	case r.open:
		return verdict.ApprovalNeeded.Entry().Exit
	}
	return 0
}

func (a *app) refresh(ctx context.Context, names []string) error {
	s, inv, err := a.trusted()
	if err != nil {
		return err
	}
	if names, err = those(inv, names); err != nil {
		return err
	}
	policy, err := inv.Policy(s)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, s.Timeout.V)
	defer cancel()
	all := make([]refreshed, len(names))
	eachOf(len(names), func(i int) { all[i] = refreshOne(ctx, inv, names[i], policy) })
	a.showRefreshed(all)
	exit := 0
	for _, r := range all {
		exit = max(exit, r.exit())
	}
	return ended(exit)
}

func refreshOne(ctx context.Context, inv setup.Inventory, name string, policy host.Policy) refreshed {
	now, err := inv.Keeper.Refresh(ctx, inv.Subject(name, false), policy.Accept)
	r := refreshed{Server: name, Program: differenceDocuments(now.Program), Changed: []changedTool{}, open: now.Open()}
	if err != nil {
		r.Error = host.FailureOf(err)
	}
	for _, s := range now.Held {
		r.Changed = append(r.Changed, changedTool{s.Tool, verdict.Code(s.Code), s.Why})
	}
	return r
}

func (a *app) showRefreshed(all []refreshed) {
	if a.JSON {
		a.Member("servers", all)
		return
	}
	w := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
	for _, r := range all {
		r.row(w)
	}
	w.Flush()
	for _, r := range all {
		if r.open {
			a.Say("`ask servers review %s` shows what changed, and approves it.", r.Server)
		}
	}
}

// row is what there is to say of one server.
func (r refreshed) row(w *tabwriter.Writer) {
	name := guard.Line(r.Server, 128)
	if r.Error != nil {
		fmt.Fprintf(w, "%s\t%s\t%s\n", name, r.Error.Code, guard.Line(cli.InALine(r.Error.Message), cli.MaxLine))
	} else if !r.open {
		fmt.Fprintf(w, "%s\tas approved\n", name)
	}
	for _, d := range r.Program {
		fmt.Fprintf(w, "%s\t%s at %s of what is started\t%s\n", name, d.Class, d.Path, guard.Line(d.Why, cli.MaxLine))
	}
	for _, c := range r.Changed {
		fmt.Fprintf(w, "%s/%s\t%s\t%s\n", name, guard.Line(c.Tool, 128), c.Code, guard.Line(c.Why, cli.MaxLine))
	}
}
