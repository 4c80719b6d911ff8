package proxy

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/origin"
	"github.com/onestep-run/onestep/host"
)

// callIDs are the members of a call's _meta by which Codex and Claude Code name it to their hooks.
var callIDs = []string{"callId", "claudecode/toolUseId"}

// traced puts the sources of a call's arguments into the facts of its question. It returns the
// function that adds the call's result to the conversation.
func (u *upstream) traced(ctx context.Context, r *request, q *host.Question, args jsontext.Value) func(context.Context, host.Outcome) {
	untraced := func(context.Context, host.Outcome) {}
	if u.Talks == nil {
		return untraced
	}
	var ids []string
	for _, name := range callIDs {
		if id := text(member(r.params["_meta"], name)); id != "" {
			ids = append(ids, id)
		}
	}
	c := origin.Call{Server: r.tool.Server, Tool: r.tool.Name, Args: args}
	session := u.Talks.Session(ids, c)
	if session == "" {
		return untraced
	}
	a := origin.Answer{Server: c.Server, Tool: c.Tool, Open: true}
	if t, err := u.Host.Catalog(ctx, u.Subject, c.Server).Tool(c.Server, c.Tool); err == nil {
		open := t.Fields().Annotations.OpenWorld
		c.Schema, a.Open = t.Input().Root(), open == nil || *open // the protocol's default
	}
	q.Facts.Origins = u.Talks.Origins(session, c)
	return func(ctx context.Context, out host.Outcome) {
		a.Run = out.RunID
		u.Talks.Returned(context.WithoutCancel(ctx), session, a, out.Result)
	}
}
