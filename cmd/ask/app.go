package main

import "github.com/onestep-run/onestep/cmd/cli"

// app holds the commands of `ask`.
type app struct {
	*cli.App
	saver saver // of what the one question brings
}
