package gate

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

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

func (m materialised) format1() (jsontext.Value, error) { return canonical(m.first()) }

func (m materialised) format2() (jsontext.Value, error) {
	return canonical(record2{m.first(), m.tool.Identity()})
}

func (m materialised) first() record1 {
	return record1{m.call.Server, m.call.Tool, m.call.Args, m.tool.Digest().String(), m.marked}
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

// RecordFormat1 is [Approved.Record] as traces of format 1 hold it. Nothing
// can be redeemed with it.
func (a Approved) RecordFormat1() jsontext.Value {
	if a.p == nil {
		return nil
	}
	record, err := a.p.format1()
	if err != nil {
		return nil
	}
	return record
}
