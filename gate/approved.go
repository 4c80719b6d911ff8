package gate

import (
	"cmp"
	"slices"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

// Approved is one approved call. Only [Gate.Approve] makes one that can be
// redeemed; copies share the one permit, and no decoder can make it.
type Approved struct{ p *permit }

type permit struct {
	materialised
	decided Ruled
	state   atomic.Int32
}

// The states of a permit. Nothing leads back to the first.
const (
	open int32 = iota
	redeemed
	withdrawn
)

// noPermit is what is shown where nothing is approved. Nothing redeems it.
var noPermit permit

func (a Approved) shown() *permit { return cmp.Or(a.p, &noPermit) }

// Call is the concrete call, at the moment it leaves.
type Call struct {
	Server, Tool string
	Args         jsontext.Value // one canonical JSON object

	// Mirrored are the arguments that the tool's schema has repeated in headers
	// of an HTTP request. No other transport has a place for them.
	Mirrored []schema.Mirrored
}

// Record is what must be on disk before the call leaves, as canonical JSON. It
// grants nothing.
func (a Approved) Record() jsontext.Value {
	return a.shown().record.Clone()
}

// Server is the server that will be called, "" where nothing is approved.
func (a Approved) Server() string { return a.shown().call.Server }

// Tool is the name of the tool that will be called, "" where nothing is approved.
func (a Approved) Tool() string { return a.shown().call.Tool }

// Args are the arguments to show to a person; those that leave are [Approved.Redeem]'s.
func (a Approved) Args() jsontext.Value { return a.shown().call.Args.Clone() }

// Subject is who asks, "" where nothing is approved or the asker has no name.
func (a Approved) Subject() string { return a.shown().by.Subject }

// Files are what the server is granted because the arguments name it.
func (a Approved) Files() []trace.FileBody { return slices.Clone(a.shown().by.Files) }

// Replaced refuses a call where a file that it names is not the one that was there
// when the call was approved: what was shown is another text by now.
func Replaced(was, now []trace.FileBody) error {
	for _, pair := range [][2][]trace.FileBody{{was, now}, {now, was}} {
		for _, f := range pair[0] {
			if !slices.Contains(pair[1], f) {
				no := verdict.Deny(verdict.ApprovalChanged, "another file is now at the path of argument %s than when the call was approved, or a link leads elsewhere", lex.RepeatPath(f.Pointer, nil))
				no.Hint = "ask again: the call is then of the file that is there"
				return no
			}
		}
	}
	return nil
}

// Intent says of every argument whether the user said it, and of every literal
// of the question whether the call uses it.
func (a Approved) Intent() intent.Report { return a.shown().intent }

// Effect is what the operator says that the tool does.
func (a Approved) Effect() catalog.Effect { return a.shown().tool.Effect() }

// Hints are the annotations of the approved descriptor.
func (a Approved) Hints() pin.Annotations { return a.shown().tool.Fields().Annotations }

// Descriptor is the one that the call was approved with.
func (a Approved) Descriptor() pin.Descriptor { return a.shown().tool.Descriptor() }

// Claim is what the server says of the tool, cut: a stranger's word, and no part
// of the record but by the descriptor's digest.
func (a Approved) Claim() string {
	return verdict.Cut(a.shown().tool.Fields().Description, maxToolError)
}

// Digest is the SHA-256 of the record: what a person approves. It is "" where
// nothing is approved.
func (a Approved) Digest() string {
	if a.p == nil {
		return ""
	}
	return digestOf(string(a.p.record))
}

// Ruled is what the rules came to. Where there is no approval it refuses.
func (a Approved) Ruled() Ruled { return a.shown().decided }

// same reports whether the live descriptor passes for the approved one.
func (p *permit) same(live pin.Descriptor) error {
	if live.Server != p.call.Server {
		return verdict.Deny(verdict.PinChanged, "a descriptor of server %.128q for a call of %s", live.Server, p.call.Server)
	}
	return p.accept.Same(p.tool.Descriptor(), live)
}

// Redeemed reports whether the call was handed out. After that it may have
// left, whatever error followed.
func (a Approved) Redeemed() bool { return a.p != nil && a.p.state.Load() == redeemed }

// Withdraw gives the approval up, and reports whether nothing can be redeemed with it
// from now on: a call that was redeemed may have left.
func (a Approved) Withdraw() bool {
	return a.p == nil || a.p.state.CompareAndSwap(open, withdrawn) || a.p.state.Load() == withdrawn
}

// used is the refusal of an approval that was redeemed or withdrawn.
func (p *permit) used() error {
	switch p.state.Load() {
	case open:
		return nil
	case withdrawn:
		return verdict.Deny(verdict.CallUnapproved, "the approval was withdrawn")
	}
	return verdict.Deny(verdict.CallSpent, "the approval was already used")
}

// still refuses a call that would be decided by something else by now.
func (p *permit) still() error {
	if p.by.Still == nil {
		return nil
	}
	return p.by.Still()
}

// Redeem yields the call, once, if its record was synced, the live descriptor
// means what the approved one does, a person consented to this very record where
// that is needed, and what decided the call still decides. What leaves is the approved call: of the live descriptor
// nothing is used.
func (a Approved) Redeem(live pin.Descriptor, on trace.Receipt, yes Consent) (Call, error) {
	if a.p == nil {
		return Call{}, verdict.Deny(verdict.CallUnapproved, "there is no approval")
	}
	if err := a.p.used(); err != nil {
		return Call{}, err
	}
	if err := a.p.same(live); err != nil {
		return Call{}, err
	}
	if !a.mayLeave(yes) {
		return Call{}, verdict.Deny(verdict.ApprovalNeeded, "the call needs an approval, and has none")
	}
	if err := a.p.still(); err != nil {
		return Call{}, err
	}
	if !on.Spend(a.p.record) {
		return Call{}, verdict.Deny(verdict.CallUnrecorded, "no synced trace line holds the approval")
	}
	if !a.p.state.CompareAndSwap(open, redeemed) {
		return Call{}, verdict.Deny(verdict.CallSpent, "the approval was already used")
	}
	return Call{a.p.call.Server, a.p.call.Tool, a.p.call.Args.Clone(), slices.Clone(a.p.call.Mirrored)}, nil
}
