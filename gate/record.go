package gate

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// The record of an approval, by the format of the trace that holds it. A
// trace keeps its format: a replay remakes the record as the run made it, and
// compares the bytes.

// record1 is of format 1.
type record1 struct {
	Server      string         `json:"server"`
	Tool        string         `json:"tool"`
	Args        jsontext.Value `json:"args"`
	Descriptor  string         `json:"descriptor"`
	FromContext []string       `json:"from_context,omitempty"` // JSON Pointers of arguments that the question does not hold
}

// record2 adds how the server is reached.
type record2 struct {
	record1
	Identity pin.Identity `json:"identity"`
}

// record3 is all that an approval is of. The question's texts are in it by
// digest: the trace has them.
type record3 struct {
	RunID      string         `json:"run_id"`
	Subject    string         `json:"subject"`
	Expires    string         `json:"expires"`
	Question   string         `json:"question"`
	Context    string         `json:"context"`
	Server     string         `json:"server"`
	Identity   pin.Identity   `json:"identity"`
	Tool       string         `json:"tool"`
	Descriptor string         `json:"descriptor"`
	Args       jsontext.Value `json:"args"`
	Intent     intent.Report  `json:"intent"`
	Effect     string         `json:"effect"`        // "read" or "write"
	EffectBy   string         `json:"effect_by"`     // "operator", or "default" where a plain list says neither
	Approval   string         `json:"tool_approval"` // what the allowlist says of approvals
}

// record4 adds what the descriptor means: what the live one is compared by.
type record4 struct {
	record3
	Meaning string `json:"meaning"`
}

func (m materialised) fourth() (jsontext.Value, error) {
	meaning, err := m.tool.Meaning()
	if err != nil {
		return nil, verdict.Deny(verdict.CatalogDescriptor, "%v", err)
	}
	return canonical(record4{m.third(), meaning.String()})
}

func (m materialised) third() record3 {
	effect := m.tool.Effect()
	return record3{
		RunID: m.by.RunID, Subject: m.by.Subject, Expires: m.by.Expires,
		Question: digestOf(m.by.Query.Words()), Context: digestOf(m.by.Query.Context()),
		Server: m.call.Server, Identity: m.tool.Identity(), Tool: m.call.Tool, Descriptor: m.tool.Digest().String(),
		Args: m.call.Args, Intent: m.intent, Effect: effect.String(), EffectBy: effect.By(), Approval: effect.Approval.String(),
	}
}

func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// first is the record of format 1, whose marks were of the context alone.
func (m materialised) first() record1 {
	return record1{m.call.Server, m.call.Tool, m.call.Args, m.tool.Digest().String(), fromContext(m.by.Query, m.call.Args)}
}

// canonical writes a record as a receipt covers it.
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

// RecordFormat is [Approved.Record] as traces of an older format hold it, or
// nil where there is no such format. Nothing can be redeemed with it.
func (a Approved) RecordFormat(format int) jsontext.Value {
	if a.p == nil {
		return nil
	}
	record, err := a.p.format(format)
	if err != nil {
		return nil
	}
	return record
}

// format is the record as traces of a format hold it.
func (m materialised) format(format int) (jsontext.Value, error) {
	switch format {
	case 1:
		return canonical(m.first())
	case 2:
		return canonical(record2{m.first(), m.tool.Identity()})
	case 3:
		return canonical(m.third())
	case 4:
		return m.fourth()
	}
	return nil, verdict.Deny(verdict.CallUnapproved, "there is no record of format %d", format)
}
