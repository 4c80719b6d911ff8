package proxy

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// The names that we add to a result's _meta. Ours win over the server's.
const (
	MetaRun     = "run.onestep/run_id"
	MetaTrace   = "run.onestep/trace_digest"
	MetaVerdict = "run.onestep/verdict"
	MetaHanded  = "run.onestep/handed_run"   // the earlier run that had this result: no call was made
	MetaBy      = "run.onestep/approved_by"  // who approved the call
	MetaHow     = "run.onestep/approved_how" // such as "terminal" or "grant"
)

var metas = []string{MetaRun, MetaTrace, MetaHanded, MetaBy, MetaHow, MetaVerdict}

// call answers tools/call with one question.
func (u *upstream) call(ctx context.Context, req *mcp.CallToolRequest) (mcp.Result, error) { //nolint:contextcheck // a call over HTTP has a life of its own
	r := u.carried(ctx, req)
	if r == nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the call has no parameters"}
	}
	defer r.finish()
	name, args := text(r.params["name"]), r.params["arguments"]
	if name == "" {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the call names no tool"}
	}
	if p := req.Session.InitializeParams(); p != nil && p.ClientInfo != nil {
		r.client, r.version = p.ClientInfo.Name, p.ClientInfo.Version
	}
	if r.life != nil {
		ctx = r.life
	}
	var is bool
	if r.tool, is = u.named(ctx, r, name); !is {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "no tool of this name is listed"}
	}
	r.result = u.answer(ctx, r, args)
	if r.modern {
		r.result = complete(r.result)
	}
	return &called{raw: r.result}, nil
}

// named is the tool that a call names. One server alone gets any name: the gates refuse it.
func (u *upstream) named(ctx context.Context, r *request, name string) (t Tool, is bool) {
	if u.Servers == nil || ours[name] != "" {
		return Tool{u.Server, name}, true
	}
	t, is = u.look(ctx, r.from.reader()).to[name]
	return t, is
}

func (u *upstream) answer(ctx context.Context, r *request, args jsontext.Value) []byte {
	switch r.tool.Name {
	case toolStatus:
		return u.status(ctx, r.from.reader())
	case toolReleased:
		return u.released(ctx, r, args)
	}
	if args == nil {
		args = jsontext.Value(`{}`) // the protocol lets a call leave them out
	}
	q := host.Question{
		Plan: planned(r.tool, args), Client: true, Subject: u.Subject, Summarize: new(false), Labelled: u.Labelled,
		Facts: gate.Facts{Conversation: cmp.Or(r.conversation, u.Conversation), Client: claimed(r.client), ClientVersion: claimed(r.version)},
	}
	q.Same = u.same(ctx, q, r.tool.Server)
	if escape.Name(r.tool.Name) {
		q.Only = r.tool.Server + "/" + r.tool.Name // so that a trace names the tool of a plan that is in another file
	}
	traced := u.traced(ctx, r, &q, args)
	out := u.ask(ctx, r, q)
	u.log(r, out)
	traced(ctx, out)
	if out.Error != nil && out.Call == host.None && slices.Contains(u.New(ctx), r.tool.Name) {
		why := *out.Error
		why.Message += "; " + u.newTool(r.tool.Server)
		out.Error = &why
	}
	if out.Guard != nil && out.Guard.Withheld != "" {
		u.withheld.Store(true)
		u.renew(ctx)
	}
	return u.result(r, out)
}

// same is the plan by which a call is recognised as the same. It lacks the argument that
// the client adds to every tool. It is nil if that is the plan as sent.
func (u *upstream) same(ctx context.Context, q host.Question, server string) []byte {
	if !gate.Adds(q.Facts.Client) {
		return nil
	}
	sent, err := plan.Parse(q.Plan)
	if err != nil {
		return nil // the gate refuses it
	}
	p, removed := u.gate.WithoutAddition(q.Facts.Client, u.Host.Catalog(ctx, u.Subject, server), sent)
	if removed == nil {
		return nil
	}
	return p.JSON()
}

// maxClaimed bounds the name and the version that a client claims, in bytes.
const maxClaimed = 64

// claimed is a name or version that a client claims, as one line of visible text.
func claimed(text string) string { return escape.Line(verdict.Cut(text, maxClaimed), 4*maxClaimed) }

// planned is the call as a plan. The arguments are the client's own bytes, with all their
// errors: the gates find those.
func planned(t Tool, args jsontext.Value) []byte {
	return fmt.Appendf(nil, `{"type":"call_tool","server":%s,"tool":%s,"args":%s}`, quoted(t.Server), quoted(t.Name), args)
}

// result is the client's result for an outcome.
func (u *upstream) result(r *request, out host.Outcome) []byte {
	body := out.Result
	switch {
	case out.Handed != nil:
		body = out.Handed
	case body == nil:
		body = out.ToolError
	}
	switch why := out.Error; {
	case body != nil:
	case why == nil:
		body = message("onestep made no call.", true)
	default: // why no result came, and what a model can do about it
		body = message(fmt.Sprintf("onestep refused: %s: %s\nNext: %s", why.Code, escape.Line(why.Message, maxReason), u.next(r, out)), true)
	}
	if out.Error != nil && out.Error.Code == verdict.OutputRPCError && out.ToolError != nil {
		body = followed(body, "onestep: the server answered with a JSON-RPC error. Next: "+out.Error.Hint+".")
	}
	body = escape.Controls(r.from.reader().result(body))
	if schema.Check(body, outLimits) != nil {
		body = message("onestep refused the result: with its control characters written out it is no longer a result. The call was made; do not make it a second time.", true)
	}
	return marked(body, out)
}

// followed is a result with one more text after its content: ours.
func followed(result []byte, words string) []byte {
	members, err := schema.Envelope(result, outLimits)
	for i, m := range members {
		if m.Name == "content" && err == nil {
			blocks := bytes.TrimSuffix(bytes.TrimSpace(m.Value), []byte("]"))
			members[i].Value = fmt.Appendf(blocks, `,{"type":"text","text":%s}]`, quoted(words))
			return schema.Object(members)
		}
	}
	return result
}

// outLimits bound a result as the client gets it. With its control characters written out
// it may be longer than when it was accepted.
var outLimits = schema.Limits{Bytes: 2 * maxLine, Depth: 80, Values: 1 << 20, Exponent: 308, Digits: 64}

// marked is a result with the identity of its run.
func marked(result []byte, out host.Outcome) []byte {
	members, err := schema.Envelope(result, outLimits)
	if err != nil { // a result that nothing marks could name another run
		return message("onestep refused the result: it is not a tool result.", true)
	}
	ruling := verdict.Allow.String() // or the code of the error that ended the run
	if out.Error != nil {
		ruling = string(out.Error.Code)
	}
	at := slices.IndexFunc(members, func(m schema.Member) bool { return m.Name == "_meta" })
	if at < 0 {
		at, members = len(members), append(members, schema.Member{Name: "_meta"})
	}
	theirs, _ := schema.Envelope(members[at].Value, outLimits) // empty for anything but an object
	all := slices.DeleteFunc(theirs, func(m schema.Member) bool { return slices.Contains(metas, m.Name) })
	var yes host.Approval // the zero value approves nothing
	if out.Approval != nil {
		yes = *out.Approval
	}
	for i, mine := range []string{out.RunID, out.TraceDigest, out.HandedRun, escape.Line(yes.By, maxClaimed*2), yes.How, ruling} {
		if mine != "" || metas[i] == MetaRun {
			all = append(all, schema.Member{Name: metas[i], Value: quoted(mine)})
		}
	}
	members[at].Value = schema.Object(all)
	return schema.Object(members)
}

// complete adds the member that a client without a handshake demands of a result.
func complete(result []byte) []byte {
	members, err := schema.Envelope(result, outLimits)
	if err != nil || slices.ContainsFunc(members, func(m schema.Member) bool { return m.Name == "resultType" }) {
		return result
	}
	return schema.Object(append(members, schema.Member{Name: "resultType", Value: jsontext.Value(`"complete"`)}))
}

// message is a result of one text of ours.
func message(words string, isError bool) []byte {
	end := "}"
	if isError {
		end = `,"isError":true}`
	}
	return fmt.Appendf(nil, `{"content":[{"text":%s,"type":"text"}]%s`, quoted(words), end)
}

// maxReason bounds the part of a reason that a refusal repeats, in bytes.
const maxReason = 600

// released answers the tool that hands out a result that a person released.
func (u *upstream) released(ctx context.Context, r *request, args jsontext.Value) []byte {
	run := text(member(args, "run_id"))
	if u.Quarantine == nil || run == "" {
		return message("onestep_released takes run_id, of a run whose result was withheld.", true)
	}
	out, err := u.Quarantine.Take(ctx, run, cmp.Or(u.Labelled, r.conversation, u.Conversation))
	if err != nil {
		why := host.FailureOf(err)
		return message(fmt.Sprintf("onestep refused: %s: %s\nNext: tell the user; a person reads it with `ask quarantine show %s` and lets it go on with `ask quarantine release %s`.",
			why.Code, escape.Line(why.Message, maxReason), escape.Line(run, 128), escape.Line(run, 128)), true)
	}
	return u.result(r, out)
}
