package org

import (
	"context"
	"strings"
	"time"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/approval"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/inbox"
	"github.com/onestep-run/onestep/host/org"
)

// OfAgent is the subject of an agent's own calls.
func OfAgent(name string) string { return subjectPrefix + name }

// OfMember is the subject of a member's question to an agent's servers.
func OfMember(name, agent string) string { return memberPrefix + name + "@" + agent }

const (
	subjectPrefix = "agent:"
	memberPrefix  = "member:"
)

// Waiting is a call that waits for a person.
type Waiting struct {
	Approval approval.Approval
	Shown    inbox.Shown
	Err      error // why the call cannot be shown: it cannot be approved either
}

// Agent is the agent whose servers are to be called, by itself or for a member.
func (w Waiting) Agent() string {
	if name, is := strings.CutPrefix(w.Shown.Subject, subjectPrefix); is {
		return name
	}
	_, name, _ := strings.Cut(w.Shown.Subject, "@")
	return name
}

// Waits are the calls that wait for a person, the oldest first.
func (h *Hosts) Waits(ctx context.Context) ([]Waiting, error) {
	rows, err := h.Org.State.Waiting(ctx)
	if err != nil {
		return nil, err
	}
	var all []Waiting
	for _, is := range rows {
		if is.State == approval.Pending && is.Live(h.Org.Now()) {
			all = append(all, h.waiting(ctx, is))
		}
	}
	return all, nil
}

// Wait is the call of a run that waits for a person.
func (h *Hosts) Wait(ctx context.Context, run string) (Waiting, error) {
	is, err := h.Org.State.Approval(ctx, run)
	if err != nil {
		return Waiting{}, err
	}
	w := h.waiting(ctx, is)
	return w, w.Err
}

func (h *Hosts) waiting(ctx context.Context, is approval.Approval) Waiting {
	w := Waiting{Approval: is}
	body, err := h.Org.State.Request(ctx, is.RunID, is.Digest)
	if err == nil {
		w.Shown, err = inbox.ReadRequest(body, is.Digest)
	}
	w.Err = err
	return w
}

// Answer approves or denies the call that a member was shown: the digest is that of its approval.
// No member approves a question of their own.
func (h *Hosts) Answer(ctx context.Context, by org.By, run, digest string, yes bool) error {
	w, err := h.Wait(ctx, run)
	if err != nil {
		return err
	}
	if digest != w.Approval.Digest {
		return verdict.Deny(verdict.ApprovalUnknown, "the run %s waits with another call than was shown", run)
	}
	step := approval.Step{To: approval.Denied, By: memberPrefix + by.Member, How: gate.ByDigest, Now: h.Org.Now().UTC().Truncate(time.Millisecond)}
	if yes {
		if err := w.Shown.Takes(OfMember(by.Member, w.Agent()), gate.ByDigest, true); err != nil {
			return err
		}
		step.To = approval.Approved
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), makeTime) // an answer and its event belong together
	defer cancel()
	if _, err := h.Org.State.Move(ctx, run, digest, step); err != nil {
		return err
	}
	resource := w.Shown.Server + "/" + w.Shown.Tool
	return h.Org.Note(ctx, org.Event{Member: by.Member, Token: by.Token, Agent: w.Agent(), Action: "call_" + string(step.To), Type: "mcp_tool", Resource: resource})
}
