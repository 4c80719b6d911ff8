// Package runs is what a person does about runs: find, read, verify and export them,
// approve the call that one waits for, and release a result that is withheld.
//
// It vouches that an approval is of the call whose record its digest covers, as the
// verified trace has it. It does not vouch for the person: its caller says who that is.
//
// cmd/ask calls it, and shows and asks around it.
package runs

import "github.com/onestep-run/onestep/config/desk"

// Desk is where the runs of an installation are handled.
type Desk struct{ desk.Desk }

// At is that of an installation.
func At(d desk.Desk) Desk { return Desk{d} }
