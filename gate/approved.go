package gate

import (
	"slices"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

// Approved is one approved call. Only [Gate.Approve] makes one that can be
// redeemed; copies share the one permit, and no decoder can make it.
type Approved struct{ p *permit }

type permit struct {
	materialised
	decided Decision
	spent   atomic.Bool
}

// Call is the concrete call, at the moment it leaves.
type Call struct {
	Server, Tool string
	Args         jsontext.Value // one canonical JSON object
}

// Record is what must be on disk before the call leaves, as canonical JSON. It
// grants nothing.
func (a Approved) Record() jsontext.Value {
	if a.p == nil {
		return nil
	}
	return a.p.record.Clone()
}

// Server is the server that will be called, "" where nothing is approved.
func (a Approved) Server() string {
	if a.p == nil {
		return ""
	}
	return a.p.call.Server
}

// Tool is the name of the tool that will be called, "" where nothing is approved.
func (a Approved) Tool() string {
	if a.p == nil {
		return ""
	}
	return a.p.call.Tool
}

// FromContext lists the arguments, as JSON Pointers, whose text stands in the
// context and not in the question.
func (a Approved) FromContext() []string {
	if a.p == nil {
		return nil
	}
	return slices.Clone(a.p.marked)
}

// Decision is what the rules came to. Where there is no approval it refuses.
func (a Approved) Decision() Decision {
	if a.p == nil {
		return Decision{}
	}
	return a.p.decided
}

// Redeemed reports whether the call was handed out. After that it may have
// left, whatever error followed.
func (a Approved) Redeemed() bool { return a.p != nil && a.p.spent.Load() }

// Redeem yields the call, once, if its record was synced and the live
// descriptor is the one that was approved.
func (a Approved) Redeem(live pin.Descriptor, on trace.Receipt) (Call, error) {
	if a.p == nil {
		return Call{}, verdict.Deny(verdict.CallUnapproved, "there is no approval")
	}
	if a.p.spent.Load() {
		return Call{}, verdict.Deny(verdict.CallSpent, "the approval was used before")
	}
	if a.p.decided.Ruling != verdict.Allow {
		return Call{}, verdict.Deny(verdict.ApprovalNeeded, "a person has to approve the call, and nobody has")
	}
	digest, err := live.Digest()
	if err != nil {
		return Call{}, verdict.Deny(verdict.PinChanged, "the live descriptor cannot be read: %v", err)
	}
	if digest != a.p.tool.Digest() {
		return Call{}, verdict.Deny(verdict.PinChanged, "the descriptor of %s/%s is %s now, and was %s when the call was approved",
			a.p.call.Server, a.p.call.Tool, digest, a.p.tool.Digest())
	}
	if !on.Spend(a.p.record) {
		return Call{}, verdict.Deny(verdict.CallUnrecorded, "no synced trace line holds the approval")
	}
	if !a.p.spent.CompareAndSwap(false, true) {
		return Call{}, verdict.Deny(verdict.CallSpent, "the approval was used before")
	}
	return Call{a.p.call.Server, a.p.call.Tool, a.p.call.Args.Clone()}, nil
}
