package cases

import _ "embed"

// Grounding are the hand-written cases of `ask eval grounding`. They were
// written before the evidence lock and are frozen: they measure it, and no
// row of them is ever mended against.
//
//go:embed grounding.jsonl
var Grounding []byte
