// Package policy answers a person's questions about the rules of an installation. It lists
// rules, checks them against the approved tools, explains and tries decisions, and scans
// texts. It also manages the grants and conversations that decisions depend on.
//
// It vouches that the code that makes a decision explains it: the gate, or the replay of a
// run. It calls no tool, and approves nothing.
//
// cmd/ask calls it, and prints around it.
package policy

import "github.com/onestep-run/onestep/config/desk"

// Desk manages the rules of an installation.
type Desk struct{ desk.Desk }

// At is the desk of an installation.
func At(d desk.Desk) Desk { return Desk{d} }
