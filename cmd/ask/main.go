// Command ask answers one question with at most one tool call.
package main

import (
	"math"
	"os"
	"runtime/debug"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/host/launch"
)

func main() {
	// So that no server can read the environment that it is not given, and that
	// its daemons end with it. Where the system cannot, a server can, and they
	// do not; docs/threat-model.md says so.
	_ = launch.Seal()
	_ = launch.AdoptOrphans()
	boundMemory()
	a := &app{App: cli.New(version)}
	code := a.Main(os.Args[1:], a.root)
	a.leave()
	os.Exit(code)
}

const (
	// memoryAim is where the collector begins to work harder; nothing fails
	// there. It is three times what an ordinary run takes. What a run may hold at
	// most is bounded by the limits of what it reads.
	memoryAim = 96 << 20
	// heapGrowth is how many percent of what is live may be garbage below the
	// aim: an ordinary run ends before its first collection is due, at 16 MiB.
	heapGrowth = 400
)

// boundMemory keeps garbage from doubling what a huge answer takes, and from
// being collected where there is little, unless GOMEMLIMIT or GOGC say
// otherwise.
func boundMemory() {
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(memoryAim)
	}
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(heapGrowth)
	}
}
