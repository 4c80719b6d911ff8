package session

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// meeting is a session over HTTP that all connections with one credential share: a server
// keeps its state per client. Each question still has a separate connection, so that a
// broken connection affects no other question. The first connection shakes hands. The
// others join, and the program answers their handshake itself.
type meeting struct {
	ready  chan struct{} // closed when the first handshake has ended
	id     string        // "" if the server has no sessions, or the handshake failed
	hello  []byte        // the result of the handshake
	joined atomic.Int64
	called atomic.Bool // a call was made in it
	first  *atomic.Pointer[map[string]bool]
}

// perConnection is the number of request ids for each connection of a session. No two
// requests of a session may have the same id.
const perConnection = 1_000_000_000

// meet returns the session of a key's connections, and whether the caller has to open it.
func (s *slot) meet(key string) (m *meeting, first bool) {
	if s.server.Kind() != typeHTTP {
		return nil, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if m = s.meetings[key]; m == nil {
		m, first = &meeting{ready: make(chan struct{})}, true
		s.meetings[key] = m
	}
	return m, first
}

// opened ends the wait of the connections that want to join.
func (s *slot) opened(m *meeting, key string, c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case c == nil && s.meetings[key] == m:
		delete(s.meetings, key)
	case c != nil && c.wire.version() < statelessVersion:
		if hello := c.wire.hello.Load(); hello != nil {
			m.id, m.hello = c.wire.SessionID(), *hello
		}
	}
	if c != nil {
		c.meeting, c.carrier.shared, m.first = m, m.id != "", c.first
	}
	close(m.ready)
}

// wait waits until the session is open. It returns nil if the session could not be opened
// or the server has none: then each connection shakes hands itself.
func (m *meeting) wait(ctx context.Context) *meeting {
	if m == nil {
		return nil
	}
	select {
	case <-m.ready:
	case <-ctx.Done():
		return nil
	}
	if m.id == "" {
		return nil
	}
	return m
}

func (m *meeting) wasCalled() bool { return m != nil && m.called.Load() }

// join makes a connection part of an open session.
func (c *conn) join(m *meeting) {
	if m == nil {
		return
	}
	c.meeting, c.joins, c.first = m, true, m.first
	c.number = m.joined.Add(1)
	c.wire.offset = c.number * perConnection
	c.wire.meeting = m
}

// lost is the fault of a call that did not leave because the server has forgotten the
// session. The next call opens another session.
func (c *conn) lost(err error) *verdict.Fault {
	f := c.fault(verdict.ServerClosed, err, "it has forgotten the session, and with it what it kept there of earlier calls; no call left, and the next one opens a new session")
	return f.WithHint("ask again, which opens a new session; repeat first what the server has to know of earlier calls")
}

// shifted maps an id of the SDK to the id that the server gets, or back.
func shifted(id jsonrpc.ID, by int64) jsonrpc.ID {
	n, is := id.Raw().(int64)
	if !is || by == 0 {
		return id
	}
	out, err := jsonrpc.MakeID(float64(n + by))
	if err != nil {
		return id
	}
	return out
}

// cancels returns the notification that stops a call, with the id that the server knows.
func (w *wire) cancels(m *jsonrpc.Request) *jsonrpc.Request {
	var p struct {
		RequestID jsontext.Value `json:"requestId"`
	}
	if w.offset == 0 || schema.DecodeOpen(m.Params, &p, w.limits) != nil {
		return m
	}
	n, err := strconv.ParseInt(string(p.RequestID), 10, 64)
	if err != nil {
		return m
	}
	return &jsonrpc.Request{Method: m.Method, Params: fmt.Appendf(nil, `{"requestId":%d}`, n+w.offset)}
}

// handshake answers the opening requests of a connection that joins a session, in place
// of the server. It also answers a DELETE, unless the connection is the last of its
// session. It returns nil if the request is for the server.
func (c *carrier) handshake(req *http.Request) (*http.Response, error) {
	m := c.wire.meeting
	switch {
	case req.Method == http.MethodDelete && c.shared && !c.leaves.Load():
		return answered(req, http.StatusNoContent, nil), nil
	case m == nil, req.Body == nil, req.Method != http.MethodPost, exchangeOf(req.Context()) != nil:
		return nil, nil
	}
	body, err := io.ReadAll(io.LimitReader(req.Body, maxError))
	_ = req.Body.Close()
	if err != nil {
		return nil, err
	}
	req.Body = io.NopCloser(bytes.NewReader(body))
	all, err := check(body, c.wire.limits)
	if err != nil {
		return nil, err
	}
	switch string(all["method"]) {
	case `"` + methodInitialize + `"`:
		res := answered(req, http.StatusOK, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, all["id"], m.hello))
		res.Header.Set(headerSession, m.id)
		return res, nil
	case `"notifications/initialized"`:
		return answered(req, http.StatusAccepted, nil), nil
	}
	return nil, nil
}

func answered(req *http.Request, status int, body []byte) *http.Response {
	return &http.Response{
		StatusCode: status, Status: http.StatusText(status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: req,
	}
}
