package proxy

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/onestep-run/onestep/gate/schema"
)

// request is one request of the client that is not answered yet.
type request struct {
	id        jsontext.Value // as the client wrote it
	method    string
	params    map[string]jsontext.Value
	modern    bool // it names a version without a handshake
	batch     *batch
	cancelled bool

	client, version string // as the client says; of a call
	result          []byte // that takes the place of the SDK's
	unwanted        func() // is called instead of sending it; nil calls nothing
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
	members, err := schema.Envelope(b, lineLimits)
	if err != nil {
		if jsontext.Value(b).IsValid() {
			return refuse(nil, jsonrpc.CodeInvalidRequest, "not a request: "+err.Error())
		}
		return refuse(nil, jsonrpc.CodeParseError, "not one JSON message: "+err.Error())
	}
	m := map[string]jsontext.Value{}
	for _, member := range members {
		m[member.Name] = member.Value
	}
	id, method := m["id"], text(m["method"])
	switch {
	case id != nil && !isID(id):
		return refuse(nil, jsonrpc.CodeInvalidRequest, "the id is neither a short string nor a whole number")
	case m["method"] == nil && (m["result"] != nil || m["error"] != nil):
		return nil // an answer, and we asked nothing
	case string(m["jsonrpc"]) != `"2.0"`, method == "", m["params"] != nil && m["params"].Kind() != '{':
		return refuse(id, jsonrpc.CodeInvalidRequest, "not a request of JSON-RPC 2.0, with parameters by name")
	}
	r := &request{id: id, method: method, params: map[string]jsontext.Value{}, batch: group}
	if why := r.readParams(m["params"]); why != "" {
		if id == nil {
			return nil
		}
		return refuse(id, jsonrpc.CodeInvalidParams, why)
	}
	switch named := strings.HasPrefix(method, "notifications/"); {
	case id == nil && !named:
		return nil // a request without an id gets no answer, and no call either
	case id == nil:
		return t.note(r, m["params"])
	case named: // cancelling by this id would name a number of ours
		return refuse(id, jsonrpc.CodeMethodNotFound, "a notification has no id")
	}
	n := t.begin(r)
	if n == 0 {
		return refuse(id, jsonrpc.CodeInvalidRequest, fmt.Sprintf("the id is in use, or more than %d requests are open", maxOpen))
	}
	return []jsonrpc.Message{r.forSDK(n, m["params"])}
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
		t.open[n].cancelled = true
		params = fmt.Appendf(nil, `{"requestId":%d}`, n)
	}
	return []jsonrpc.Message{&jsonrpc.Request{Method: r.method, Params: []byte(params)}}
}

// carried is the request with this number.
func (t *transport) carried(number string) *request {
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
