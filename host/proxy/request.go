package proxy

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/gate/schema"
)

// request is one request of the client that is not answered yet.
type request struct {
	id           jsontext.Value // as the client wrote it
	method       string
	tool         Tool // of a call
	params       map[string]jsontext.Value
	modern       bool // it names a version without a handshake
	batch        *batch
	cancelled    atomic.Bool
	conversation string // "" is that of the options
	from         caller

	life            context.Context //nolint:containedctx // that the call ends with; nil is the SDK's
	client, version string          // as the client says; of a call
	result          []byte          // that takes the place of the SDK's
	unwanted        func()          // is called instead of sending it; nil calls nothing
	done            func()          // is called when a call has its answer; nil calls nothing
}

// caller is the client that a request came from.
type caller interface {
	reader() reader
	// notify sends a notification that belongs to a request.
	notify(method string, params []byte)
	// left reports whether the client cannot get the answer to its call any more.
	left() bool
}

// called is a result of ours as raw JSON. The SDK takes it for its own type.
type called struct {
	mcp.CallToolResult

	raw []byte
}

// MarshalJSON returns the raw result.
func (c *called) MarshalJSON() ([]byte, error) { return c.raw, nil }

// listed is as called, for a list of tools.
type listed struct {
	mcp.ListToolsResult

	raw []byte
}

// MarshalJSON returns the raw result.
func (l *listed) MarshalJSON() ([]byte, error) { return l.raw, nil }

// finish is called when a call has its answer. If the client has left, the next call that
// is the same gets it.
func (r *request) finish() {
	if r.unwanted != nil && r.from.left() {
		r.unwanted()
	}
	if r.done != nil {
		r.done()
	}
}

// batch collects the answers to the requests of one line.
type batch struct {
	answers [][]byte
	left    int
}

func failure(id jsontext.Value, code int64, text string) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, cmp.Or(string(id), "null"), code, quoted(text))
}

// one reads one message. The SDK gets a request under a number of ours: a client's id may
// be any literal, and two requests may have the same.
func (t *transport) one(b []byte, group *batch) []jsonrpc.Message {
	refuse := func(id jsontext.Value, code int64, text string) []jsonrpc.Message {
		if group == nil {
			t.put(failure(id, code, text))
			return nil
		}
		t.mu.Lock()
		group.left++
		t.mu.Unlock()
		t.answered(group, failure(id, code, text))
		return nil
	}
	r, params, no := readRequest(b, t)
	switch id := r.id; {
	case no != nil && no.Code == jsonrpc.CodeInvalidParams && id == nil:
		return nil
	case no != nil:
		return refuse(id, no.Code, no.Message)
	case r.method == "":
		return nil // an answer, and we asked nothing
	}
	id := r.id
	r.batch = group
	switch named := strings.HasPrefix(r.method, "notifications/"); {
	case id == nil && !named:
		return nil // a request without an id gets no answer, and no call either
	case id == nil:
		return t.note(r, params)
	case named: // cancelling by this id would name a number of ours
		return refuse(id, jsonrpc.CodeMethodNotFound, "a notification has no id")
	}
	n := t.begin(r)
	if n == 0 {
		return refuse(id, jsonrpc.CodeInvalidRequest, fmt.Sprintf("the id is in use, or more than %d requests are open", maxOpen))
	}
	return []jsonrpc.Message{r.forSDK(n, params)}
}

// readRequest reads one message. No object of the protocol may have a name twice, so no other
// reader finds another request in it. The method of an answer is "". A message that is
// refused has the id to answer to.
func readRequest(b []byte, from caller) (r *request, params jsontext.Value, no *jsonrpc.Error) {
	r = &request{params: map[string]jsontext.Value{}, from: from}
	invalid := func(code int64, why string) (*request, jsontext.Value, *jsonrpc.Error) {
		return r, nil, &jsonrpc.Error{Code: code, Message: why}
	}
	members, err := schema.Envelope(b, lineLimits)
	switch {
	case err != nil && jsontext.Value(b).IsValid():
		return invalid(jsonrpc.CodeInvalidRequest, "not a request: "+err.Error())
	case err != nil:
		return invalid(jsonrpc.CodeParseError, "not one JSON message: "+err.Error())
	}
	m := map[string]jsontext.Value{}
	for _, member := range members {
		m[member.Name] = member.Value
	}
	if m["id"] != nil && !isID(m["id"]) {
		return invalid(jsonrpc.CodeInvalidRequest, "the id is neither a short string nor a whole number")
	}
	if m["method"] == nil && (m["result"] != nil || m["error"] != nil) {
		return r, nil, nil
	}
	r.id, r.method = m["id"], text(m["method"])
	byName := m["params"] == nil || m["params"].Kind() == '{'
	if string(m["jsonrpc"]) != `"2.0"` || r.method == "" || !byName {
		return invalid(jsonrpc.CodeInvalidRequest, "not a request of JSON-RPC 2.0, with parameters by name")
	}
	if why := r.readParams(m["params"]); why != "" {
		return invalid(jsonrpc.CodeInvalidParams, why)
	}
	return r, m["params"], nil
}

// readParams reads the parameters by name. All but the arguments of a call are strict.
func (r *request) readParams(params jsontext.Value) string {
	if params == nil {
		return ""
	}
	members, err := schema.Envelope(params, lineLimits)
	if err != nil {
		return "the parameters have " + err.Error()
	}
	for _, p := range members {
		if r.method != methodCall || p.Name != "arguments" {
			if err := schema.Check(p.Value, lineLimits); err != nil {
				return "the parameters have " + err.Error()
			}
		}
		r.params[p.Name] = p.Value
	}
	r.modern = text(member(r.params["_meta"], metaVersion)) >= stateless
	return ""
}

// begin gives a request its number, or 0 if it may not be open.
func (t *transport) begin(r *request) int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.open) >= maxOpen || t.numberOf(r.id) != 0 {
		return 0
	}
	t.next++
	t.open[t.next] = r
	if r.batch != nil {
		r.batch.left++
	}
	return t.next
}

// numberOf is the number of the open request with an id, or 0.
func (t *transport) numberOf(id jsontext.Value) int64 {
	for n, r := range t.open {
		if bytes.Equal(r.id, id) {
			return n
		}
	}
	return 0
}

// forSDK is the request as the SDK gets it. A call names its number in place of
// the tool, and a listing in place of the cursor: a handler sees no id.
func (r *request) forSDK(n int64, params jsontext.Value) jsonrpc.Message {
	id, _ := jsonrpc.MakeID(float64(n)) // of a number
	var meta []byte
	if r.params["_meta"] != nil {
		meta = fmt.Appendf(nil, `,"_meta":%s`, r.params["_meta"])
	}
	switch r.method {
	case methodCall:
		params = fmt.Appendf(nil, `{"name":"%d"%s}`, n, meta)
	case methodList:
		params = fmt.Appendf(nil, `{"cursor":"%d"%s}`, n, meta)
	}
	return &jsonrpc.Request{ID: id, Method: r.method, Params: []byte(params)}
}

// note passes a notification on. A cancellation names our number.
func (t *transport) note(r *request, params jsontext.Value) []jsonrpc.Message {
	if r.method == noteCancelled {
		t.mu.Lock()
		defer t.mu.Unlock()
		n := t.numberOf(r.params["requestId"])
		if n == 0 || t.open[n].method == methodInitialize {
			return nil
		}
		t.open[n].cancelled.Store(true)
		params = fmt.Appendf(nil, `{"requestId":%d}`, n)
	}
	return []jsonrpc.Message{&jsonrpc.Request{Method: r.method, Params: []byte(params)}}
}

// carried is the request that the SDK has under a number of ours.
func (t *transport) carried(_ context.Context, req mcp.Request) *request {
	number := ""
	switch r := req.(type) {
	case *mcp.ListToolsRequest:
		number = r.Params.Cursor
	case *mcp.CallToolRequest:
		number = r.Params.Name
	}
	n, err := strconv.ParseInt(number, 10, 64)
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil {
		return nil
	}
	return t.open[n]
}

// answer is the client's answer: the raw result if a handler left one.
func (r *request) answer(a *jsonrpc.Response) []byte {
	var rpc *jsonrpc.Error
	switch {
	case a.Error == nil && r.result != nil:
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, r.id, r.result)
	case a.Error == nil:
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, r.id, a.Result)
	case !errors.As(a.Error, &rpc) || rpc.Code == 0: // the SDK's own words: a call before initialize
		return failure(r.id, jsonrpc.CodeInvalidRequest, a.Error.Error())
	}
	b := failure(r.id, rpc.Code, rpc.Message)
	if len(rpc.Data) > 0 {
		b = fmt.Appendf(b[:len(b)-2], `,"data":%s}}`, rpc.Data)
	}
	return b
}

// answered adds one answer to a batch; nil counts a request without an answer. The last one
// sends them all.
func (t *transport) answered(g *batch, b []byte) {
	t.mu.Lock()
	if b != nil {
		g.answers = append(g.answers, b)
	}
	g.left--
	send := g.left == 0 && len(g.answers) > 0
	t.mu.Unlock()
	if send {
		t.put(append(append([]byte{'['}, bytes.Join(g.answers, []byte{','})...), ']'))
	}
}

// isID reports whether an id can be sent back unchanged, and compared by its bytes.
func isID(id jsontext.Value) bool {
	switch id.Kind() {
	case '"':
		return len(id) <= maxID && schema.Check(id, lineLimits) == nil
	case '0':
		_, err := strconv.ParseInt(string(id), 10, 64)
		return err == nil
	}
	return false
}

// text is a JSON string decoded, "" for anything else.
func text(v jsontext.Value) string {
	s, err := jsontext.AppendUnquote(nil, v)
	if err != nil {
		return ""
	}
	return string(s)
}

// member is one member of an object, nil if it has none of this name.
func member(object jsontext.Value, name string) jsontext.Value {
	if object.Kind() != '{' {
		return nil
	}
	members, err := schema.Envelope(object, lineLimits)
	if err != nil {
		return nil
	}
	for _, m := range members {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}
