// Package servers is what a person does to the configured servers: list, add, remove,
// test, fetch, confine and log in to them, and see what is approved of each.
//
// It vouches that the servers file changes as a whole or not at all, and that nothing
// is started or dialled but where the name of a function says so.
//
// cmd/ask calls it, and parses and prints around it.
package servers

import "github.com/onestep-run/onestep/config/desk"

// Desk is where the servers of an installation are handled.
type Desk struct{ desk.Desk }

// At is that of an installation.
func At(d desk.Desk) Desk { return Desk{d} }
