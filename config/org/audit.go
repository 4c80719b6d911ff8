package org

import (
	"context"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/org"
)

// audit adds the calls and refusals of an agent to the organisation's audit.
type audit struct {
	*org.Org
	agent string
}

// called are the details of a call in the audit. Arguments are named; of their values it has only
// those that a rule names.
type called struct {
	ServerID    string            `json:"mcp_server_id"`
	ServerName  string            `json:"mcp_server_name"`
	Tool        string            `json:"tool_name"`
	ExecutionMS *int64            `json:"execution_time_ms"` // null if no call left
	Parent      string            `json:"parent_execution,omitempty"`
	Run         string            `json:"run_id"`
	Trace       string            `json:"trace_digest,omitempty"`
	Verdict     string            `json:"verdict"`
	Code        verdict.Code      `json:"code,omitempty"`
	Phase       string            `json:"phase"` // before the call leaves, or after the run has ended
	Call        string            `json:"call"`
	Approver    string            `json:"approver,omitempty"`
	How         string            `json:"approved_how,omitempty"`
	Arguments   []string          `json:"arguments"`
	Values      map[string]string `json:"values,omitempty"`
}

// Add implements [host.Audit].
func (a audit) Add(ctx context.Context, l host.AuditLine) error {
	details, err := json.Marshal(called{
		l.Server, l.Server, l.Tool, l.ExecutionMS, l.ParentRun, l.RunID, l.TraceDigest, l.Verdict, l.Code, l.Phase, l.Call, l.Approver, l.ApprovedHow, l.Arguments, l.Values,
	})
	if err != nil {
		return err
	}
	e := org.Event{Agent: a.agent, Action: "agent_tool_call", Type: l.ResourceType, Resource: l.ResourceID, Details: details}
	if member, is := strings.CutPrefix(l.Subject, memberPrefix); is {
		e.Member, _, _ = strings.Cut(member, "@")
		e.Action = "tool_call"
	}
	return a.Note(ctx, e)
}
