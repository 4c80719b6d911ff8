package gate

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/secret"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

// RawResult is a server's answer to tools/call: the raw JSON of the `result` member.
// Any caller may make one; it vouches for nothing.
type RawResult struct {
	Body     []byte
	Redacted bool               // it repeated a key that the server was given; the key was replaced
	Hidden   []secret.Redaction // secrets that appear in it as [redacted:kind]
	Flagged  []Flag             // what a scanner found in its texts; no evidence is taken from there
	Login    *trace.LoginBody   // that the call used; for the record alone
	Sandbox  *trace.SandboxBody // that confined the server, and what it refused; for the record alone
	Logs     []trace.LogBody    // messages that the server logged during the call; no evidence is taken from them
	LeftOut  int                // further messages
	Grown    []pin.Descriptor   // tools that the session lists now but did not list at first; for a review
	Listed   []string           // the names of all tools that the session lists, if some may be new; for a person
	Requests int                // of the server to its client during the call, all refused; for the record alone
	RPC      *int64             // the code of a JSON-RPC error instead of a result; Body is an error with its message
}

// changed reports whether the body differs from what the server wrote.
func (r RawResult) changed() bool { return r.Redacted || len(r.Hidden) > 0 }

// result is a CallToolResult of the MCP specification.
type result struct {
	Content           []jsontext.Value `json:"content"`
	StructuredContent jsontext.Value   `json:"structuredContent"`
	IsError           jsontext.Value   `json:"isError"` // raw: a null is not false
	ResultType        *string          `json:"resultType"`
	InputRequests     jsontext.Value   `json:"inputRequests"` // of a result that asks for more

	// open is set if a client reads the content itself. Then an unusable part is not
	// evidence, but the client still gets the rest.
	open bool
	sent jsontext.Value // StructuredContent, also if null
	held content        // of Content
	odd  error          // why a part of Content cannot be used
}

// maxToolError bounds how much of a tool's own error text is kept, in bytes.
const maxToolError = 1 << 10

// Accept admits the answer to a redeemed call. The type comes from the first of these:
// the tool's outputSchema for structuredContent, if it can be enforced; the operator's
// declared output. Otherwise the result is untyped: it is shown and never evidence. A
// result that fitted only with its secrets is untyped.
func (g *Gate) Accept(a Approved, r RawResult) (Typed, error) {
	if !a.Redeemed() {
		return Typed{}, verdict.Deny(verdict.CallUnapproved, "there was no call to answer")
	}
	res, err := g.read(r.Body)
	if err == nil && r.RPC != nil {
		err = verdict.Deny(verdict.OutputInvalid, "a JSON-RPC error is not a result")
	}
	if err != nil {
		return Typed{}, r.protocolError(a, err)
	}
	res.open = a.p.by.Client
	out := a.p.tool.Output()
	t, err := g.declared(a, out, res)
	if verdict.CodeOf(err) == verdict.OutputSchema || verdict.CodeOf(err) == verdict.OutputStruct {
		if r.changed() {
			out.Unenforced = "secrets were removed from it, and it no longer fits"
			t, err = res.demoted()
		}
	}
	if err != nil {
		return Typed{}, err
	}
	t.unenforced, t.attachments, t.unlisted = out.Unenforced, res.held.attachments, res.held.unlisted
	t.rules, t.server, t.flagged = g.opt.Rules, a.Server(), r.Flagged
	if t.basis == catalog.Untyped || t.basis == catalog.OperatorText {
		t.structured = res.StructuredContent
	}
	return t, nil
}

// codeParams is JSON-RPC's code for invalid parameters. MCP also uses it for a tool
// that a server does not know.
const codeParams = -32602

// protocolError turns a tool's error back into the JSON-RPC error that it came as. The
// call may have run all the same. The advice depends on the code alone, never on the
// server's text.
func (r RawResult) protocolError(a Approved, err error) error {
	d, _ := verdict.First(err)
	if r.RPC == nil || d == nil || d.Code != verdict.OutputError {
		return err
	}
	f := verdict.Fail(verdict.OutputRPCError, err, "server %s: it answered the call with a JSON-RPC error: %s", a.Server(), strings.TrimPrefix(d.Reason, toolSays))
	f.Hint = "the call may have run; read the server's message"
	switch {
	case *r.RPC == codeParams:
		f.Hint = "correct the arguments by the tool's input schema; the call may have run"
	case !a.Effect().Reads:
		f.Hint += ", and check at the server whether it took effect before it is made again"
	}
	return f
}

// toolSays begins the reason of a tool's own error.
const toolSays = "the tool says: "

// declared checks the result against its declared type, and against the Go type
// registered for the tool.
func (g *Gate) declared(a Approved, out catalog.Output, res result) (Typed, error) {
	t, err := g.typed(out, res)
	if err != nil {
		return Typed{}, err
	}
	if check := g.opt.Types[a.Server()+"/"+a.Tool()]; check != nil && t.basis != catalog.Untyped {
		if err := check(t.value); err != nil {
			return Typed{}, verdict.Deny(verdict.OutputStruct, "%.500v", err)
		}
	}
	return t, nil
}

func (g *Gate) read(body []byte) (result, error) {
	var res result
	if err := schema.DecodeOpen(body, &res, g.limits); err != nil {
		return result{}, schema.Deny(err, "the result", verdict.OutputInvalid, unreadable)
	}
	if jsontext.Value(body).Kind() != '{' {
		return result{}, verdict.Deny(verdict.OutputInvalid, "the result is not an object")
	}
	if err := res.complete(); err != nil {
		return result{}, err
	}
	res.sent = res.StructuredContent
	if res.sent.Kind() == 'n' {
		res.StructuredContent = nil // a null is not a structure, unless a schema says so
	}
	res.held, res.odd = g.content(res.Content)
	switch res.IsError.Kind() {
	case 'f', jsontext.KindInvalid:
	case 't':
		if res.held.texts == 0 {
			res.held.text = "(its message is not text)"
		}
		return result{}, verdict.Deny(verdict.OutputError, toolSays+"%s", verdict.Cut(res.held.text, maxToolError))
	default:
		return result{}, verdict.Deny(verdict.OutputInvalid, "isError is neither true nor false")
	}
	return res, nil
}

// complete reports an error unless the result is complete. Protocol version 2026-07-28
// has other kinds, which resultType names.
func (r result) complete() error {
	switch {
	case r.ResultType == nil || *r.ResultType == "complete":
		return nil
	case *r.ResultType == "input_required":
		return verdict.Deny(verdict.CallInputRequired, "the server asked for more input instead of answering, and onestep makes one call%s", wanted(r.InputRequests))
	}
	return verdict.Deny(verdict.OutputInvalid, "the result has the unknown type %.64q", *r.ResultType)
}

// maxWanted bounds how much of a server's request for input is kept, in bytes.
const maxWanted = 500

// wanted describes a server's requests: the method of each one and its message, in the
// server's words.
func wanted(requests jsontext.Value) string {
	members, err := schema.Members(requests)
	if err != nil || len(members) == 0 {
		return ""
	}
	var all []string
	for _, m := range members {
		var r struct {
			Method string `json:"method"`
			Params struct {
				Message string `json:"message"`
			} `json:"params"`
		}
		if schema.DecodeOpen(m.Value, &r, schema.ResultLimits) != nil {
			r.Method = m.Name
		}
		all = append(all, strings.TrimSuffix(r.Method+": "+r.Params.Message, ": "))
	}
	return "; it wants " + verdict.Cut(strings.Join(all, ", "), maxWanted)
}

// unreadable are the codes of a result that is not malformed JSON.
var unreadable = map[schema.Fault]verdict.Code{schema.Oversize: verdict.OutputTooLarge, schema.Number: verdict.OutputNumber}

func (g *Gate) typed(out catalog.Output, res result) (Typed, error) {
	switch out.Basis {
	case catalog.OutputSchema:
		return g.structured(out, res.sent)
	case catalog.OperatorSchema:
		if res.StructuredContent != nil {
			return g.fit(out, res.StructuredContent)
		}
		text, err := res.text()
		if err != nil {
			return Typed{}, err
		}
		if res.held.texts == 0 {
			return Typed{}, verdict.Deny(verdict.OutputMissing, "the operator declared a schema, and the result has neither a structure nor text")
		}
		if err := schema.Check([]byte(text), g.limits); err != nil {
			return Typed{}, verdict.Deny(verdict.OutputSchema, "the operator declared a schema, and the text has %v", err)
		}
		return g.fit(out, jsontext.Value(text))
	case catalog.OperatorText:
		if res.held.texts == 0 && res.StructuredContent != nil {
			return Typed{}, verdict.Deny(verdict.OutputMissing, "the operator declared text, and the result has a structure and no text")
		}
		text, err := res.text()
		if err != nil {
			return Typed{}, err
		}
		return wrap(out.Basis, text)
	}
	return res.untyped()
}

// structured reads structuredContent: any JSON value that fits the schema is a result.
// A null that does not fit counts as absent.
func (g *Gate) structured(out catalog.Output, sent jsontext.Value) (Typed, error) {
	if sent == nil {
		return Typed{}, verdict.Deny(verdict.OutputMissing, "the tool declares an output schema, and the result has no structuredContent")
	}
	t, err := g.fit(out, sent)
	if err != nil && sent.Kind() == 'n' {
		return Typed{}, verdict.Deny(verdict.OutputMissing, "the tool declares an output schema, and structuredContent is null")
	}
	return t, err
}

func (g *Gate) fit(out catalog.Output, value jsontext.Value) (Typed, error) {
	fits, err := g.validators.of(schema.Output, out.Schema)
	if err != nil {
		return Typed{}, err
	}
	place := ""
	if out.Basis == catalog.OutputSchema && !g.opt.StrictOutputs {
		place, err = fits.CheckUnzoned(value)
	} else {
		err = fits.Check(value)
	}
	if err != nil {
		return Typed{}, misfit(verdict.OutputSchema, err)
	}
	return Typed{basis: out.Basis, value: value, unzoned: place}, nil
}

// untyped shows the text. A result with structured content and no text is shown as
// JSON.
func (r result) untyped() (Typed, error) {
	if r.held.texts == 0 && r.odd == nil && r.StructuredContent != nil {
		return wrap(catalog.Untyped, string(r.StructuredContent))
	}
	text, err := r.text()
	if err != nil && !(r.open && r.odd != nil) {
		return Typed{}, err
	}
	return wrap(catalog.Untyped, text)
}

// demoted returns a result without its type. A structure stays whole, whatever came
// next to it.
func (r result) demoted() (Typed, error) {
	if r.StructuredContent != nil && r.odd != nil {
		return wrap(catalog.Untyped, string(r.StructuredContent))
	}
	return r.untyped()
}

// text returns the text of all text blocks. A list without blocks is an empty text.
func (r result) text() (string, error) {
	if r.Content == nil {
		return "", verdict.Deny(verdict.OutputMissing, "the result has no content")
	}
	return r.held.text, r.odd
}

func wrap(basis catalog.Basis, text string) (Typed, error) {
	value, err := json.Marshal(text)
	if err != nil {
		return Typed{}, verdict.Deny(verdict.OutputInvalid, "the text cannot be kept as JSON")
	}
	return Typed{basis: basis, value: value}, nil
}
