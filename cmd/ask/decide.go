package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
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
	r := a.look(ctx, s, inv, []string{name}, false, inv.Keeper.Look)[0]
	if r.err == nil && !r.has(digests) {
		r = a.look(ctx, s, inv, []string{name}, true, inv.Keeper.Look)[0]
	}
	if r.err != nil {
		return r.err
	}
	if err := r.lists(slices.Sorted(maps.Keys(effects))); err != nil {
		return err
	}
	return a.decide(ctx, r, trust.Verdict{By: subject(), How: gate.ByDigest, Digests: digests, Effects: effects})
}

// lists refuses the name of a tool that the server does not list: what nobody
// can have meant is not to stand in an allowlist.
func (r reviewed) lists(tools []string) error {
	for _, tool := range tools {
		if !slices.Contains(r.Listed, tool) {
			return cli.Usage(verdict.UsageArgument, "server %s does not list %s%s", r.Name, guard.Line(tool, 64), cli.Near(tool, r.Listed))
		}
	}
	return nil
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
			if err := known(cmd.Context(), inv, args[0], args[1:]); err != nil {
				return err
			}
			if err := inv.Keeper.Reject(cmd.Context(), place, trust.Verdict{By: subject(), How: how(a)}, args[1:]...); err != nil {
				return err
			}
			a.showDecided(args[0], trust.Decided{Rejected: args[1:]})
			return nil
		},
	}
}

// known refuses the name of a tool that is neither approved nor allowed, nor held
// back: a mistyped one would reject nothing, and seem to.
func known(ctx context.Context, inv setup.Inventory, server string, tools []string) error {
	of := inv.Subject(server, false)
	pins, err := inv.Keeper.Pins(ctx, of.Place)
	if err != nil {
		return err
	}
	names := slices.Concat(of.Allowed, slices.Collect(maps.Keys(pins.Tools)), slices.Collect(maps.Keys(pins.Held)))
	for _, tool := range tools {
		if !slices.Contains(names, tool) {
			return cli.Usage(verdict.UsageArgument, "nothing is approved or allowed of %s that is called %s%s", server, guard.Line(tool, 64), cli.Near(tool, names))
		}
	}
	return nil
}

// how a decision came about that was typed as a command.
func how(a *app) string {
	if a.keyboard() != nil {
		return gate.AtTerminal
	}
	return gate.ByDigest
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
	if err := a.unlocked(); err != nil {
		return err
	}
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
	there := map[pin.Place]bool{} // a server may have several names
	for _, name := range names {
		place, _ := inv.Place(name)
		pins, err := inv.Pins.Pins(ctx, place)
		if err != nil {
			return err
		}
		at, text := inv.Shared(name)
		if len(pins.Tools) > 0 && !there[at] {
			there[at] = true
			all = append(all, trust.Exported{Name: name, Entry: text, Credential: place.Credential, Pins: pins})
		}
	}
	if len(all) == 0 {
		a.Say("nothing is approved of %s: with this file nothing is", strings.Join(names, ", "))
	}
	b, err := trust.Export(all)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.Out, "%s\n", guard.JSON(b))
	return nil
}
