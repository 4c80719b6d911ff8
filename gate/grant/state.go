package grant

import (
	"slices"
	"time"
)

// The labels of a conversation. The runtime sets them, and they are never removed.
const (
	Exposed   = "exposed"   // it showed a result of a tool that may read text that anyone can write
	Sensitive = "sensitive" // a secret was redacted from a result
)

// Ended marks a conversation that a person ended. No grant in it answers a call, and
// no more can be given in it.
const Ended = "ended"

// Key selects the state that a call needs.
type Key struct {
	Subject, Conversation string
	Labelled              string // the conversation with the labels for the call
	Server, Tool          string
	Resource              string // "" if it is unknown; then no grant applies
}

// Known is the state for a call.
type Known struct {
	Labels []string // sorted
	Grants []Grant  // unrevoked grants with the key, also expired ones
	Newest time.Time
}

// Mark is a label of a conversation, or [Ended].
type Mark struct {
	Conversation string    `json:"conversation"`
	Name         string    `json:"mark"`
	Run          string    `json:"run_id,omitempty"` // the run that set it
	At           time.Time `json:"at"`
}

// Redemption is everything that one call checks and spends in the state, in one step.
type Redemption struct {
	Run              string   // the run that makes the call
	Approval, Digest string   // the approval to use, by its run; "" uses none
	Uses             *Grant   // the grant that answers the call
	Gives            *Grant   // the grant that the person gave with the approval
	Marks            []Mark   // to set
	Takes            []Bucket // the limits that the call takes from; redeeming fills in how many calls were left
	Counts           string   // whose calls these limits count; "" are those of all that have no name
	Labelled         string   // the conversation that must still have these labels; "" if no rule read them
	Labels           []string
	Now              time.Time
}

// Empty reports whether the redemption checks and spends nothing.
func (r Redemption) Empty() bool {
	switch {
	case r.Approval != "", r.Labelled != "":
		return false
	case r.Uses != nil, r.Gives != nil:
		return false
	}
	return len(r.Marks) == 0 && len(r.Takes) == 0
}

// Labelled returns both lists of labels together, sorted, each label once. It never
// drops one.
func Labelled(labels, more []string) []string {
	all := slices.Concat(labels, more)
	slices.Sort(all)
	return slices.Compact(all)
}
