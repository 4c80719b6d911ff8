// Command ask answers one question with at most one tool call.
package main

import (
	"os"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/host/launch"
)

func main() {
	// So that no server can read the environment that it is not given, and that
	// its daemons end with it. Where the system cannot, a server can, and they
	// do not; docs/threat-model.md says so.
	_ = launch.Seal()
	_ = launch.AdoptOrphans()
	a := &app{cli.New(version)}
	os.Exit(a.Main(os.Args[1:], a.root))
}
