package main

import (
	"context"
	"os"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/confine"
)

func (a *app) propose(ctx context.Context, args []string) error {
	if isDirectory(args[0]) {
		return a.proposeFromSource(args[0])
	}
	d, err := a.desk()
	if err != nil {
		return err
	}
	p, err := servers.At(d).ProposeFor(ctx, args[0])
	if err != nil {
		return err
	}
	if a.JSON {
		a.Document(cli.Object{"manifest", p.Manifest, "known", p.Known, "wants", p.Wants, "command", p.Command})
		return nil
	}
	a.sayWants(p, "its command is a version manager's: `ask manifest use` writes %s in its place")
	return a.printManifest(p.Manifest)
}

// isDirectory reports whether an argument is the path of a directory, not the name of a
// server.
func isDirectory(arg string) bool {
	if strings.HasPrefix(arg, ".") || strings.HasPrefix(arg, "/") || strings.HasSuffix(arg, "/") {
		return true
	}
	info, err := os.Stat(arg)
	return strings.Contains(arg, "/") && err == nil && info.IsDir()
}

// proposeFromSource makes the evaluator read the source, because it has the parsers.
func (a *app) proposeFromSource(dir string) error {
	words := []string{"propose", "--", dir}
	if a.JSON {
		words = []string{"propose", "--json", "--", dir}
	}
	return becomeEvaluator(words)
}

func (a *app) useManifest(cmd *cobra.Command) action {
	typed := cmd.Flags().StringArray("allow", nil, "write a scope of the `PATH` although secrets are there, or what runs later")
	return a.onDesk(func(ctx context.Context, d desk.Desk, args []string) error {
		var given *confine.Manifest
		switch len(args) {
		case 1:
		case 2:
			m, err := a.manifest(ctx, args[1])
			if err != nil {
				return err
			}
			given = &m
		default:
			return cli.Usage(verdict.UsageArgument, "use takes a SERVER, and a MANIFEST or - for stdin: %d argument(s) given", len(args))
		}
		e, p, err := servers.At(d).Confine(ctx, args[0], given, *typed, a.DryRun)
		if err := a.showEdit(e, "%s has a manifest in %s", "%s would have a manifest in %s", err); err != nil {
			return err
		}
		a.sayWants(p, "its command was a version manager's: %s is in its place")
		if e.Changed {
			a.Say("Next: `ask servers review %s` starts it under the manifest, and asks for your approval.", args[0])
		}
		return nil
	})
}

// sayWants prints what a proposal lacks, and the replacement of the command.
func (a *app) sayWants(p servers.Proposed, instead string) {
	if len(p.Command) > 0 {
		a.Say(instead, escape.Line(strings.Join(p.Command, " "), cli.MaxLine))
	}
	if p.Wants != "" {
		a.Say("still to add: %s", escape.Line(p.Wants, 2*cli.MaxLine))
	}
}

func (a *app) removeManifest(_ context.Context, d desk.Desk, args []string) error {
	e, err := servers.At(d).Unconfine(args[0], a.DryRun)
	did, would := "the manifest of %s is removed from %s", "the manifest of %s would be removed from %s"
	if err == nil && !e.Changed && !a.DryRun {
		would = "%s has no manifest in %s"
	}
	if err := a.showEdit(e, did, would, err); err != nil {
		return err
	}
	if e.Changed {
		a.Say("Next: `ask servers review %s` shows what it may do now, and asks for your approval.", args[0])
	}
	return nil
}

// printManifest prints a manifest in the form of its file.
func (a *app) printManifest(m confine.Manifest) error {
	text, err := json.Marshal(m, jsontext.WithIndent("  "), json.Deterministic(true))
	if err != nil {
		return err
	}
	a.JSONText(a.Out, text)
	return nil
}

// sayProposed prints the proposed confinement of servers, right after they were added to the
// servers file. Each server with a template has a line, and all others share one.
func (a *app) sayProposed(d desk.Desk, names []string) {
	if a.JSON {
		return
	}
	var least []string
	some := false
	for _, name := range names {
		p, err := servers.At(d).Propose(name)
		switch {
		case err != nil: // the server runs elsewhere
			continue
		case p.Known:
			a.Say("proposed for %s: %s", name, escape.Line(strings.Join(p.Lines(), "; "), 500))
		default:
			least = append(least, name)
		}
		some = true
	}
	if len(least) > 0 {
		a.Say("proposed for %s: the minimum, which is its own program, no network, no writing and none of your files", strings.Join(least, ", "))
	}
	rights := "all of your rights"
	if d.Settings.Sandbox.V == config.SandboxAll {
		rights = "the minimum"
	}
	if some {
		a.Say("Without a manifest a server runs with %s: `ask manifest use NAME` takes what is proposed, `ask manifest propose NAME` shows it.", rights)
	}
}
