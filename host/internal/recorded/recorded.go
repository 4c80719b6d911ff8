// Package recorded is shared by host and host/replay. It has the form of a policy in a
// trace, and the seal of a recorded world. Only packages below host can import it, so that
// no program can make a host that overrules a scanner or invents a grant.
package recorded

import (
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/trace"
)

// Sealed is a world that a package below host made. Its zero value has no world,
// and no other package can make another value: it has no exported fields, and only
// this package seals.
type Sealed[W any] struct{ world W }

// Seal vouches for a world: it answers from a trace, and reaches no server.
func Seal[W any](world W) Sealed[W] { return Sealed[W]{world} }

// Open gives the world that was sealed.
func (s Sealed[W]) Open() W { return s.world }

// Patterns is the name of the built-in rules among the scanners.
const Patterns = "patterns"

// Defect is the gate that a trace names if a panic ended the run. No replay can
// compute what follows from a defect.
const Defect = "defect"

// Policy is a policy as a trace has it. It has the operator's own texts, so that a replay
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
