// Package recorded is what host and host/replay have in common: how a trace holds
// a policy, and what a host that replays or resumes a run is given of it. No other
// program can name these types, so that none can make a host that overrules a
// scanner.
package recorded

import (
	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/trace"
)

// Run is what a host is given of the run that it replays or resumes: what that
// run recorded of its guard, in place of redaction, which is not done twice, and
// of rules that this program does not have.
type Run struct {
	Rules    string         // the version of the rules
	Patterns []scan.Finding // what the built-in rules of that version found
	Failed   error          // or how they failed
	// Time and Zone are those of the decision, "" where the run made none.
	Time, Zone string
	Decided    func(trace.DecisionBody) // optional; given what the policy comes to
	Files      []trace.FileBody         // that the call's arguments named
	// Labels and Grants are those that the decision was made with.
	Labels []string
	Given  string // the run whose approval the call brought along
	Other  bool   // someone other than the asker gave that
	Grants []grant.Grant
	// State is how the state failed the run at a gate, or what it held against the
	// call; nil where it did neither. Optional.
	State func(gate string) error
	// Deciding is the digest of what decided, in place of that of the policy of the
	// replay: nil where that is the recorded one.
	Deciding *string
	Rates    []grant.Bucket // of the limits of the call, with what was left
	// Release is a person's word that the withheld result may go on, or nil. The
	// host overrules its rules and no other; its one answer is that result.
	Release *trace.ResumeBody
}

// Patterns is the name of the built-in rules among the scanners.
const Patterns = "patterns"

// Defect is the gate that a trace names where a panic ended the run. What
// follows from a defect, no replay can compute.
const Defect = "defect"

// Policy is a policy as a trace has it: the operator's own texts, so that a replay
// reads them as the run did.
type Policy struct {
	Rules         *trace.Bytes       `json:"rules,omitempty"`
	Allowlist     *trace.Bytes       `json:"allowlist,omitempty"`
	Refusal       *trace.Error       `json:"allowlist_refusal,omitempty"`
	SummaryLevel  string             `json:"summary_level"`
	StrictFormats bool               `json:"strict_formats"`
	MaxResult     int                `json:"max_result"`
	SummaryBudget int                `json:"summary_budget"`
	StrictOutputs bool               `json:"strict_outputs,omitzero"`
	StrictIntent  bool               `json:"strict_intent,omitzero"`
	OthersApprove bool               `json:"others_approve,omitzero"`
	MaxArguments  int                `json:"max_arguments,omitzero"`
	ClientRules   bool               `json:"client_rules,omitzero"`
	Accept        []string           `json:"accept,omitempty"`
	Suppressed    []scan.Suppression `json:"suppressed,omitempty"`
	Policy        []PolicyFile       `json:"policy,omitempty"` // the rules of calls
}

// PolicyFile is one policy file as it was read.
type PolicyFile struct {
	Name    string      `json:"name"`
	Text    trace.Bytes `json:"text"`
	Narrows bool        `json:"narrows,omitzero"`
}
