package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/desk/runs"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/confine"
)

func (a *app) auditManifestCommand() cli.Command {
	return cli.Command{
		Use: "audit [RUN...]", Short: "List what confined servers attempted and were refused, in all runs or in some",
		Long: `audit reads the traces: each attempt once, with the server, how many runs it was
in, and what would allow it. --json has the change of the manifest, as a JSON patch.
RUN is a run id, the beginning of one, "latest", or a file.`,
		Example: "  ask manifest audit\n  ask manifest audit latest --json",
		Run: a.onDesk(func(_ context.Context, d desk.Desk, args []string) error {
			all, unlisted, err := runs.At(d).Runs().Refused(args)
			return a.Report(cli.Object{"attempts", all, "unlisted", unlisted}, err, func() {
				var rows [][]string
				for _, one := range all {
					line := strings.TrimPrefix(confine.Attempt{Action: one.Action, Resource: one.Resource, Permission: confine.Permission(one.Permission)}.Scoped().String(), "blocked: ")
					rows = append(rows, []string{escape.Line(one.Server, cli.MaxLine), line, fmt.Sprintf("%s, last %s", verdict.Count(len(one.Runs), "run"), one.Last)})
				}
				a.Table(rows)
				if unlisted > 0 {
					a.Say("%d further attempts were not recorded", unlisted)
				}
				if len(rows) == 0 && err == nil {
					a.Say("No confined server was refused anything in these runs.")
				}
			})
		}),
	}
}
