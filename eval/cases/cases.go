// Package cases holds the cases that come with the program, one JSON object a
// line. What a row means, the suite that reads it says: eval/offline reads the
// files offline-*.jsonl.
//
// The files are for people to read and to add to; each row stands for itself
// and vouches for nothing.
package cases

import "embed"

// Offline are the hand-written cases of `ask eval offline`, a file for each of
// its groups.
//
//go:embed offline-*.jsonl
var Offline embed.FS
