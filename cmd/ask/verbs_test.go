package main

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/gate/verdict"
)

// A group with a wrong verb names all of its verbs, and each of them where its
// letters were mistyped. Nothing is run.
func TestEveryGroupNamesItsVerbs(t *testing.T) {
	t.Parallel()
	groups := 0
	everyCommand((&app{App: cli.New("test")}).root(), func(c *cobra.Command) {
		if !c.HasParent() || !c.HasSubCommands() {
			return
		}
		groups++
		path := strings.Fields(c.CommandPath())[1:]
		f := refusalOf(t, append(path, "qqqqqq"))
		for _, verb := range cli.Names(c) {
			if !strings.Contains(f.Reason, " "+verb) || !strings.Contains(f.Hint, c.CommandPath()+" --help") {
				t.Errorf("ask %s qqqqqq: no %s in %q, or %q", path, verb, f.Reason, f.Hint)
			}
			typo := verb[:1] + verb[2:3] + verb[1:2] + verb[3:]
			if child(c, typo) == nil && !strings.Contains(refusalOf(t, append(path, typo)).Reason, "did you mean "+verb) {
				t.Errorf("ask %s %s does not lead to %s", path, typo, verb)
			}
		}
		if strings.Contains(f.Reason, "did you mean") {
			t.Errorf("ask %s qqqqqq: %q", path, f.Reason)
		}
	})
	const least = 10
	if groups < least {
		t.Errorf("there are %d groups", groups)
	}
}

func refusalOf(t *testing.T, args []string) *verdict.Fault {
	t.Helper()
	root := (&app{App: cli.New("test")}).root()
	root.SetArgs(args)
	root.SetOut(io.Discard)
	root.SetErr(io.Discard)
	err := root.ExecuteContext(context.Background())
	var f *verdict.Fault
	if !errors.As(err, &f) || f.Code != verdict.UsageCommand {
		t.Fatalf("ask %s: %v", args, err)
	}
	return f
}
