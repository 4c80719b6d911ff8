package gate

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

// Consent is a person's yes to one approval, byte for byte. It is as good for
// one call as the approval is. Only [Approved.Consented] makes one; the zero
// value consents to nothing.
//
// It proves that some process told the host so, and that this is on the trace.
// It does not prove who sat in front of it.
type Consent struct{ to *permit }

// Yes is what was answered, and how. It is the body of a trace's consent line.
type Yes struct {
	Approval string // the approval's digest, as the one who answered saw it
	By       string // who answered
	How      string // one of the ways below
	RunID    string // of the run whose pending approval this is; "" where it was asked at once
	Trace    string // that run's trace digest, or ""
}

// The ways in which a call is approved.
const (
	AtTerminal  = "terminal"  // a person was asked at a terminal
	ByDigest    = "digest"    // the approval's digest was given
	ByYes       = "yes"       // whoever wrote the call out said so with it
	ByAllowlist = "allowlist" // the operator, of every call of the tool that carries no mark
)

// ConsentRecord is the yes as canonical JSON, to be put on the trace. It is an
// approval.* denial where the yes is to another call, or was given in a way that
// the operator does not take for this one.
func (a Approved) ConsentRecord(y Yes) (jsontext.Value, error) {
	if a.p == nil || y.Approval == "" || y.Approval != a.Digest() {
		return nil, verdict.Deny(verdict.ApprovalChanged, "what was approved is not this call")
	}
	if a.Effect().Approval == catalog.Terminal && y.How != AtTerminal {
		return nil, verdict.Deny(verdict.ApprovalRefused, "the allowlist has calls of %s/%s approved at a terminal", a.Server(), a.Tool())
	}
	return canonical(struct {
		Approval string `json:"approval"`
		By       string `json:"by"`
		How      string `json:"how"`
		RunID    string `json:"run_id,omitempty"`
		Trace    string `json:"trace,omitempty"`
	}{y.Approval, y.By, y.How, y.RunID, y.Trace})
}

// Consented turns a yes whose record was synced into the consent to this very
// approval.
func (a Approved) Consented(y Yes, on trace.Receipt) (Consent, error) {
	record, err := a.ConsentRecord(y)
	if err != nil {
		return Consent{}, err
	}
	if !on.Spend(record) {
		return Consent{}, verdict.Deny(verdict.CallUnrecorded, "no synced trace line holds the consent")
	}
	return Consent{a.p}, nil
}

// mayLeave reports whether the rules let the call leave: by themselves, or with
// a consent to this very approval.
func (a Approved) mayLeave(yes Consent) bool {
	switch a.Decision().Ruling {
	case verdict.Allow:
		return true
	case verdict.Ask:
		return yes.to == a.p
	}
	return false
}
