package model

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/planner"
)

// exchange is the one request of one completion, and the RoundTripper of the client
// library. The library cannot send or receive anything else.
type exchange struct {
	*Client
	request planner.Request

	sent  bool
	raw   []byte         // the reply's body, strict JSON, once it has come
	cost  string         // the cost according to a header
	fault *verdict.Fault // why no reply came
}

// transport makes connections. Each serves one request: on a new connection net/http has
// no reason to repeat a request by itself.
func transport() *http.Transport {
	var http1 http.Protocols // HTTP/2 repeats requests that a server reports as not handled
	http1.SetHTTP1(true)
	return &http.Transport{
		Proxy:                  nil, // the environment does not decide who reads the key and the question
		DialContext:            (&net.Dialer{Timeout: 30 * time.Second, KeepAlive: -1}).DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    30 * time.Second,
		DisableKeepAlives:      true,
		DisableCompression:     true, // so that the limit applies to the bytes on the wire
		ForceAttemptHTTP2:      false,
		Protocols:              &http1,
		ResponseHeaderTimeout:  0, // a model may think before it answers; the context bounds the total
		ExpectContinueTimeout:  0,
		MaxResponseHeaderBytes: 64 << 10,
	}
}

// RoundTrip sends the request in our own form and returns the reply in a new response.
// The response has status 200, the checked body, and none of the endpoint's headers.
func (x *exchange) RoundTrip(req *http.Request) (*http.Response, error) {
	raw, fault := x.once(req)
	if fault != nil {
		if x.fault == nil {
			x.fault = fault
		}
		return nil, fault
	}
	x.raw = raw
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        http.Header{"Content-Type": {"application/json"}},
		Body:          io.NopCloser(bytes.NewReader(raw)),
		ContentLength: int64(len(raw)),
		Request:       req,
	}, nil
}

func (x *exchange) once(req *http.Request) ([]byte, *verdict.Fault) {
	var written []byte
	if req.Body != nil {
		written, _ = io.ReadAll(req.Body) // from memory
		req.Body.Close()
	}
	if x.sent || req.Method != http.MethodPost || req.URL.String() != x.endpoint {
		return nil, x.fail(verdict.Internal, nil, "the client library tried a request that a completion does not need")
	}
	x.sent = true
	body, err := x.shaped(written)
	if err != nil {
		return nil, x.fail(verdict.Internal, nil, "the request cannot be written: %v", err)
	}
	return x.send(req.Context(), body)
}

func (x *exchange) send(ctx context.Context, body []byte) ([]byte, *verdict.Fault) {
	var connected atomic.Bool
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }})
	req, err := http.NewRequestWithContext(traced, http.MethodPost, x.endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, x.fail(verdict.Internal, nil, "the request cannot be made")
	}
	req.GetBody = nil // without it net/http cannot send the body again
	req.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}, "User-Agent": {"onestep"}}
	x.dialect.authorize(req.Header, x.key())
	resp, err := x.out.RoundTrip(req)
	if err != nil {
		return nil, x.broke(ctx, err, connected.Load())
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, x.refused(resp)
	}
	x.cost = decimal(resp.Header.Get(costHeader))
	return x.readReply(ctx, resp)
}

// readReply reads the body, up to the limit, and accepts only JSON.
func (x *exchange) readReply(ctx context.Context, resp *http.Response) ([]byte, *verdict.Fault) {
	if resp.ContentLength > int64(x.cfg.MaxReply) {
		return nil, x.fail(verdict.ModelTooLarge, nil, "the reply is %d bytes long, over the limit of %d", resp.ContentLength, x.cfg.MaxReply)
	}
	raw, err := io.ReadAll(io.LimitReader(resp.Body, int64(x.cfg.MaxReply)+1))
	switch {
	case len(raw) > x.cfg.MaxReply:
		return nil, x.fail(verdict.ModelTooLarge, nil, "the reply is over the limit of %d bytes", x.cfg.MaxReply)
	case err != nil:
		return nil, x.broke(ctx, err, true)
	case x.key.repeatedIn(raw):
		return nil, x.fail(verdict.ModelReply, nil, "the reply repeats the API key, and is thrown away")
	}
	if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("<")) {
		return nil, x.advise(x.fail(verdict.ModelReply, nil, "the reply is a page of HTML or XML: no API of this kind is at the address"), x.aboutAddress())
	}
	if err := schema.Check(raw, x.limits()); err != nil {
		return nil, x.fail(verdict.ModelReply, nil, "the reply has %v", err)
	}
	return raw, nil
}

// limits bound an envelope. The planner checks the numbers in a plan inside it.
func (x *exchange) limits() schema.Limits {
	return schema.Limits{Bytes: x.cfg.MaxReply, Depth: 64, Values: 50_000, Exponent: 999, Digits: 999}
}

// body contains a request's members: strings, numbers and raw JSON.
type body map[string]any

// shaped adds to the library's request what the library drops. The limits can be
// generous, because the bytes are our own.
func (x *exchange) shaped(written []byte) ([]byte, error) {
	var members map[string]jsontext.Value
	if err := schema.DecodeOpen(written, &members, schema.Limits{Bytes: 16 << 20, Depth: 64, Values: 200_000, Exponent: 308, Digits: 64}); err != nil {
		return nil, err
	}
	b := body{}
	for name, value := range members {
		b[name] = value
	}
	x.dialect.shape(x, b)
	if x.cfg.Sampling == Endpoint {
		delete(b, "temperature")
		delete(b, "seed")
	}
	return json.Marshal(b, json.Deterministic(true))
}

func (x *exchange) broke(ctx context.Context, err error, connected bool) *verdict.Fault {
	switch f, is := errors.AsType[*verdict.Fault](err); {
	case is: // from a wrapper of the network, such as a cassette
		return f
	case errors.Is(ctx.Err(), context.Canceled):
		return x.fail(verdict.CallInterrupted, context.Canceled, "the run was interrupted while the model was asked")
	case ctx.Err() != nil:
		return x.fail(verdict.ModelTimeout, context.DeadlineExceeded, "no complete reply in time; one completion may take %v", x.cfg.Timeout)
	case !connected:
		return x.advise(x.fail(verdict.ModelUnreachable, nil, "no connection to %s: %s", x.endpoint, brief(err)), x.aboutAddress())
	}
	return x.fail(verdict.ModelFailed, nil, "the connection broke before the reply was complete: %s", brief(err))
}
