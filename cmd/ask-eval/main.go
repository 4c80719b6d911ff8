// Command ask-eval measures onestep: its gates, its planner, its locks, and what
// an agent without gates does in their place. `ask eval` runs it; it is a
// program of its own so that nothing of this is linked into `ask`.
package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/host/launch"
)

// Version is set when a release is built.
var version = "development"

func main() {
	// So that no server can read the environment that it is not given, and that
	// its daemons end with it. Where the system cannot, a server can, and they
	// do not; docs/threat-model.md says so.
	_ = launch.Seal()
	_ = launch.AdoptOrphans()
	a := &app{cli.New(version)}
	os.Exit(a.Main(os.Args[1:], a.root))
}

// app holds the suites.
type app struct{ *cli.App }

func (a *app) root() *cobra.Command {
	root := cli.Group("ask-eval", "Measure onestep on your own cases")
	root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: "ask eval"} // as users run it
	a.Root(root)
	root.AddCommand(a.plannerCommand(), a.suggestCommand(), a.compareCommand(), a.convertCommand(), a.requestsCommand(), a.groundingCommand(),
		a.e2eCommand(), a.relayCommand(), a.offlineCommand(), a.injectionCommand(), a.pinsCommand(), a.scanCommand(), a.lockCommand(), a.manifestCommand(), a.generateCommand())
	return root
}
