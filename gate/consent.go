package gate

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

// Consent is a person's yes to one approval, byte for byte. It is good for one call,
// like the approval. Only [Approved.Consented] makes one; the zero value consents to
// nothing.
//
// It proves that a process reported the yes to the host, and that the trace has it. It
// does not prove which person gave it.
type Consent struct{ to *permit }

// Yes is an answer to an approval, and how it was given. It is the body of a trace's
// consent line.
type Yes struct {
	Approval string // the approval's digest, as the person who answered saw it
	By       string // the person who answered
	How      string // one of the ways below
	RunID    string // the run with this pending approval; "" if the approval was asked for at once
	Trace    string // that run's trace digest, or ""

	Grant *grant.Grant // the grant that answers, for a yes by a grant
	Gives *grant.Grant // the grant that the person gives with it; nil if they approve this call alone
}

// The ways in which a call is approved.
const (
	AtTerminal  = "terminal"  // a person was asked at a terminal
	ByDigest    = "digest"    // the approval's digest was given
	ByYes       = "yes"       // the user who wrote the call added the yes
	ByGrant     = "grant"     // a person, by a grant that answers the call
	ByRule      = "rule"      // the operator, by a rule of the policy
	ByAllowlist = "allowlist" // the operator, for every unmarked call of the tool
)

// ConsentRecord returns the yes as canonical JSON, for the trace. It returns an
// approval.* denial if the yes is to another call, or if the operator does not accept
// this person or this way. The asking program names the subjects: an asker without a
// name is not known to be another person.
func (a Approved) ConsentRecord(y Yes) (jsontext.Value, error) {
	who := Record{Subject: a.Subject(), Server: a.Server(), Tool: a.Tool(), Approval: a.Effect().Approval.String()}
	if err := who.otherThanAsker(y.By, a.shown().others); err != nil {
		return nil, err
	}
	if a.p == nil || y.Approval == "" || y.Approval != a.Digest() {
		return nil, verdict.Deny(verdict.ApprovalChanged, "the approval is for another call")
	}
	if err := who.Takes(y.By, y.How, a.shown().others); err != nil {
		return nil, err
	}
	if err := a.grantsFit(y); err != nil {
		return nil, err
	}
	return canonical(struct {
		Approval string       `json:"approval"`
		By       string       `json:"by"`
		How      string       `json:"how"`
		RunID    string       `json:"run_id,omitempty"`
		Trace    string       `json:"trace,omitempty"`
		At       string       `json:"at,omitempty"`
		Grant    *grant.Grant `json:"grant,omitempty"`
		Gives    *grant.Grant `json:"gives,omitempty"`
	}{y.Approval, y.By, y.How, y.RunID, y.Trace, a.at(y), y.Grant, y.Gives})
}

// Consented turns a yes with a synced record into the consent to this very approval.
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

// mayLeave reports whether the rules let the call leave, alone or with a consent to
// this very approval.
func (a Approved) mayLeave(yes Consent) bool {
	switch a.Ruled().Ruling {
	case verdict.Allow:
		return true
	case verdict.Ask:
		return yes.to == a.p
	}
	return false
}

// Record is the content of an approval, for the trace and the approval's digest. It
// has the question's texts by their digests; the trace has the texts. A replay makes
// it again and compares the bytes.
type Record struct {
	RunID      string         `json:"run_id"`
	Subject    string         `json:"subject"`
	Expires    string         `json:"expires"`
	Question   string         `json:"question"`
	Context    string         `json:"context"`
	Server     string         `json:"server"`
	Identity   pin.Identity   `json:"identity"`
	Tool       string         `json:"tool"`
	Descriptor string         `json:"descriptor"`
	Meaning    string         `json:"meaning"` // of the descriptor: it is compared with that of the live one
	Args       jsontext.Value `json:"args"`
	Intent     intent.Report  `json:"intent"`
	Effect     string         `json:"effect"`        // "read" or "write"
	EffectBy   string         `json:"effect_by"`     // "operator", "sandbox", or "default": see By of gate/catalog
	Approval   string         `json:"tool_approval"` // the allowlist's setting for approvals

	Facts *trace.FactsBody `json:"facts,omitempty"`
	Files []trace.FileBody `json:"files,omitempty"` // the files that a confined server is granted for this call

	Deciding string `json:"deciding,omitempty"` // digest of the rules, the allowlist and the settings that decided
}

// Takes refuses a yes if the operator does not accept the person, or the way, for this
// call. With others, no user approves what they asked for themselves.
func (r Record) Takes(by, how string, others bool) error {
	if err := r.otherThanAsker(by, others); err != nil {
		return err
	}
	if r.Approval == catalog.Terminal.String() && how != AtTerminal {
		return verdict.Deny(verdict.ApprovalRefused, "the allowlist requires an approval at a terminal for calls of %s/%s", r.Server, r.Tool)
	}
	return nil
}

func (r Record) otherThanAsker(by string, others bool) error {
	own := r.Subject == "" || by == "" || by == r.Subject
	if others && own {
		return verdict.Deny(verdict.ApprovalRefused, "no user may approve a call that they asked for themselves")
	}
	return nil
}

// ReadRecord reads the record of an approval. It approves nothing.
func ReadRecord(b jsontext.Value) (r Record, err error) {
	if err = schema.DecodeOpen(b, &r, schema.ResultLimits); err != nil {
		return Record{}, verdict.Fail(verdict.TraceBroken, err, "the record of the approval has %v", err)
	}
	return r, nil
}

// CallDigest returns the digest of the call alone, without the operator's statements
// about it. It stays the same under other rules, another allowlist or other settings.
func (r Record) CallDigest() string {
	r.Intent, r.Effect, r.EffectBy, r.Approval, r.Deciding = intent.Report{}, "", "", "", ""
	b, err := canonical(r)
	if err != nil {
		return ""
	}
	return digestOf(string(b))
}

func (m materialised) recorded() (jsontext.Value, error) {
	meaning, err := m.tool.Meaning()
	if err != nil {
		return nil, verdict.Deny(verdict.CatalogDescriptor, "%v", err)
	}
	effect := m.tool.Effect()
	r := Record{
		RunID: m.by.RunID, Subject: m.by.Subject, Expires: m.by.Expires,
		Question: digestOf(m.by.Query.Words()), Context: digestOf(m.by.Query.Context()),
		Server: m.call.Server, Identity: m.tool.Identity(), Tool: m.call.Tool, Descriptor: m.tool.Digest().String(),
		Args: m.call.Args, Intent: m.intent, Effect: effect.String(), EffectBy: effect.By(), Approval: effect.Approval.String(),
	}
	facts := m.by.Facts
	facts.Labels, facts.Grants, facts.Origins = nil, nil, nil // the next same call may have others
	r.Meaning, r.Facts, r.Files, r.Deciding = meaning.String(), facts.Body(), m.by.Files, m.by.Deciding
	return canonical(r)
}

func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// canonical writes a record in the form that a receipt covers.
func canonical(record any) (jsontext.Value, error) {
	raw, err := json.Marshal(record)
	if err == nil {
		raw, err = schema.Canonical(raw)
	}
	if err != nil {
		return nil, verdict.Deny(verdict.CallUnapproved, "the approval cannot be recorded")
	}
	return raw, nil
}
