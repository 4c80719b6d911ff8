// Package runs is a person's work on runs. The person finds, reads, verifies and exports
// them, approves a waiting call, and releases a withheld result.
//
// It vouches that an approval is for the call in the verified trace, with a record that
// matches the approval's digest. It does not vouch for the person: its caller identifies the
// person.
//
// cmd/ask calls it, and shows and asks around it.
package runs

import "github.com/onestep-run/onestep/config/desk"

// Desk manages the runs of an installation.
type Desk struct{ desk.Desk }

// At is the desk of an installation.
func At(d desk.Desk) Desk { return Desk{d} }
