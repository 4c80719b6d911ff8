package main

import (
	"testing"

	"github.com/onestep-run/onestep/cmd/cli"
)

// A start makes the flags of the commands on its command line, and of no other.
func TestAStartMakesTheFlagsOfItsOwnCommandAlone(t *testing.T) {
	t.Parallel()
	all := (&app{App: cli.New("test")}).root()
	for _, args := range [][]string{{"servers", "add"}, {"help", "servers", "add"}, {"__complete", "servers", "add", "--"}} {
		own := (&app{App: cli.New("test")}).rootOf(args)()
		for _, c := range []struct {
			path  []string
			named bool
		}{
			{nil, true},
			{[]string{"servers"}, true},
			{[]string{"servers", "add"}, true},
			{[]string{"servers", "review"}, false},
			{[]string{"wrap"}, false},
		} {
			want, _, _ := all.Find(c.path)
			got, _, _ := own.Find(c.path)
			if has := got.LocalNonPersistentFlags().FlagUsages() == want.LocalNonPersistentFlags().FlagUsages(); has != c.named {
				t.Errorf("%v: the flags of %q are there: %v", args, got.CommandPath(), has)
			}
		}
	}
}
