package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/artifact"
	"github.com/onestep-run/onestep/host/confine"
)

func (a *app) fetchServers(cmd *cobra.Command) action {
	var how artifact.How
	f := cmd.Flags()
	f.BoolVar(&how.Again, "again", false, "fetch existing packages again, with today's dependencies")
	before := f.String("before", "", "leave out releases of a `DATE` such as 2026-06-01 or later, also of dependencies")
	unstarted := f.Bool("no-start", false, "start none of them: nothing that is fetched is run")
	f.StringArrayVar(&how.Hosts, "host", nil, "a `HOST:PORT` that packages may come from, besides those that npm and pip are configured for")
	return a.onServers((*app).servers, func(ctx context.Context, s servers.Servers, args []string) (err error) {
		if how.Before, err = day(*before); err != nil {
			return err
		}
		for _, host := range how.Hosts {
			if err := confine.CheckHost(host); err != nil {
				return cli.Usage(verdict.UsageFlag, "--host %s %v", escape.Line(host, 100), err)
			}
		}
		a.note(s)
		all, err := s.Fetch(ctx, args, os.Environ(), how, !*unstarted)
		a.printServers(all)
		return cmp.Or(err, a.sayWrong(all))
	})
}

// day is the beginning of a day, in UTC.
func day(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return t, cli.Usage(verdict.UsageFlag, "--before takes a day such as 2026-06-01")
	}
	return t, nil
}

// addedTime bounds the fetch of a package after its server was added: the entry is written,
// and the fetch can be repeated.
const addedTime = 2 * time.Minute

// fetchAdded fetches the packages of newly added servers. A failure leaves the entry
// unchanged.
func (a *app) fetchAdded(ctx context.Context, d desk.Desk, names []string) error {
	if names = servers.At(d).Launched(names); len(names) == 0 {
		return nil
	}
	s, err := a.servers()
	if err != nil {
		return err
	}
	for _, name := range names {
		limited, cancel := context.WithTimeoutCause(ctx, addedTime, fmt.Errorf("it was not there in %s", addedTime))
		all, err := s.Fetch(limited, []string{name}, os.Environ(), artifact.How{}, false)
		cancel()
		if err := cmp.Or(ctx.Err(), err); err != nil {
			return err
		}
		a.sayFetched(all[0])
	}
	return nil
}

func (a *app) sayFetched(s servers.Server) {
	switch {
	case s.Error != nil:
		a.Say("%s was added, and its package is not fetched yet: %s", s.Name, cli.InALine(s.Error.Message))
		a.Next(s.Name, s.Error.Hint+"; `ask servers fetch "+s.Name+"` fetches it later")
	case s.Artifact.Packaged():
		a.Say("%s is started from the fetched %s", s.Name, escape.Line(s.Artifact.Name+"@"+s.Artifact.Version, 300))
	default:
		a.Say("%s is started by its launcher, from whatever the registry has that day: %s", s.Name, escape.Line(s.Artifact.Floating, 300))
	}
}
