// Package eval measures onestep on cases: rows of a file that say what is
// asked and what would be right. It is the frame that the suites below it
// share: reading cases, running them, keeping and comparing what was found.
//
// It vouches that every case of a file is measured or named as not measured,
// that the same rows give the same figures whatever the number of cases at a
// time, and that no rate stands without what it is of. It does not vouch that
// the cases are like anybody's questions: a figure is as good as its cases.
// It reaches no server: what [Accepted] approves never leaves.
//
// The suites (eval/...) call it, `ask eval` runs them, and so do the tests
// that hold figures of the documentation. What runs a question never imports
// it.
package eval

import (
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Noon is what a planner that is measured takes for the time, 21 November 2026,
// 12:00 UTC, so that "next Friday" is as right tomorrow as it is today.
func Noon() time.Time { return time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC) }

// Unusable tells an answer of a model that is not a plan, which is its own doing and
// counts against it, from an edge that broke.
func Unusable(code verdict.Code) bool {
	switch code {
	case verdict.ModelReply, verdict.ModelRefused, verdict.ModelTruncated, verdict.ModelTooLarge:
		return true
	}
	return false
}
