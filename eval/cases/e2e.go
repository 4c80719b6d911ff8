package cases

import _ "embed"

// E2E are the hand-written cases of `ask eval e2e`, over the demo servers.
//
//go:embed e2e.jsonl
var E2E []byte
