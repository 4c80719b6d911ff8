// Package clients is a person's work on other MCP clients. The person lists their servers,
// copies them, puts `ask wrap` in front of them, and restores the original entries.
//
// It vouches that a file is written only if it is as shown, and that the original entry is on
// disk before the entry changes. It starts and dials nothing.
//
// cmd/ask calls it, and shows and asks around it.
package clients

import "github.com/onestep-run/onestep/config/desk"

// Desk manages the files of other clients.
type Desk struct{ desk.Desk }

// At is the desk of an installation.
func At(d desk.Desk) Desk { return Desk{d} }
