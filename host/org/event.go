package org

import (
	"context"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// Event is an entry of the audit: a change by a member, or a call of an agent.
type Event struct {
	Seq      int64          `json:"seq"`
	Time     time.Time      `json:"time"`
	Member   string         `json:"member,omitempty"` // who made the change
	Agent    string         `json:"agent,omitempty"`  // who called
	Token    string         `json:"token,omitempty"`  // its id
	Action   string         `json:"action"`           // agent_tool_call, server_attached…
	Type     string         `json:"resource_type"`    // mcp_tool, agent, server…
	Resource string         `json:"resource_id"`
	Details  jsontext.Value `json:"details,omitempty"`
}

// event adds the event of a change.
func (t *tx) event(action, kind, resource string, details any) error {
	e := Event{Time: t.org.now(), Member: t.by.Member, Token: t.by.Token, Action: action, Type: kind, Resource: resource}
	if details != nil {
		text, err := encode(details, maxRow)
		if err != nil {
			return unfit("event", action, err)
		}
		e.Details = text
	}
	return t.add(e)
}

func (t *tx) add(e Event) error {
	body, err := encode(e, limits.Bytes)
	if err != nil {
		return unfit("event", e.Action, err)
	}
	return t.Add(body)
}

// Note adds an event besides the changes, such as a call. Details that cannot be read again are
// left out: they may be from a model, and the event happened.
func (o *Org) Note(ctx context.Context, e Event) error {
	e.Time, e.Seq = o.now(), 0
	if _, err := encode(e, maxRow); err != nil {
		e.Details = jsontext.Value(`{"left_out": true}`)
	}
	return o.note(ctx, By{}, func(t *tx) error { return t.add(e) })
}

// Events are the events after a number, in order, at most limit of them.
func (o *Org) Events(ctx context.Context, after int64, limit int) ([]Event, error) {
	rows, err := o.State.Events(ctx, after, limit)
	if err != nil {
		return nil, err
	}
	list := make([]Event, len(rows))
	for i, r := range rows {
		if err := schema.Decode(r.Body, &list[i], limits); err != nil {
			return nil, err
		}
		list[i].Seq = r.Seq
	}
	return list, nil
}
