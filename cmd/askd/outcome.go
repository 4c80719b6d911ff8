package main

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/host"
)

// outcome is the end of a member's run.
type outcome struct {
	Run      string         `json:"run_id"`
	Type     string         `json:"type" jsonschema:"tool_result, final_answer, blocked and so on"`
	Call     string         `json:"call" jsonschema:"none, answered, failed or unknown: whether a call left"`
	Plan     jsontext.Value `json:"plan,omitempty"`
	Result   jsontext.Value `json:"result,omitempty" jsonschema:"the typed value of the tool's result"`
	Raw      jsontext.Value `json:"raw,omitempty" jsonschema:"a result without a type"`
	Note     string         `json:"note,omitempty"`
	Approval string         `json:"approval,omitempty" jsonschema:"the digest of the call that waits for a person"`
	Trace    string         `json:"trace_digest,omitempty"`
	Error    *problem       `json:"error,omitempty"`
}

func outcomeOf(o host.Outcome) outcome {
	is := outcome{Run: o.RunID, Type: o.Type.String(), Call: o.Call, Plan: o.Plan, Result: o.Typed, Raw: o.Raw, Note: o.Note, Trace: o.TraceDigest}
	if o.Approval != nil {
		is.Approval = o.Approval.Digest
	}
	if o.Error != nil {
		is.Error = &problem{string(o.Error.Code), o.Error.Message, o.Error.Hint}
	}
	return is
}
