package session

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// wire is between the SDK and a transport and sees every message. It exists because the
// SDK trusts the server: it decodes numbers into float64, takes the last of two equal
// keys, and answers requests.
//
// Below the SDK, [frames] let a message of a process or over HTTP pass only if its
// envelope has one reading. A server inside this program is trusted.
//
// A server's listings and its answers to calls leave the wire as the server's own bytes,
// before the SDK decodes them; the SDK gets an empty result instead. A request leaves
// through the wire only once, and a call only with an [exchange] of ours. A server's own
// requests are refused here and never reach the SDK.
type wire struct {
	transport mcp.Transport
	life      context.Context //nolint:containedctx // the connection's own: it outlasts the call that made it
	limits    schema.Limits   // of one message
	patience  time.Duration   // for writing an answer to the server's own request
	inner     mcp.Connection

	// cut ends the write under way, and every later one. It is nil if a write heeds its
	// context, as an HTTP request does.
	cut     func()
	writing chan struct{} // a semaphore for writing
	replies chan *jsonrpc.Response

	// note gets each notification. x is the exchange that the notification's stream
	// belongs to, or nil if that is unknown. note is nil if the wire has no connection.
	note func(x *exchange, method string, params jsontext.Value)

	offset  int64    // added to the SDK's ids of its requests
	meeting *meeting // the session that it joins; nil if it shakes hands itself
	hello   atomic.Pointer[[]byte]

	requests atomic.Int32 // requests of the server, which are refused
	changes  atomic.Int32 // number of the server's reports that its tools changed
	over     atomic.Bool  // it carries no further requests

	mu   sync.Mutex
	open map[jsonrpc.ID]pending

	protocol atomic.Value                  // the version agreed on, a string; empty before
	trouble  atomic.Pointer[verdict.Fault] // the first error; see fail
	// refusal is the last refusal of a request that the SDK made by itself: the
	// handshake. The SDK's error does not show it: it has the same type, with codes that
	// servers use too (-32001, -32003 to -32005), for errors on the way.
	refusal atomic.Pointer[refusal]
}

type pending struct {
	method   string
	exchange *exchange // nil if the SDK reads the answer itself
}

const (
	methodInitialize  = "initialize"
	methodList        = "tools/list"
	methodCall        = "tools/call"
	methodPing        = "ping"
	noteCancelled     = "notifications/cancelled"
	noteTools         = "notifications/tools/list_changed"
	maxServerRequests = 32 // per connection
	maxReplies        = 32 // waiting for the server to read them
)

// standIn is an empty result for both tools/list and tools/call.
var standIn = []byte(`{"tools":[],"content":[]}`)

// Connect makes the wire the transport of the SDK's client. The inner
// connection lives as long as ours, not as long as the attempt to connect.
func (w *wire) Connect(context.Context) (mcp.Connection, error) {
	inner, err := w.transport.Connect(w.life) //nolint:contextcheck // see life
	if err != nil {
		return nil, err
	}
	w.inner = inner
	w.writing, w.replies = make(chan struct{}, 1), make(chan *jsonrpc.Response, maxReplies)
	go w.reply() //nolint:contextcheck // see life
	return w, nil
}

func (w *wire) SessionID() string { return w.inner.SessionID() }

func (w *wire) Close() error { return w.inner.Close() }

// Write sends the SDK's message. The context is that of the SDK's caller and contains the
// exchange.
func (w *wire) Write(ctx context.Context, m jsonrpc.Message) error {
	x := exchangeOf(ctx)
	req, ok := m.(*jsonrpc.Request)
	if !ok || !req.IsCall() {
		switch {
		case ok && req.Method == noteCancelled && !x.call():
			return nil // only a call needs to be stopped, and a silent server must not delay the end
		case ok && req.Method == noteCancelled:
			m = w.cancels(req)
		}
		return w.send(without(ctx), m)
	}
	if err := x.begin(req.Method); err != nil {
		return err
	}
	w.mu.Lock()
	if w.open == nil {
		w.open = map[jsonrpc.ID]pending{}
	}
	outer := *req
	outer.ID = shifted(req.ID, w.offset)
	w.open[outer.ID] = pending{req.Method, x}
	w.mu.Unlock()
	return w.send(ctx, &outer)
}

// send writes one message, for as long as its context allows. A write that was cut may
// have left half a message, so nothing can follow it.
func (w *wire) send(ctx context.Context, m jsonrpc.Message) error {
	if w.cut == nil {
		return w.inner.Write(ctx, m)
	}
	select {
	case w.writing <- struct{}{}:
		defer func() { <-w.writing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	stop := context.AfterFunc(ctx, func() { w.over.Store(true); w.cut() })
	defer stop()
	return w.inner.Write(ctx, m)
}

// Read returns the next message that the SDK may see.
func (w *wire) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		m, err := w.inner.Read(ctx)
		if err != nil {
			return nil, w.unread(err)
		}
		switch m := m.(type) {
		case *jsonrpc.Response:
			a, err := w.answer(m)
			if r, is := a.(*jsonrpc.Response); is && w.offset != 0 {
				inner := *r
				inner.ID = shifted(r.ID, -w.offset)
				return &inner, err
			}
			return a, err
		case *jsonrpc.Request:
			if err := w.request(m); err != nil {
				return nil, err
			}
		}
	}
}

// answer keeps the bytes of answers to our own requests. Every other answer is part of
// the handshake, and ends the connection unless it is strict JSON.
func (w *wire) answer(m *jsonrpc.Response) (jsonrpc.Message, error) {
	p := w.removePending(m.ID)
	var rpc *jsonrpc.Error
	switch {
	case m.Error != nil && !errors.As(m.Error, &rpc):
		// The transport's own error for "no answer will come".
	case p.exchange != nil:
		p.exchange.put(answer{result: m.Result, err: rpc})
		if m.Error == nil {
			return &jsonrpc.Response{ID: m.ID, Result: standIn}, nil
		}
	case rpc != nil:
		w.refusal.Store(&refusal{rpc: rpc})
	case m.Error == nil:
		lim := w.limits
		lim.Values = schema.DescriptorLimits.Values // the SDK decodes all of it
		if err := schema.Check(m.Result, lim); err != nil {
			return nil, w.fail(verdict.ServerProtocol, err, "its answer to %s has %v", p.method, err)
		}
		if p.method == methodInitialize {
			w.hello.Store(new(bytes.Clone(m.Result)))
			return m, w.agree(m.Result)
		}
	}
	return m, nil
}

// unread records why a message could not be read. The end of the messages is not an
// error, and neither is our own end of the connection.
func (w *wire) unread(err error) error {
	if w.over.Swap(true) || gone(err) || w.life.Err() != nil {
		return err
	}
	return w.fail(verdict.ServerProtocol, err, "it sent data that is not a message: %v", err)
}

// request handles the server's requests and notifications. Another goroutine writes the
// answers: a server that does not read must not keep us from reading.
func (w *wire) request(m *jsonrpc.Request) error {
	if !m.IsCall() {
		if m.Method == noteTools {
			w.changes.Add(1)
		}
		if w.note != nil && m.Params != nil { // from a server inside this program
			w.note(nil, m.Method, jsontext.Value(m.Params))
		}
		return nil
	}
	r := &jsonrpc.Response{ID: m.ID, Result: []byte(`{}`)}
	if m.Method != methodPing {
		if w.requests.Add(1) > maxServerRequests {
			return w.fail(verdict.ServerProtocol, nil, "it sent more than %d requests itself", maxServerRequests)
		}
		r = &jsonrpc.Response{ID: m.ID, Error: &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "this client answers no requests"}}
	}
	select {
	case w.replies <- r:
		return nil
	default:
		return w.fail(verdict.ServerProtocol, nil, "it makes requests faster than it reads the answers")
	}
}

// reply writes the answers in order, until the connection ends.
func (w *wire) reply() {
	for {
		select {
		case r := <-w.replies:
			ctx, done := context.WithTimeout(w.life, w.patience)
			if err := w.send(ctx, r); err != nil && ctx.Err() != nil && w.life.Err() == nil {
				_ = w.fail(verdict.ServerTimeout, err, "it did not read the answer to its own request within %s", w.patience)
			}
			done()
		case <-w.life.Done():
			return
		}
	}
}

func (w *wire) asked(id jsonrpc.ID) (p pending, known bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p, known = w.open[id]
	return p, known
}

// end forgets an exchange that no caller waits for any more.
func (w *wire) end(x *exchange) {
	x.stop()
	w.mu.Lock()
	defer w.mu.Unlock()
	maps.DeleteFunc(w.open, func(_ jsonrpc.ID, p pending) bool { return p.exchange == x })
}

func (w *wire) removePending(id jsonrpc.ID) pending {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.open[id]
	delete(w.open, id)
	return p
}

// errVersion is a server's refusal of the handshake's version other than by a [refusal]:
// it names a version that has no handshake.
var errVersion = errors.New("the server refuses this version of the protocol")

// agree reads the version from the answer to initialize. The SDK reports it only to its
// own transports, not to a wrapped one.
func (w *wire) agree(result []byte) error {
	var r struct {
		ProtocolVersion string `json:"protocolVersion"`
	}
	if err := schema.DecodeOpen(result, &r, w.limits); err != nil {
		return w.fail(verdict.ServerProtocol, err, "its answer to the handshake has %v", err)
	}
	if r.ProtocolVersion >= statelessVersion {
		return w.fail(verdict.ServerProtocol, errVersion, "it shakes hands for version %.4096q, which has no handshake", r.ProtocolVersion)
	}
	w.protocol.Store(r.ProtocolVersion)
	return nil
}

func (w *wire) version() string {
	version, _ := w.protocol.Load().(string)
	return version
}
