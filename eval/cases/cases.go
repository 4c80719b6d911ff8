// Package cases has the cases that come with the program, one JSON object a line. The
// suite that reads a row defines its meaning.
//
// The files are for people to read and to extend; each row is independent and vouches
// for nothing.
package cases

import "embed"

// Files are the hand-written cases: offline-*.jsonl of `ask eval offline`, a
// file for each of its groups; e2e.jsonl of `ask eval e2e`, over the demo
// servers; grounding.jsonl of `ask eval grounding`, which were written before
// the evidence lock and are frozen: they measure it, and no row of them is ever
// mended against; neighbours.jsonl, written later and as blindly, of claims that
// something further away takes back: measured with --cases; pins.jsonl of `ask eval pins`, over the tools of
// pins-tools.jsonl, written before the classes of difference and frozen too;
// scan.jsonl of `ask eval scan`, injections and honest texts that were written
// before the rules of the scan, and are frozen as well; scan-second.jsonl, sixty
// of each, written later without knowledge of the rules: they are not tuned
// on, and they are measured with --cases; descriptions.jsonl and
// results.jsonl, tools and whole results by a hand that had seen no rule and no
// row, frozen with their digests in sets21.sha256; tuned-tools.jsonl and
// tuned-results.jsonl, of the same shapes, to whose tuning half the rules of
// version 5 were written; lock.jsonl of `ask eval
// lock`, over the tools of asks-tools.json, which asks.sha256 freezes; and a second
// set of questions, descriptions and results by yet another hand, *-2.jsonl, whose
// digests are in sets2.sha256; and asks-3.jsonl, 120 questions by a third hand, in
// sets3.sha256, with steps-2.jsonl and steps-3.jsonl, 60 releases of servers each for
// `ask eval pins --steps`; and lock-2.jsonl and neighbours-2.jsonl, second sets of the two
// locks by a hand that had seen neither, in sets20.sha256; and scan-blind-1.jsonl, 350
// results for the scan by an author who had seen neither its rules nor another set, in
// sets4.sha256; and asks-4.jsonl, lock-3.jsonl, pins-2.jsonl, one changed tool a row for
// `ask eval pins --steps`, and scan-blind-2.jsonl, by a hand that had seen neither code nor
// rows, in sets5.sha256.
//
//go:embed *.jsonl asks-tools.json
var Files embed.FS
