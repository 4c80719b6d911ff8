// Package eval measures onestep on cases: rows of a file with a question and its right
// result. The suites below it share this frame. It reads cases, runs them, and keeps
// and compares the results.
//
// It vouches that every case of a file is measured or named as not measured, that the
// same rows give the same figures for any number of parallel cases, and that every
// rate comes with its number of rows. It does not vouch that the cases are like real
// questions: a figure is as good as its cases. It reaches no server: a call that
// [Accepted] approves never leaves.
//
// The suites (eval/...) call it, `ask eval` runs them, and so do the tests that check
// figures of the documentation. Code that answers questions never imports it.
package eval

import (
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Noon returns the time that a measured planner takes for now, 21 November 2026, 12:00
// UTC. So "next Friday" has the same meaning every day.
func Noon() time.Time { return time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC) }

// Unusable reports whether a code means that a model's answer is not a plan. Such an
// answer counts against the model; any other failure is not the model's.
func Unusable(code verdict.Code) bool {
	switch code {
	case verdict.ModelReply, verdict.ModelRefused, verdict.ModelTruncated, verdict.ModelTooLarge:
		return true
	}
	return false
}
