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

// Approved is one approved call. Only [Gate.Approve] makes a redeemable one; copies
// share one permit, and no decoder can make it.
type Approved struct{ p *permit }

type permit struct {
	materialised
	decided Ruled
	state   atomic.Int32
}

// The states of a permit. No state leads back to the first.
const (
	open int32 = iota
	redeemed
	withdrawn
)

// noPermit is shown if nothing is approved. It cannot be redeemed.
var noPermit permit

func (a Approved) shown() *permit { return cmp.Or(a.p, &noPermit) }

// Call is the concrete call, at the moment it leaves.
type Call struct {
	Server, Tool string
	Args         jsontext.Value // one canonical JSON object

	// Mirrored are the arguments that the tool's schema repeats in headers of an HTTP
	// request. Other transports have no place for them.
	Mirrored []schema.Mirrored
}

// Record returns what must be on disk before the call leaves, as canonical JSON. It
// grants nothing.
func (a Approved) Record() jsontext.Value {
	return a.shown().record.Clone()
}

// Server returns the server to call, or "" if nothing is approved.
func (a Approved) Server() string { return a.shown().call.Server }

// Tool returns the name of the tool to call, or "" if nothing is approved.
func (a Approved) Tool() string { return a.shown().call.Tool }

// Args returns the arguments to show to a person. The arguments that leave come from
// [Approved.Redeem].
func (a Approved) Args() jsontext.Value { return a.shown().call.Args.Clone() }

// Subject returns the asker, or "" if nothing is approved or the asker has no name.
func (a Approved) Subject() string { return a.shown().by.Subject }

// Asked returns the question and its context, of which the record has the digests.
func (a Approved) Asked() (words, context string) {
	q := a.shown().by.Query
	return q.Words(), q.Context()
}

// Files returns the files that the server is granted because the arguments name them.
func (a Approved) Files() []trace.FileBody { return slices.Clone(a.shown().by.Files) }

// Replaced refuses a call if a file that it names has been replaced since the
// approval: the person saw another text.
func Replaced(was, now []trace.FileBody) error {
	for _, pair := range [][2][]trace.FileBody{{was, now}, {now, was}} {
		for _, f := range pair[0] {
			if !slices.Contains(pair[1], f) {
				return verdict.Deny(verdict.ApprovalChanged, "another file is now at the path of argument %s than when the call was approved, or a link leads elsewhere", lex.RepeatPath(f.Pointer, nil)).
					WithHint("ask again: the call is then of the file that is there")
			}
		}
	}
	return nil
}

// Intent reports for every argument whether the user said it, and for every literal of
// the question whether the call uses it.
func (a Approved) Intent() intent.Report { return a.shown().intent }

// Effect returns what the operator says that the tool does.
func (a Approved) Effect() catalog.Effect { return a.shown().tool.Effect() }

// Hints returns the annotations of the approved descriptor.
func (a Approved) Hints() pin.Annotations { return a.shown().tool.Fields().Annotations }

// Descriptor returns the descriptor that the call was approved with.
func (a Approved) Descriptor() pin.Descriptor { return a.shown().tool.Descriptor() }

// Claim returns the server's description of the tool, cut. It is untrusted text. The
// record has it only through the descriptor's digest.
func (a Approved) Claim() string {
	return verdict.Cut(a.shown().tool.Fields().Description, maxToolError)
}

// Digest returns the SHA-256 of the record, which is what a person approves, or "" if
// nothing is approved.
func (a Approved) Digest() string {
	if a.p == nil {
		return ""
	}
	return digestOf(string(a.p.record))
}

// Ruled returns the result of the rules. Without an approval it refuses.
func (a Approved) Ruled() Ruled { return a.shown().decided }

// same reports an error unless the live descriptor may pass for the approved one.
func (p *permit) same(live pin.Descriptor) error {
	if live.Server != p.call.Server {
		return verdict.Deny(verdict.PinChanged, "a descriptor of server %.128q for a call of %s", live.Server, p.call.Server)
	}
	return p.accept.Same(p.tool.Descriptor(), live)
}

// Redeemed reports whether the call was handed out. After that it may have left, even
// if an error followed.
func (a Approved) Redeemed() bool { return a.p != nil && a.p.state.Load() == redeemed }

// Withdraw gives up the approval, and reports whether nothing can redeem it from now
// on. A call that was already redeemed may have left.
func (a Approved) Withdraw() bool {
	return a.p == nil || a.p.state.CompareAndSwap(open, withdrawn) || a.p.state.Load() == withdrawn
}

// used returns the refusal of a redeemed or withdrawn approval.
func (p *permit) used() error {
	switch p.state.Load() {
	case open:
		return nil
	case withdrawn:
		return verdict.Deny(verdict.CallUnapproved, "the approval was withdrawn")
	}
	return verdict.Deny(verdict.CallSpent, "the approval was already used")
}

// Redeem returns the call, once, if all conditions are met. Its record was synced. The
// live descriptor means what the approved one means. A person consented to this very
// record, if that is needed. And the rules and settings that decided the call have not
// changed. The approved call leaves: nothing of the live descriptor is used.
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
	if still := a.p.by.Still; still != nil {
		if err := still(); err != nil {
			return Call{}, err
		}
	}
	if err := on.Wait(); err != nil {
		return Call{}, verdict.Fail(verdict.TraceUnwritable, err, "the trace cannot be written: %v", err)
	}
	if !on.Spend(a.p.record) {
		return Call{}, verdict.Deny(verdict.CallUnrecorded, "no synced trace line holds the approval")
	}
	if !a.p.state.CompareAndSwap(open, redeemed) {
		return Call{}, verdict.Deny(verdict.CallSpent, "the approval was already used")
	}
	return Call{a.p.call.Server, a.p.call.Tool, a.p.call.Args.Clone(), slices.Clone(a.p.call.Mirrored)}, nil
}
