package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk"
)

func (a *app) configCommand() *cobra.Command {
	var origin bool
	shows := func(f *cli.FlagSet) { f.BoolVar(&origin, "origin", false, "say where each value comes from") }
	return cli.Group("config", "Show and change the configuration", cli.Commands(
		cli.Command{
			Use: "show", Short: "Show the settings of a run", Takes: "show takes nothing", Flags: shows,
			Run: func(context.Context, []string) error { return a.showConfig(origin) },
		},
		cli.Command{
			Use: "get KEY", Short: "Print the value of one setting", Takes: "get takes one KEY, as `ask config show` lists them",
			Example: "  ask config get timeout\n  ask config get model --origin", Flags: shows,
			Run: func(_ context.Context, args []string) error { return a.getConfig(args[0], origin) },
		},
		cli.Command{
			Use: "set KEY VALUE", Short: "Write one setting into your config.toml", Takes: "set takes one KEY and one VALUE",
			Long: `set checks the value as a start does, and changes nothing else in the file. A path
is relative to the working directory; a list has commas between its items.`,
			Example: "  ask config set timeout 2m\n  ask config set accept informational,cosmetic", Run: a.setConfig,
		})...)
}

func (a *app) showConfig(origin bool) error {
	s, _, err := a.Settings()
	if err != nil {
		return err
	}
	rows := s.Show()
	return a.Report(cli.Object{"settings", rows, "ignored_files", ignoredFiles()}, nil, func() {
		var lines [][]string
		for _, r := range rows {
			line := []string{r.Key, fmt.Sprint(r.Value)}
			if origin {
				line = append(line, r.Origin.String())
			}
			lines = append(lines, line)
		}
		a.Table(lines)
		a.reportIgnored()
	})
}

// getConfig prints the values of one setting, one on each line: layers may add up.
func (a *app) getConfig(key string, origin bool) error {
	s, _, err := a.Settings()
	if err != nil {
		return err
	}
	rows := s.Lookup(key)
	if len(rows) == 0 {
		if _, err := config.Find(key); err != nil {
			return err
		}
	}
	return a.Report(cli.Object{"settings", append([]config.Shown{}, rows...)}, nil, func() {
		for _, r := range rows {
			line := fmt.Sprint(r.Value)
			if origin {
				line += "  " + r.Origin.String()
			}
			a.Print("%s", line)
		}
		if len(rows) == 0 {
			a.Say("%s is not set.", key)
		}
	})
}

// setConfig writes one setting, even if another setting keeps a run from starting.
func (a *app) setConfig(_ context.Context, args []string) error {
	set, err := desk.SetSetting(args[0], args[1], a.Flags, a.Options())
	if err != nil {
		return err
	}
	return a.Report(set, nil, func() {
		did := "wrote %s to %s"
		if !set.Changed {
			did = "%s has this value already in %s"
		}
		a.Print(did, set.Key, set.File)
		if set.OutrankedBy != "" {
			a.Say("The %s sets another value, and overrides the file.", set.OutrankedBy)
		}
	})
}

// offerSettings offers the keys, and the values of a setting that are words.
func offerSettings(_ *cobra.Command, args []string) (all []cobra.Completion) {
	for _, r := range config.Table() {
		switch {
		case len(args) == 0:
			all = append(all, cobra.CompletionWithDesc(r.Key, r.Meaning))
		case len(args) == 1 && args[0] == r.Key:
			all = append(all, r.Choices()...)
		}
	}
	return all
}
