// Package policy is what a person asks about the rules of an installation: list them,
// check them against the approved tools, explain and try decisions, scan a text, and
// handle the grants and conversations that decisions depend on.
//
// It vouches that a decision is explained by the code that makes it: the gate, or the
// replay of a run. It calls no tool, and approves nothing.
//
// cmd/ask calls it, and prints around it.
package policy

import "github.com/onestep-run/onestep/config/desk"

// Desk is where the rules of an installation are handled.
type Desk struct{ desk.Desk }

// At is that of an installation.
func At(d desk.Desk) Desk { return Desk{d} }
