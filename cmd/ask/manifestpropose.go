package main

import (
	"context"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/host/confine"
)

func (a *app) proposeCommand() cli.Command {
	return cli.Command{
		Use: "propose SERVER", Short: "Print a manifest that is proposed for a server of the servers file", Takes: "propose takes one SERVER",
		Long: `propose prints the manifest of a server that many people use, with the directories
that its entry names; or else the minimum, which is the server's own program and the
variables of its entry. Read it: it grants nothing until you make it the server's.`,
		Example: "  ask manifest propose files > files-manifest.json",
		Run: a.onDesk(func(_ context.Context, d desk.Desk, args []string) error {
			p, err := d.Propose(args[0])
			if err != nil {
				return err
			}
			if a.JSON {
				return a.Report(cli.Object{"manifest", p.Manifest, "known", p.Known, "wants", p.Wants}, nil, nil)
			}
			if p.Wants != "" {
				a.Say("to be added: %s", p.Wants)
			}
			return a.printManifest(p.Manifest)
		}),
	}
}

// printManifest prints a manifest as the file that it is to be.
func (a *app) printManifest(m confine.Manifest) error {
	text, err := json.Marshal(m, jsontext.WithIndent("  "), json.Deterministic(true))
	if err != nil {
		return err
	}
	_, err = a.Out.Write(append(escape.JSON(text), '\n'))
	return err
}

// sayProposed names the servers that a manifest is proposed for, right after they
// came into the servers file. One that runs elsewhere needs none.
func (a *app) sayProposed(d desk.Desk, names []string) {
	var local []string
	for _, name := range names {
		if _, err := d.Propose(name); err == nil {
			local = append(local, name)
		}
	}
	if len(local) > 0 && !a.JSON {
		a.Say("A server runs with all of your rights until a manifest confines it: `ask manifest propose NAME` proposes one for %s.", strings.Join(local, ", "))
	}
}
