// Package approval is the life of one approval: its call, and its steps from the
// request to the use.
//
// It vouches that a yes and a use happen once each and in that order, and that no step
// leads back. No step happens after the expiry or before the request. It does not
// vouch that one process alone takes a step: host/store takes each in a transaction.
// gate.Consent compares whether an approval is for this very call.
package approval

import (
	"slices"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
)

// State is where an approval is. The zero value, like any state outside the list, can
// take no step.
type State string

// The states of an approval.
const (
	Pending    State = "pending"     // it waits for a person
	Approved   State = "approved"    // a person said yes, and it was not used
	Denied     State = "denied"      // a person said no
	Spent      State = "spent"       // it was used: its call may have left
	Superseded State = "invalidated" // the call has changed since it was shown
	Revoked    State = "revoked"     // a person said yes, and withdrew it before its use
)

// next are the possible next states of each state.
var next = map[State][]State{
	Pending:  {Pending, Approved, Denied, Superseded},
	Approved: {Spent, Superseded, Revoked},
}

// Approval is one call that a run asked a person for. The run's trace says who asked,
// and for what; the digest covers it there.
type Approval struct {
	RunID   string // the run that asked
	Digest  string // of the approval's record
	Trace   string // the digest of the line of the run's trace with the record
	Key     string // the same for the same call in the same conversation; "" equals no other call's
	Client  bool   // a client asked; no other process makes its call
	State   State
	By, How string    // who decided, and in which way
	Held    time.Time // until when a process waits for the decision
	Created time.Time
	Expires time.Time

	// Deciding is the digest of the rules, the allowlist and the settings at the time
	// of the request. If they have changed, the call is decided again.
	Deciding string
	Call     string // digest of the call alone, which does not depend on them

	// Request is what a person is shown of the call, while it is stored. An approval that is
	// read does not have it.
	Request string
}

// Step is one step of an approval. A step from Pending to Pending says until when a
// process waits.
type Step struct {
	To      State
	By, How string    // of Approved and Denied
	Held    time.Time // of Pending
	Now     time.Time
}

// After returns the approval after a step, or a denial that names its actual state.
func (a Approval) After(digest string, s Step) (Approval, error) {
	switch {
	case a.Digest != digest:
		return Approval{}, verdict.Deny(verdict.ApprovalChanged, "the approval of run %s is for %.80s, not for %.80s", a.RunID, a.Digest, digest)
	case !slices.Contains(next[a.State], s.To):
		return Approval{}, a.Refusal(s.Now)
	case s.To == Superseded, s.To == Revoked: // at any time
	case s.Now.After(a.Expires):
		return Approval{}, a.Refusal(s.Now)
	case s.Now.Before(a.Created.Add(-time.Second)): // recorded times have whole milliseconds
		return Approval{}, verdict.Deny(verdict.ApprovalExpired, "the clock says %s, before the approval was asked for", s.Now.UTC().Format(time.RFC3339))
	}
	if s.To == Approved || s.To == Denied || s.To == Revoked {
		if s.By == "" {
			return Approval{}, verdict.Fail(verdict.Internal, nil, "a decision does not name who made it")
		}
		a.By, a.How = s.By, s.How
	}
	a.State, a.Held = s.To, s.Held
	return a, nil
}

// Live reports whether the approval waits for a person, or for its use.
func (a Approval) Live(now time.Time) bool {
	return len(next[a.State]) > 0 && !now.After(a.Expires)
}

// Refusal returns why the approval takes no further step, or not this one.
func (a Approval) Refusal(now time.Time) error {
	if (a.State == Pending || a.State == Approved) && now.After(a.Expires) {
		return verdict.Deny(verdict.ApprovalExpired, "the approval expired at %s", a.Expires.UTC().Format(time.RFC3339))
	}
	switch a.State {
	case Spent:
		return verdict.Deny(verdict.ApprovalSpent, "the approval of run %s was used before: its call may have left", a.RunID)
	case Denied:
		return verdict.Deny(verdict.ApprovalRefused, "%s refused the call of run %s", a.By, a.RunID)
	case Revoked:
		return verdict.Deny(verdict.ApprovalRefused, "%s revoked the approval of the call of run %s before it was used", a.By, a.RunID)
	case Superseded:
		return verdict.Deny(verdict.ApprovalChanged, "what run %s asked for is no longer what would be called", a.RunID)
	case Approved:
		return verdict.Deny(verdict.ApprovalSpent, "%s approved the call of run %s before", a.By, a.RunID)
	}
	return verdict.Deny(verdict.ApprovalNeeded, "the call of run %s waits for a person", a.RunID)
}
