package main

import (
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/onestep-run/onestep/cmd/cli"
)

// TestAFlagThatTakesNothingNamesNoValue: text in backquotes is one in a help.
func TestAFlagThatTakesNothingNamesNoValue(t *testing.T) {
	t.Parallel()
	a := &app{App: cli.New("test")}
	everyCommand(a.root(), func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if value, _ := pflag.UnquoteUsage(f); f.Value.Type() == "bool" && f.NoOptDefVal != "" && value != "" && f.Name != "yaml" {
				t.Errorf("%s --%s shows the value %q", c.CommandPath(), f.Name, value)
			}
		})
	})
}
