// Command ask-eval measures onestep: its gates, its planner, its locks, and an agent
// without gates. `ask eval` runs it; it is a separate program so that `ask` links none
// of it.
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
	// With these, a server cannot read an environment that it was not given, and its
	// daemons end with it. Some systems support neither; docs/threat-model.md lists
	// them.
	_ = launch.Seal()
	_ = launch.AdoptOrphans()
	a := &app{cli.New(version)}
	os.Exit(a.Main(os.Args[1:], a.root))
}

// app has the suites.
type app struct{ *cli.App }

func (a *app) root() *cobra.Command {
	root := cli.Group("ask-eval", "Measure onestep on your own cases")
	root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: "ask eval"} // as users run it
	a.Root(root)
	root.AddCommand(a.plannerCommand(), a.suggestCommand(), a.compareCommand(), a.convertCommand(), a.requestsCommand(), a.groundingCommand(),
		a.e2eCommand(), a.relayCommand(), a.offlineCommand(), a.injectionCommand(), a.pinsCommand(), a.scanCommand(), a.lockCommand(), a.originsCommand(), a.manifestCommand(), a.proposeCommand())
	return root
}
