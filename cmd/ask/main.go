// Command ask answers one question with at most one tool call.
package main

import (
	"context"
	"math"
	"os"
	"os/user"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/desk/runs"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/host/launch"
	"github.com/onestep-run/onestep/host/store"
)

func main() {
	// Seal keeps servers from reading this process's environment, and AdoptOrphans ends their
	// daemons with it. Without the system's support neither holds; docs/threat-model.md
	// describes that.
	_ = launch.Seal()
	_ = launch.AdoptOrphans()
	boundMemory()
	a := &app{App: cli.New(version)}
	code := a.Main(remainder(os.Args[1:]), a.root)
	a.leave()
	os.Exit(code)
}

const (
	// memoryAim is where the collector begins to work harder; nothing fails there. It is
	// three times the memory of an ordinary run. The limits of the input bound the memory of
	// a run.
	memoryAim = 96 << 20
	// heapGrowth is the garbage below the aim, in percent of the live heap. With it an
	// ordinary run ends before its first collection, at 16 MiB.
	heapGrowth = 400
)

// boundMemory keeps garbage from doubling the memory of a huge answer, and avoids collecting
// a little garbage. GOMEMLIMIT or GOGC override it.
func boundMemory() {
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(memoryAim)
	}
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(heapGrowth)
	}
}

// app holds the commands of `ask`.
type app struct {
	*cli.App
	folder runs.Folder    // for the attachments of the one question
	hold   time.Duration  // how long its call waits for an approval from elsewhere
	first  bool           // no run has left a trace before this one
	again  replan         // optional
	states []*store.Store // of the inventories, to close

	edited       jsontext.Value // the arguments that a person wrote in place of the shown ones
	conversation string         // the conversation of the call; "" leaves it to the environment
	described    config.Servers // a server that the command line describes
	isDescribed  bool
}

// replan writes the plan of a question again after its tool was reviewed. Before the review
// no schema existed to read its arguments by.
type replan func(context.Context) ([]byte, error)

// desk is the installation that the settings describe, for the user of this process.
func (a *app) desk() (desk.Desk, error) {
	s, _, err := a.Settings()
	with := a.Options()
	if a.isDescribed {
		with.Registry = a.described
	}
	self, _ := os.Executable() // without it, no client's entry is recognized as starting this program
	return desk.Desk{Settings: s, With: with, By: subject(), Self: self, Say: a.Say, Debug: a.Debug}, err
}

// servers are the configured servers. None is started or dialled.
func (a *app) servers() (servers.Servers, error) {
	d, err := a.desk()
	if err != nil {
		return servers.Servers{}, err
	}
	s, err := servers.At(d).Open()
	if s.State != nil {
		a.states = append(a.states, s.State)
	}
	return s, err
}

// unlocked are the servers with stored decisions, without a file of pins.
func (a *app) unlocked() (servers.Servers, error) {
	if err := servers.At(desk.Desk{With: a.Options()}).Unlocked(); err != nil {
		return servers.Servers{}, err
	}
	return a.servers()
}

// reviewable are the servers that a person can decide on.
func (a *app) reviewable() (servers.Servers, error) {
	s, err := a.unlocked()
	if err == nil {
		err = s.Reviewable()
	}
	return s, err
}

// runs are the runs in which a name is looked up. A path needs no settings: a trace can be
// checked on a machine without a configuration.
func (a *app) runs(name string) (runs.Runs, error) {
	if runs.IsPath(name) {
		return "", nil
	}
	s, _, err := a.Settings()
	return runs.Runs(s.TraceDir.V), err
}

// leave closes the open files of commands. Every decision is on disk before.
func (a *app) leave() {
	for _, s := range a.states {
		_ = s.Close()
	}
}

// subject is the user who asks: the local user and this host's name, from the system.
// Variables such as USER are not used: every user can set them.
func subject() string {
	name := strconv.Itoa(os.Getuid())
	if u, err := user.Current(); err == nil && u.Username != "" {
		name = u.Username
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return escape.Line(name+"@"+host, 256)
}
