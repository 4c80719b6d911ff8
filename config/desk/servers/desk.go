// Package servers is the work of a person on the configured servers. The person lists, adds,
// removes, tests, fetches and confines them, logs in to them, and sees the approvals of each.
//
// It vouches that the servers file changes as a whole or not at all. It starts or dials a
// server only in a function with a name that says so.
//
// cmd/ask calls it, and parses and prints around it.
package servers

import "github.com/onestep-run/onestep/config/desk"

// Desk manages the servers of an installation.
type Desk struct{ desk.Desk }

// At is the desk of an installation.
func At(d desk.Desk) Desk { return Desk{d} }
