package session_test

import (
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
)

// The connection is cut when the call has arrived: net/http would like to send
// it again, on a kept connection above all.
func TestACallCutOffIsNotSentAgain(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"at once", "after the headers", "within the body"} {
		var calls atomic.Int32
		s := newSite(t, "", func(w http.ResponseWriter, _ *http.Request, m message) bool {
			if m.Method != "tools/call" {
				return false
			}
			calls.Add(1)
			c, buf, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return true
			}
			defer c.Close()
			if how != "at once" {
				_, _ = buf.WriteString("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n")
			}
			if how == "within the body" {
				_, _ = buf.WriteString(`{"jsonrpc":"2.0",`)
			}
			_ = buf.Flush()
			return true
		})
		err := untilTheEnd(t, t.Context(), pool(t, long, s.server()))
		if verdict.CodeOf(err) != verdict.CallOutcomeUnknown {
			t.Errorf("%s: %v", how, err)
		}
		if n := calls.Load(); n != 1 {
			t.Errorf("%s: %d calls arrived", how, n)
		}
	}
}

// A server closes each connection without a word once it has answered. The next request
// on it would be lost, or sent twice.
func TestTheCallGoesOutOnAFreshConnection(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	s := newSite(t, "", func(w http.ResponseWriter, r *http.Request, m message) bool {
		if m.Method == "tools/call" {
			calls.Add(1)
			return false
		}
		if m.Method != "tools/list" {
			return false
		}
		c, buf, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return true
		}
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[%s]}}`, m.ID, echoTool)
		fmt.Fprintf(buf, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		_ = buf.Flush()
		_ = c.Close()
		return true
	})
	for range 20 {
		if code, err := ask(t, pool(t, long, s.server())); code != "" {
			t.Error(err)
		}
	}
	if n := calls.Load(); n != 20 {
		t.Errorf("%d calls arrived", n)
	}
}

func TestAnAnswerIsResumedByGETAlone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		breaks int
		code   verdict.Code
	}{{1, ""}, {3, ""}, {1 << 20, verdict.CallOutcomeUnknown}} {
		var posts, gets atomic.Int32
		var call atomic.Value
		s := newSite(t, "", func(w http.ResponseWriter, r *http.Request, m message) bool {
			if r.Method == http.MethodPost && m.Method != "tools/call" || r.Method == http.MethodDelete {
				return false
			}
			w.Header().Set("Content-Type", "text/event-stream")
			if m.Method == "tools/call" {
				posts.Add(1)
				call.Store(string(m.ID))
				_, _ = io.WriteString(w, "id: e0\nretry: 1\ndata:\n\n")
				return true
			}
			n := int(gets.Add(1))
			if want := fmt.Sprintf("e%d", n-1); r.Header.Get("Last-Event-ID") != want {
				t.Errorf("GET %d resumes after %q, want %q", n, r.Header.Get("Last-Event-ID"), want)
			}
			if n < c.breaks {
				fmt.Fprintf(w, "id: e%d\nretry: 1\ndata:\n\n", n)
				return true
			}
			fmt.Fprintf(w, "id: e%d\ndata: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}}\n\n", n, call.Load())
			return true
		})
		err := untilTheEnd(t, t.Context(), pool(t, long, s.server()))
		if verdict.CodeOf(err) != c.code {
			t.Errorf("after %d breaks: %v", c.breaks, err)
		}
		if posts.Load() != 1 || int(gets.Load()) > min(c.breaks, 8) {
			t.Errorf("after %d breaks: %d POSTs, %d GETs", c.breaks, posts.Load(), gets.Load())
		}
	}
}
