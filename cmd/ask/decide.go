package main

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/trust"
)

func (a *app) approveServerCommand() *cobra.Command {
	var digests, read, write []string
	cmd := &cobra.Command{
		Use:   "approve SERVER [--digest DIGEST...]",
		Short: "Approve exactly what a review of a server showed",
		Long: `approve asks the server again, and approves what it says only if that has the digest
of the review. Without a digest it shows the review, and asks at a terminal.`,
		Example: "  ask servers approve files --digest sha256:…",
		Args:    cli.Exactly(1, "approve takes one SERVER"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(digests) == 0 {
				return a.review(cmd.Context(), args, false)
			}
			effects := map[string]string{}
			for _, tool := range read {
				effects[tool] = reads
			}
			for _, tool := range write {
				effects[tool] = writes
			}
			return a.approveServer(cmd.Context(), args[0], digests, effects)
		},
	}
	fs := cmd.Flags()
	fs.StringArrayVar(&digests, "digest", nil, "the `DIGEST` that was reviewed, of the whole or of one tool")
	fs.StringArrayVar(&read, "read", nil, "allow a `TOOL` as well, as one that reads")
	fs.StringArrayVar(&write, "write", nil, "allow a `TOOL` as well, as one that writes")
	return cmd
}

// approveServer looks at the server again. A digest of a tool that the
// allowlist does not name is one of a review of all.
func (a *app) approveServer(ctx context.Context, name string, digests []string, effects map[string]string) error {
	s, inv, err := a.trusted()
	if err != nil {
		return err
	}
	if err := configured(inv, []string{name}); err != nil {
		return err
	}
	r := a.look(ctx, s, inv, []string{name}, false)[0]
	if r.err == nil && !r.has(digests) {
		r = a.look(ctx, s, inv, []string{name}, true)[0]
	}
	if r.err != nil {
		return r.err
	}
	approved, err := inv.Keeper.Approve(ctx, r.Review, trust.Verdict{By: subject(), How: gate.ByDigest, Digests: digests, Effects: effects})
	if err != nil {
		return err
	}
	a.showDecided(name, "approved", approved)
	return a.allow(inv.AllowlistFile, name, effects)
}

// has reports whether every digest is one of the review.
func (r reviewed) has(digests []string) bool {
	known := map[string]bool{r.Digest: true}
	for _, p := range r.Parts {
		known[p.Digest] = true
	}
	for _, d := range digests {
		if !known[d] {
			return false
		}
	}
	return true
}

func (a *app) rejectCommand() *cobra.Command {
	return &cobra.Command{
		Use: "reject SERVER TOOL...", Short: "Take back what was approved of tools, or say that they are not to be",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return cli.Usage(verdict.UsageArgument, "reject takes a SERVER and TOOLs of it")
			}
			_, inv, err := a.trusted()
			if err != nil {
				return err
			}
			if err := configured(inv, args[:1]); err != nil {
				return err
			}
			place, _ := inv.Place(args[0])
			if err := inv.Keeper.Reject(cmd.Context(), place, trust.Verdict{By: subject(), How: how(a)}, args[1:]...); err != nil {
				return err
			}
			a.showDecided(args[0], "rejected", args[1:])
			return nil
		},
	}
}

// how a decision came about that was typed as a command.
func how(a *app) string {
	if a.keyboard() != nil {
		return gate.AtTerminal
	}
	return gate.ByDigest
}

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
	if len(names) == 0 {
		names = inv.Allowlist.Servers()
	}
	if err := configured(inv, names); err != nil {
		return err
	}
	policy, err := setup.Policy(s)
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

func (a *app) exportPinsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "export [SERVER...]", Short: "Print what is approved, as a file that --locked takes",
		Example: "  ask servers export > pins.json",
		RunE:    func(cmd *cobra.Command, args []string) error { return a.exportPins(cmd.Context(), args) },
	}
}

// exportPins prints the file as it is: it is for a repository, and no document
// of a command.
func (a *app) exportPins(ctx context.Context, names []string) error {
	_, inv, err := a.inventory()
	if err != nil {
		return err
	}
	if err := configured(inv, names); err != nil {
		return err
	}
	if len(names) == 0 {
		names = inv.Names
	}
	var all []trust.Exported
	for _, name := range names {
		place, _ := inv.Place(name)
		pins, err := inv.Pins.Pins(ctx, place)
		if err != nil {
			return err
		}
		_, text := inv.Shared(name)
		if len(pins.Tools) > 0 {
			all = append(all, trust.Exported{Name: name, Entry: text, Credential: place.Credential, Pins: pins})
		}
	}
	b, err := trust.Export(all)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.Out, "%s\n", guard.JSON(b))
	return nil
}
