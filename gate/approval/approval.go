// Package approval is the life of one approval: what it is of, and the steps that
// it takes from being asked for to being used.
//
// It vouches that a yes and a use happen once each and in that order, that nothing
// leads back, and that no step is taken after the expiry or before the approval
// was asked for. It does not vouch that a step is taken by one process alone:
// host/store takes each in a transaction. Whether an approval is of this very call
// is for gate.Consent to compare.
package approval

import (
	"slices"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
)

// State is where an approval is. Its zero value, and any other than these, can
// take no step.
type State string

// The states of an approval.
const (
	Pending    State = "pending"     // it waits for a person
	Approved   State = "approved"    // a person said yes, and it was not used
	Denied     State = "denied"      // a person said no
	Spent      State = "spent"       // it was used: its call may have left
	Superseded State = "invalidated" // what would be called is no longer what was shown
	Revoked    State = "revoked"     // a person said yes, and took it back before it was used
)

// next are the states that each state can become.
var next = map[State][]State{
	Pending:  {Pending, Approved, Denied, Superseded},
	Approved: {Spent, Superseded, Revoked},
}

// Approval is one call that a run asked a person for. Who asked, and for what, is
// in the run's trace: the digest covers it there.
type Approval struct {
	RunID   string // that asked
	Digest  string // of the approval's record
	Trace   string // the digest of a line of the run's trace, by which the record is there
	Key     string // of the call: the same call of the same conversation has the same. "" is no other call's
	Client  bool   // a client asked, whose call no other process makes
	State   State
	By, How string    // who decided, and in which way
	Held    time.Time // until when a process waits for the decision
	Created time.Time
	Expires time.Time

	// Deciding is the digest of the rules, the allowlist and the settings under which
	// it was asked for. Under others the call is decided again.
	Deciding string
	Call     string // digest of the call alone, which is the same under others
}

// Step is one step of an approval. One from Pending to Pending says until when a
// process waits.
type Step struct {
	To      State
	By, How string    // of Approved and Denied
	Held    time.Time // of Pending
	Now     time.Time
}

// After is the approval after a step, or a denial that says what it is instead.
func (a Approval) After(digest string, s Step) (Approval, error) {
	switch {
	case a.Digest != digest:
		return Approval{}, verdict.Deny(verdict.ApprovalChanged, "the approval of run %s is for %.80s, not for %.80s", a.RunID, a.Digest, digest)
	case !slices.Contains(next[a.State], s.To):
		return Approval{}, a.Refusal(s.Now)
	case s.To == Superseded, s.To == Revoked: // at any time
	case s.Now.After(a.Expires):
		return Approval{}, a.Refusal(s.Now)
	case s.Now.Before(a.Created.Add(-time.Second)): // traces' times are of whole milliseconds
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

// Refusal says why the approval takes no further step, or not this one.
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
