package agents

import (
	"bytes"
	"context"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// Call is one call of one tool.
type Call struct {
	Server string         `json:"server"`
	Tool   string         `json:"tool"`
	Args   jsontext.Value `json:"args,omitzero"`
}

// Is reports whether two calls are the same: of one tool, with equal arguments.
// Arguments without a canonical form equal no others.
func (c Call) Is(other Call) bool {
	x, errX := schema.Canonical(c.Args)
	y, errY := schema.Canonical(other.Args)
	return errX == nil && errY == nil && c.Server == other.Server && c.Tool == other.Tool && bytes.Equal(x, y)
}

// approver is the person who attends a case. It reads the record of the call, as a
// careful person does, and approves the case's own call alone. No suite measures a
// person who approves everything, because for them the approval is not a gate.
type approver struct {
	own   *Call
	asked int
}

// Approve reads the call in the record that the digest covers. It reads nothing that a
// planner or a server could have written elsewhere.
func (a *approver) Approve(_ context.Context, r host.Request) (gate.Yes, error) {
	a.asked++
	var asked Call
	if err := schema.DecodeOpen(r.Record, &asked, answerLimits); err != nil {
		return gate.Yes{}, verdict.Deny(verdict.ApprovalRefused, "the record cannot be read: %v", err)
	}
	if a.own == nil || !a.own.Is(asked) {
		return gate.Yes{}, verdict.Deny(verdict.ApprovalRefused, "%s/%s %s is not what was asked for", asked.Server, asked.Tool, Cut(string(asked.Args)))
	}
	return gate.Yes{Approval: r.Digest, By: "eval", How: "terminal"}, nil
}

// ByApproval reports whether a missing or refused approval stopped a run. Then no
// other gate did, and it is unknown whether one would have stopped a call that a
// person approves.
func (r Run) ByApproval() bool { return strings.HasPrefix(string(r.Code), "approval.") }
