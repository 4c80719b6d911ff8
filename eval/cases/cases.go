// Package cases has the cases that come with the program, one JSON object a line. The
// suite that reads a row defines its meaning.
//
// The files are for people to read and to extend; each row is independent and vouches
// for nothing.
package cases

import "embed"

// Files are the cases that were written by hand.
//
//   - offline-*.jsonl are of `ask eval offline`, a file for each group. e2e.jsonl is of
//     `ask eval e2e`, over the demo servers.
//   - grounding.jsonl measures the evidence lock. It was written before that lock and is
//     frozen: no rule is changed for a row of it. neighbours.jsonl and neighbours-2.jsonl
//     are claims that a later passage takes back.
//   - pins.jsonl is of `ask eval pins`, over the tools of pins-tools.jsonl. It was written
//     before the classes of difference. steps-*.jsonl are 60 releases of servers each, and
//     pins-2.jsonl has one changed tool a row, for `ask eval pins --steps`.
//   - scan.jsonl has injections and honest texts from before the rules of the scan, and
//     scan-second.jsonl sixty of each from later. descriptions.jsonl and results.jsonl are
//     tools and whole results. The authors had seen no rule. The rules of version 5 were
//     written for the tuning half of tuned-*.jsonl. scan-blind-1.jsonl and
//     scan-blind-2.jsonl are by authors who had seen neither rules nor rows.
//   - talks-dev.jsonl has conversations, of `ask eval origins`. The rules were written with it.
//     talks-1.jsonl, talks-2.jsonl and talks-3.jsonl are by authors who had seen neither code
//     nor rows.
//   - lock.jsonl, lock-2.jsonl and lock-3.jsonl are of `ask eval lock`; asks*.jsonl and
//     first-questions*.jsonl are questions over the tools of asks-tools.json.
//
// A file with a number is by another hand. The digests of the frozen files are in
// asks.sha256 and sets*.sha256.
//
//go:embed *.jsonl asks-tools.json
var Files embed.FS
