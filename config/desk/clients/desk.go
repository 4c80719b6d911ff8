// Package clients is what a person does to other clients of MCP: list their servers,
// copy them, put `ask wrap` in front of them, and put back what was there.
//
// It vouches that a file is written only if it is as it was shown, and that what was
// in an entry is on disk before the entry changes. It starts and dials nothing.
//
// cmd/ask calls it, and shows and asks around it.
package clients

import "github.com/onestep-run/onestep/config/desk"

// Desk is where the files of other clients are handled.
type Desk struct{ desk.Desk }

// At is that of an installation.
func At(d desk.Desk) Desk { return Desk{d} }
