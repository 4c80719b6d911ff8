package grant

import (
	"slices"
	"time"
)

// The labels of a conversation. They are set by the runtime, and never removed.
const (
	Exposed   = "exposed"   // a result was shown in it of a tool that may read what anyone writes
	Sensitive = "sensitive" // a secret was redacted from a result
)

// Ended is the mark of a conversation that a person ended: nothing granted in it
// answers a call, and nothing more can be granted in it.
const Ended = "ended"

// Key is what the state is asked for before a call.
type Key struct {
	Subject, Conversation string
	Labelled              string // whose labels are the call's
	Server, Tool          string
	Resource              string // "" where it is not known, of which nothing is granted
}

// Known is what the state holds for a call.
type Known struct {
	Labels []string // sorted
	Grants []Grant  // of the key that were not revoked, whatever their time
	Newest time.Time
}

// Mark is a label of a conversation, or [Ended].
type Mark struct {
	Conversation string    `json:"conversation"`
	Name         string    `json:"mark"`
	Run          string    `json:"run_id,omitempty"` // in which it happened
	At           time.Time `json:"at"`
}

// Redemption is all that one call checks and spends in the state, in one step.
type Redemption struct {
	Run              string   // that makes the call
	Approval, Digest string   // the approval to use, by its run; "" uses none
	Uses             *Grant   // that answers the call
	Gives            *Grant   // that the person gave with the approval
	Marks            []Mark   // to set
	Takes            []Bucket // of the limits that the call takes from; redeeming fills in what was left
	Labelled         string   // the conversation that has to have these labels still; "" where no rule read them
	Labels           []string
	Now              time.Time
}

// Empty reports whether nothing is to be checked or spent.
func (r Redemption) Empty() bool {
	return r.Approval == "" && r.Uses == nil && r.Gives == nil && len(r.Marks) == 0 && len(r.Takes) == 0 && r.Labelled == ""
}

// Labelled are labels with others, sorted and once each. None is ever lost.
func Labelled(labels, more []string) []string {
	all := slices.Concat(labels, more)
	slices.Sort(all)
	return slices.Compact(all)
}
