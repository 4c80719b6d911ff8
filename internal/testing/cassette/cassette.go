// Package cassette records the exchanges with a model endpoint, and replays them without
// a network. It is for tests of programs that use host/model:
//
//	model.Config{…, Around: c.Around}
//
// It keeps whole prompts and replies, and the two headers with a meaning, but never the
// header with the key. An exchange that shows the whole key is not recorded, and fails.
// No command of onestep links it.
package cassette

import (
	"bytes"
	"crypto/sha256"
	"io"
	"net/http"
	"sync"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

// Cassette is between clients and the network. It records each exchange, or answers with
// recorded exchanges and never dials. Its zero value has no exchanges, so it answers
// nothing.
type Cassette struct {
	mu   sync.Mutex
	to   io.Writer // the recording; nil replays
	kept []exchanged
}

// exchanged is one line of a cassette's file.
type exchanged struct {
	Method     string      `json:"method"`
	URL        string      `json:"url"`
	Request    string      `json:"request"` // the body, in JSON
	Status     int         `json:"status"`
	RetryAfter string      `json:"retry_after,omitempty"`
	Cost       string      `json:"cost,omitempty"`
	Reply      trace.Bytes `json:"reply"`
}

// costHeader is the header with the cost of an exchange, from LiteLLM's proxy.
const costHeader = "X-Litellm-Response-Cost"

// maxCassette bounds a cassette's file, in bytes.
const maxCassette = 64 << 20

// Record makes a cassette that writes one JSON line to w for each exchange. A connection
// that fails leaves no line.
func Record(w io.Writer) *Cassette { return &Cassette{to: w} }

// Replay makes a cassette that answers with the lines of r. Each line answers once, a
// request with the same method, address and body.
func Replay(r io.Reader) (*Cassette, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxCassette+1))
	if err != nil || len(text) > maxCassette {
		return nil, verdict.Fail(verdict.ConfigUnreadable, err, "the cassette cannot be read, or is over %d bytes", maxCassette)
	}
	c, n := &Cassette{}, 0
	for line := range bytes.Lines(text) {
		var e exchanged
		n++
		err := schema.Decode(line, &e, schema.Limits{Bytes: maxCassette, Depth: 8, Values: 1_000, Exponent: 9, Digits: 20})
		if err == nil {
			_, err = e.Reply.Get()
		}
		if err != nil {
			return nil, verdict.Fail(verdict.ConfigInvalid, err, "line %d of the cassette has %v", n, err)
		}
		c.kept = append(c.kept, e)
	}
	return c, nil
}

// Left is the number of recorded exchanges that were not replayed.
func (c *Cassette) Left() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.kept)
}

// Around puts the cassette before the network. key reports whether a text shows
// a part of the API key, or the whole of it.
func (c *Cassette) Around(network http.RoundTripper, key func([]byte) (part, whole bool)) http.RoundTripper {
	return taped{c, network, key}
}

type taped struct {
	*Cassette
	network http.RoundTripper
	key     func([]byte) (part, whole bool)
}

func (t taped) RoundTrip(req *http.Request) (*http.Response, error) {
	asked, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	e := exchanged{Method: req.Method, URL: req.URL.String(), Request: string(asked)}
	if t.to == nil {
		return t.replay(req, e)
	}
	again := req.Clone(req.Context())
	again.Body = io.NopCloser(bytes.NewReader(asked))
	resp, err := t.network.RoundTrip(again)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	reply, err := io.ReadAll(io.LimitReader(resp.Body, maxCassette))
	if err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(reply))
	return resp, t.record(e, resp, reply)
}

// record writes the line. It leaves out an endpoint's text about a key. A reply that
// contains the key is an error: no test needs it.
func (t taped) record(e exchanged, resp *http.Response, reply []byte) error {
	e.Status = resp.StatusCode
	part, whole := t.key(reply)
	switch {
	case e.Status == http.StatusOK:
	case part, e.Status == http.StatusUnauthorized, e.Status == http.StatusForbidden:
		reply, whole = nil, false
	}
	e.RetryAfter, e.Cost = t.header(resp, "Retry-After"), t.header(resp, costHeader)
	if _, sent := t.key([]byte(e.Request + e.URL)); sent || whole {
		return verdict.Fail(verdict.ModelReply, nil, "the exchange shows the API key, and is not recorded")
	}
	e.Reply = trace.Keep(reply)
	line, err := json.Marshal(e, json.Deterministic(true))
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, err := t.to.Write(append(line, '\n')); err != nil {
		return verdict.Fail(verdict.ModelFailed, err, "the exchange cannot be recorded: %v", err)
	}
	return nil
}

// header returns one header of a reply, or "" if it shows a part of the key.
func (t taped) header(resp *http.Response, name string) string {
	text := resp.Header.Get(name)
	if part, _ := t.key([]byte(text)); part {
		return ""
	}
	return text
}

// replay answers with the first line for the same request, and removes the line.
func (t taped) replay(req *http.Request, asked exchanged) (*http.Response, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, e := range t.kept {
		if e.Method != asked.Method || e.URL != asked.URL || e.Request != asked.Request {
			continue
		}
		t.kept = append(t.kept[:i:i], t.kept[i+1:]...)
		reply, err := e.Reply.Get()
		if err != nil {
			return nil, err
		}
		header := http.Header{}
		header.Set("Retry-After", e.RetryAfter)
		header.Set(costHeader, e.Cost)
		return &http.Response{StatusCode: e.Status, Header: header, Body: io.NopCloser(bytes.NewReader(reply)), ContentLength: int64(len(reply)), Request: req}, nil
	}
	return nil, verdict.Fail(verdict.ModelReply, nil, "the cassette holds no such exchange: %s %s, body sha256:%x", asked.Method, asked.URL, sha256.Sum256([]byte(asked.Request))).
		WithHint("the prompt, the model or the address is not the recorded one: record it again")
}
