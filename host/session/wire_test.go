package session

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// line is a connection that keeps what is written to it.
type line struct{ written []string }

func (l *line) Read(context.Context) (jsonrpc.Message, error) { return nil, io.EOF }
func (l *line) Close() error                                  { return nil }
func (l *line) SessionID() string                             { return "" }
func (l *line) Write(_ context.Context, m jsonrpc.Message) error {
	b, err := jsonrpc.EncodeMessage(m)
	l.written = append(l.written, string(b))
	return err
}

func request(t *testing.T, id float64, method string) *jsonrpc.Request {
	t.Helper()
	i, err := jsonrpc.MakeID(id)
	if err != nil {
		t.Fatal(err)
	}
	return &jsonrpc.Request{ID: i, Method: method}
}

func TestNoCallPassesTheWireUnasked(t *testing.T) {
	t.Parallel()
	l := &line{}
	w := &wire{inner: l}
	listing, x := withExchange(t.Context(), methodList)
	defer x.stop()
	calling, y := withExchange(t.Context(), methodCall)
	defer y.stop()
	// In this order: what is once written is not written again.
	passes := func(ctx context.Context, method string) bool {
		l.written = nil
		err := w.Write(ctx, request(t, 1, method))
		if (err == nil) != (len(l.written) == 1) {
			t.Errorf("%s: %q is written, and the error is %v", method, l.written, err)
		}
		return err == nil
	}
	for _, c := range []struct {
		name      string
		got, want bool
	}{
		{"a call without an exchange", passes(t.Context(), methodCall), false},
		{"a call in a listing's exchange", passes(listing, methodCall), false},
		{"a listing in a call's exchange", passes(calling, methodList), false},
		{"a call after its exchange was taken out", passes(without(calling), methodCall), false},
		{"a call in its exchange", passes(calling, methodCall), true},
		{"the same again", passes(calling, methodCall), false},
		{"the same under a derived context", passes(context.WithoutCancel(calling), methodCall), false},
		{"the handshake", passes(t.Context(), methodInitialize), true},
	} {
		if c.got != c.want {
			t.Errorf("%s passes: %v", c.name, c.got)
		}
	}
}

func TestOnlyACallIsCancelled(t *testing.T) {
	t.Parallel()
	l := &line{}
	w := &wire{inner: l}
	listing, x := withExchange(t.Context(), methodList)
	defer x.stop()
	calling, y := withExchange(t.Context(), methodCall)
	defer y.stop()
	for ctx, want := range map[context.Context]int{t.Context(): 0, listing: 0, calling: 1} {
		l.written = nil
		if err := w.Write(ctx, &jsonrpc.Request{Method: noteCancelled}); err != nil || len(l.written) != want {
			t.Errorf("error %v, written %q, want %d", err, l.written, want)
		}
	}
}

// FuzzFrames checks that what passes is what came, whole, up to the first
// message that is too long and no further.
func FuzzFrames(f *testing.F) {
	for _, seed := range []string{"", "{}\n", "0123456789\n", "01234567890\n", "a\nb\n\n\nc", "data: 1\n\ndata: 2\r\n\r\n", "data: 1\ndata: 2\n\n", "\r\n\r\r\n"} {
		for _, s := range []split{byLine, byEvent, never} {
			f.Add([]byte(seed), int(s), 3)
		}
	}
	f.Fuzz(func(t *testing.T, stream []byte, how, chunk int) {
		const limit = 10
		s := split(how&0x7fffffff) % 3
		w := &wire{life: t.Context(), limits: schema.Limits{Bytes: limit}}
		r := newFrames(io.NopCloser(&slow{stream, chunk&15 + 1}), w, s)
		r.good = nil
		got, err := io.ReadAll(r)
		if !bytes.HasPrefix(stream, got) {
			t.Fatalf("%q passes as %q", stream, got)
		}
		if long := longest(stream, s); long <= limit {
			if err != nil || len(got) != len(stream) {
				t.Fatalf("%q, the longest message %d bytes, passes as %q, %v", stream, long, got, err)
			}
		} else if !errors.Is(err, errTooLarge) || w.trouble.Load() == nil || w.trouble.Load().Code != verdict.ServerTooLarge {
			t.Fatalf("%q, the longest message %d bytes, passes with %v", stream, long, err)
		}
		if n, again := r.Read(make([]byte, 1)); err != nil && (n != 0 || again == nil) {
			t.Fatal("a stream that was ended goes on")
		}
	})
}

// longest says the same as frames in a slow and plain way. A message's
// terminator counts, save where it completes it.
func longest(stream []byte, s split) int {
	most := 0
	for len(stream) > 0 {
		n := len(stream)
		for i := range stream {
			end := stream[i] == '\n'
			if s == byEvent {
				end = end && strings.Trim(lastLine(stream[:i]), "\r") == ""
			}
			if end && s != never {
				n = i + 1
				break
			}
		}
		if complete := n > 0 && stream[n-1] == '\n' && s != never && (s == byLine || strings.Trim(lastLine(stream[:n-1]), "\r") == ""); complete {
			most = max(most, n-1)
		} else {
			most = max(most, n)
		}
		stream = stream[n:]
	}
	return most
}

func lastLine(b []byte) string { return string(b[bytes.LastIndexByte(b, '\n')+1:]) }

// slow gives a few bytes at a time.
type slow struct {
	rest []byte
	n    int
}

func (s *slow) Read(b []byte) (int, error) {
	if len(s.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), s.n)], s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

func TestTheDataOfAnEventIsWhatTheSDKDecodes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		event, want string
		named       bool
	}{
		{"data: {}\n\n", "{}", false},
		{"event: message\r\ndata:{}\r\n\r\n", "{}", false},
		{"data: {\ndata: }\nid: 1\n\n", "{\n}", false},
		{": {}\nDATA: {}\n data: {}\n\n", "", false},
		{"event: ping\ndata: now\n\n", "", false},
		{"event: ping\nevent: message\ndata: now\n\n", "now", false},
		{"event: ping\ndata: now\n\n", "now", true},
		{"data: {}", "{}", false}, // a stream that ends there
		{"data:\ndata: {}\ndata:\n\n", "\n{}\n", false},
	} {
		if got := string(data([]byte(c.event), c.named)); got != c.want {
			t.Errorf("%q: %q", c.event, got)
		}
	}
}
