package main

import (
	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/host/store"
)

// app holds the commands of `ask`.
type app struct {
	*cli.App
	saver  saver          // of what the one question brings
	states []*store.Store // of the inventories
}

// leave closes what commands had open. All that they decided is on disk before.
func (a *app) leave() {
	for _, s := range a.states {
		_ = s.Close()
	}
}
