package inbox

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

// Request is a call that waits for a person, as its approval's row has it. A process that
// has only the row can show the whole call.
type Request struct {
	Record     jsontext.Value     `json:"record"`            // the approval has its digest
	Question   string             `json:"question"`          // Record has its digest
	Context    string             `json:"context,omitempty"` // the same
	Descriptor pin.Descriptor     `json:"descriptor"`        // of the tool; the same
	Why        string             `json:"why,omitempty"`     // the call is asked for again; "" the first time
	Removed    *trace.RemovedBody `json:"removed,omitempty"` // from the arguments that a client sent
}

// RequestOf is the request for an approved call.
func RequestOf(a gate.Approved, why string, removed *trace.RemovedBody) (string, error) {
	d := a.Descriptor()
	d.OrderAt = nil // no digest covers it
	words, context := a.Asked()
	b, err := json.Marshal(Request{a.Record(), words, context, d, why, removed})
	return string(b), err
}

// Shown is a request as a person is shown it.
type Shown struct {
	gate.Record // its Question and Context are digests of these:

	Words, Context string

	Claim   string // the server's own description of the tool: a stranger's word
	Why     string
	Removed *trace.RemovedBody
}

// ReadRequest reads a request. It refuses a request of another approval than that with this
// digest, which covers the record, which has the client, and through it the question and the
// descriptor.
func ReadRequest(body []byte, digest string) (s Shown, err error) {
	var r Request
	if err := schema.DecodeOpen(body, &r, schema.ResultLimits); err != nil {
		return Shown{}, verdict.Fail(verdict.StateUnreadable, err, "the stored call has %v", err)
	}
	if digestOf(r.Record) != digest {
		return Shown{}, verdict.Deny(verdict.ApprovalUnknown, "the stored call is not the one to approve")
	}
	if s.Record, err = gate.ReadRecord(r.Record); err != nil {
		return Shown{}, err
	}
	if digestOf([]byte(r.Question)) != s.Question || digestOf([]byte(r.Context)) != s.Record.Context {
		return Shown{}, verdict.Deny(verdict.ApprovalUnknown, "the stored question is not that of the call to approve")
	}
	is, err := r.Descriptor.Digest()
	if err != nil || r.Descriptor.Server != s.Server || is.String() != s.Descriptor {
		return Shown{}, verdict.Deny(verdict.ApprovalUnknown, "the stored tool is not that of the call to approve")
	}
	f, err := r.Descriptor.Fields()
	if err != nil {
		return Shown{}, verdict.Fail(verdict.StateUnreadable, err, "the stored tool has %v", err)
	}
	s.Intent = s.Intent.Shown(r.Question)
	s.Words, s.Context, s.Claim, s.Why, s.Removed = r.Question, r.Context, f.Description, r.Why, r.Removed
	return s, nil
}

func digestOf(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}
