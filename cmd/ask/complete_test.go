package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
)

// Every command with an argument offers words for it, apart from those whose
// argument is a file, a new name or nothing that is known here.
func TestEveryArgumentIsCompleted(t *testing.T) {
	t.Parallel()
	files := []string{"guard test", "manifest check", "manifest run"}
	others := []string{"policy try", "quarantine purge", "trace prune"}
	a := &app{App: cli.New("test")}
	everyCommand(a.root(), func(c *cobra.Command) {
		path := strings.TrimPrefix(strings.TrimPrefix(c.CommandPath(), "ask"), " ")
		takes := strings.ToLower(c.Use) != c.Use
		if c.ValidArgsFunction == nil && takes && !slices.Contains(slices.Concat(files, others), path) {
			t.Errorf("ask %s completes no argument: %s", path, c.Use)
		}
	})
	for _, f := range flagWords {
		path := f.path
		command, name, _ := strings.Cut(path, "--")
		c, _, err := a.root().Find(strings.Fields(command))
		if err != nil || c.Flag(name) == nil {
			t.Errorf("there is no %s", path)
		}
	}
}
