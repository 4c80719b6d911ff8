package session_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

// site is an HTTP server that keeps what it was asked, and gives a request to
// special first; where that writes nothing, a plain MCP server answers.
type site struct {
	*httptest.Server
	fake *fake

	mu   sync.Mutex
	seen []*http.Request
}

func newSite(t testing.TB, mode string, special func(w http.ResponseWriter, r *http.Request, m message) bool) *site {
	s := &site{fake: newFake(mode, logFile(t))}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var m message
		_ = json.Unmarshal(body, &m)
		s.mu.Lock()
		s.seen = append(s.seen, r)
		s.mu.Unlock()
		if special(w, r, m) {
			return
		}
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		if m.Method == "initialize" && mode != "stateless" {
			w.Header().Set("Mcp-Session-Id", "session-1")
		}
		w.Header().Set("Content-Type", "application/json")
		if m.ID == nil {
			w.WriteHeader(http.StatusAccepted)
		}
		s.fake.receive(body, func(answer string) { _, _ = io.WriteString(w, answer) })
	}))
	t.Cleanup(s.Close)
	return s
}

func plainly(http.ResponseWriter, *http.Request, message) bool { return false }

func (s *site) server() session.Server {
	return session.Server{Name: "srv", URL: s.URL + "/mcp", Headers: map[string]string{"Authorization": "Bearer " + secret, "X-Team": "blue"}}
}

func (s *site) requests() []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*http.Request(nil), s.seen...)
}

func TestEveryRequestCarriesTheHeadersAndTheVersion(t *testing.T) {
	t.Parallel()
	for mode, version := range map[string]string{"": "2025-11-25", "oldest version": "2024-11-05", "stateless": "2026-07-28"} {
		s := newSite(t, mode, plainly)
		p := pool(t, long, s.server())
		if code, err := ask(t, p); code != "" {
			t.Errorf("%q: %v", mode, err)
		}
		must(t, p.Close())
		left := false
		for i, r := range s.requests() {
			if r.Header.Get("Authorization") != "Bearer "+secret || r.Header.Get("X-Team") != "blue" {
				t.Errorf("%q: request %d has no configured headers", mode, i)
			}
			if got := r.Header.Get("Mcp-Protocol-Version"); i > 0 && got != version {
				t.Errorf("%q: request %d, a %s, has the version %q", mode, i, r.Method, got)
			}
			if r.Header.Get("Accept-Encoding") != "" || r.Header.Get("Cookie") != "" {
				t.Errorf("%q: request %d has headers of net/http's own: %v", mode, i, r.Header)
			}
			left = left || r.Method == http.MethodDelete && r.Header.Get("Mcp-Session-Id") == "session-1"
		}
		if !left && mode != "stateless" {
			t.Errorf("%q: the session was not taken leave of", mode)
		}
	}
}

func TestARedirectIsNotFollowed(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"initialize", "notifications/initialized", "tools/list", "tools/call"} {
		for _, status := range []int{http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
			var strangers atomic.Int32
			elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { strangers.Add(1) }))
			s := newSite(t, "", func(w http.ResponseWriter, r *http.Request, m message) bool {
				if m.Method != method {
					return false
				}
				http.Redirect(w, r, elsewhere.URL, status)
				return true
			})
			err := untilTheEnd(t, t.Context(), pool(t, long, s.server()))
			want := verdict.ServerRedirect
			if method == "tools/call" {
				want = verdict.CallOutcomeUnknown
			}
			if verdict.CodeOf(err) != want {
				t.Errorf("%s, HTTP %d: %v", method, status, err)
			}
			if n := strangers.Load(); n != 0 {
				t.Errorf("%s, HTTP %d: %d requests went to the other host", method, status, n)
			}
			elsewhere.Close()
		}
	}
}

func TestARedirectedStreamIsNotFollowed(t *testing.T) {
	t.Parallel()
	var strangers atomic.Int32
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { strangers.Add(1) }))
	defer elsewhere.Close()
	s := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusFound))
	defer s.Close()
	err := discover(t, pool(t, long, session.Server{Name: "srv", URL: s.URL, Type: "sse"})).Err
	if verdict.CodeOf(err) != verdict.ServerRedirect || strangers.Load() != 0 {
		t.Errorf("%v, and %d requests to the other host", err, strangers.Load())
	}
}

func TestALeaveThatIsNotAnsweredHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	s := newSite(t, "", func(_ http.ResponseWriter, r *http.Request, _ message) bool {
		if r.Method != http.MethodDelete {
			return false
		}
		<-r.Context().Done()
		return true
	})
	p := pool(t, long, s.server())
	must(t, discover(t, p).Err)
	start := time.Now()
	must(t, p.Close())
	if took := time.Since(start); took > 4*time.Second { // the SDK would wait for five
		t.Errorf("closing took %v", took)
	}
}

func TestAnEndpointOnAnotherOriginGetsNoRequest(t *testing.T) {
	t.Parallel()
	var strangers atomic.Int32
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { strangers.Add(1) }))
	defer elsewhere.Close()
	for _, endpoint := range []string{elsewhere.URL + "/message", "//" + strings.TrimPrefix(elsewhere.URL, "http://") + "/message"} {
		s := legacy(t, "", logFile(t), func(string) string { return endpoint })
		s.Headers = map[string]string{"Authorization": "Bearer " + secret}
		if err := discover(t, pool(t, long, s)).Err; verdict.CodeOf(err) != verdict.ServerOrigin {
			t.Errorf("%s: %v", endpoint, err)
		}
	}
	for _, endpoint := range []func(string) string{
		func(base string) string { return strings.Replace(base, "127.0.0.1", "localhost", 1) + "/message" },
		func(base string) string { return strings.Replace(base, "http://", "https://", 1) + "/message" },
		func(base string) string {
			return strings.Replace(base, "http://", "http://user:password@", 1) + "/message"
		},
	} {
		log := logFile(t)
		if err := discover(t, pool(t, long, legacy(t, "", log, endpoint))).Err; verdict.CodeOf(err) != verdict.ServerOrigin {
			t.Errorf("%s: %v", endpoint("http://127.0.0.1:1"), err)
		}
		if n := arrived(t, log, "initialize"); n != 0 {
			t.Errorf("%d messages were sent", n)
		}
	}
	full := func(base string) string { return strings.ToUpper(base[:4]) + base[4:] + "/message" }
	must(t, discover(t, pool(t, long, legacy(t, "", logFile(t), full))).Err)
	if n := strangers.Load(); n != 0 {
		t.Errorf("%d requests went to the other host", n)
	}
}

func TestAStatusIsTold(t *testing.T) {
	t.Parallel()
	const refusal = `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"no"}}`
	for _, c := range []struct {
		method string
		status int
		body   string
		code   verdict.Code
	}{
		{"initialize", 401, "", verdict.ServerAuth},
		{"initialize", 403, "", verdict.ServerAuth},
		{"initialize", 404, "", verdict.ServerProtocol},
		{"initialize", 500, "", verdict.ServerUnreachable},
		{"initialize", 503, "", verdict.ServerUnreachable},
		{"tools/list", 401, "", verdict.ServerAuth},
		{"tools/list", 429, "", verdict.ServerUnreachable},
		{"tools/list", 400, refusal, verdict.ServerProtocol},
		{"tools/call", 401, "", verdict.CallOutcomeUnknown},
		{"tools/call", 502, "", verdict.CallOutcomeUnknown},
		{"tools/call", 204, "", verdict.CallOutcomeUnknown},
		{"tools/call", 400, refusal, verdict.OutputRPCError},
	} {
		var times atomic.Int32
		s := newSite(t, "", func(w http.ResponseWriter, _ *http.Request, m message) bool {
			if m.Method != c.method {
				return false
			}
			times.Add(1)
			w.WriteHeader(c.status)
			if c.body != "" {
				fmt.Fprintf(w, c.body, m.ID)
			}
			return true
		})
		err := untilTheEnd(t, t.Context(), pool(t, long, s.server()))
		if verdict.CodeOf(err) != c.code {
			t.Errorf("%s answered with HTTP %d: %v", c.method, c.status, err)
		}
		if n := times.Load(); n != 1 {
			t.Errorf("%s answered with HTTP %d came %d times", c.method, c.status, n)
		}
	}
}

func TestAnUnreachableServerIsReported(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	for _, kind := range []string{"http", "sse"} {
		server := session.Server{Name: "srv", URL: s.URL + "/mcp?key=" + secret, Type: kind}
		err := discover(t, pool(t, long, server)).Err
		if verdict.CodeOf(err) != verdict.ServerUnreachable {
			t.Errorf("%s: %v", kind, err)
		}
		quotes(t, err)
	}
}

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

// A server closes each connection without a word once it has answered: the
// next request on it would be lost, or sent twice.
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

func TestNoProxyOfTheEnvironmentSeesTheHeaders(t *testing.T) {
	var proxied atomic.Int32
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		proxied.Add(1)
		w.WriteHeader(http.StatusBadGateway)
	}))
	defer proxy.Close()
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"} {
		t.Setenv(name, proxy.URL)
	}
	s := newSite(t, "", plainly).server()
	s.URL = strings.Replace(s.URL, "127.0.0.1", "example.invalid", 1) // net/http never uses a proxy for the loopback
	if err := discover(t, pool(t, long, s)).Err; verdict.CodeOf(err) != verdict.ServerUnreachable {
		t.Errorf("the listing has the error %v", err)
	}
	if n := proxied.Load(); n != 0 {
		t.Errorf("the proxy got %d requests", n)
	}
}

func TestAConfigurationIsChecked(t *testing.T) {
	t.Parallel()
	header := func(name, value string) session.Server {
		return session.Server{Name: "srv", URL: "https://example.com/mcp", Headers: map[string]string{name: value}}
	}
	for _, c := range []struct {
		name string
		s    session.Server
		ok   bool
	}{
		{"a command", session.Server{Name: "srv", Command: "x"}, true},
		{"a command with its type", session.Server{Name: "srv", Command: "x", Type: "stdio", Args: []string{"a"}, Env: map[string]string{"A": "b"}, Dir: "/"}, true},
		{"a url", session.Server{Name: "srv", URL: "https://example.com/mcp"}, true},
		{"a url with its type", session.Server{Name: "srv", URL: "http://localhost:1/mcp", Type: "http"}, true},
		{"another client's spelling", session.Server{Name: "srv", URL: "http://localhost:1/mcp", Type: "streamable-http"}, true},
		{"an SSE url", session.Server{Name: "srv", URL: "http://[::1]:1/sse", Type: "sse"}, true},
		{"in process", piped("", ""), true},
		{"a header", header("Authorization", "Bearer x"), true},
		{"nothing", session.Server{Name: "srv"}, false},
		{"no name", session.Server{Command: "x"}, false},
		{"a name with an escape", session.Server{Name: "a\x1b", Command: "x"}, false},
		{"both", session.Server{Name: "srv", Command: "x", URL: "http://localhost/"}, false},
		{"a command as HTTP", session.Server{Name: "srv", Command: "x", Type: "http"}, false},
		{"a url as stdio", session.Server{Name: "srv", URL: "http://localhost/", Type: "stdio"}, false},
		{"an unknown type", session.Server{Name: "srv", URL: "http://localhost/", Type: "websocket"}, false},
		{"another scheme", session.Server{Name: "srv", URL: "file:///etc/passwd"}, false},
		{"no host", session.Server{Name: "srv", URL: "http:///mcp"}, false},
		{"a port alone", session.Server{Name: "srv", URL: "http://:80/mcp"}, false},
		{"not a url", session.Server{Name: "srv", URL: "http://a b/"}, false},
		{"credentials in the url", session.Server{Name: "srv", URL: "http://user:" + secret + "@localhost/"}, false},
		{"headers of a command", session.Server{Name: "srv", Command: "x", Headers: map[string]string{"A": "b"}}, false},
		{"environment of a url", session.Server{Name: "srv", URL: "http://localhost/", Env: map[string]string{"A": "b"}}, false},
		{"a variable with =", session.Server{Name: "srv", Command: "x", Env: map[string]string{"A=B": "c"}}, false},
		{"a variable with NUL", session.Server{Name: "srv", Command: "x", Env: map[string]string{"A": "b\x00"}}, false},
		{"Idempotency-Key", header("Idempotency-Key", "1"), false},
		{"idempotency-key", header("idempotency-key", "1"), false},
		{"X-Idempotency-Key", header("X-Idempotency-Key", "1"), false},
		{"Host", header("host", "other.example"), false},
		{"Content-Type", header("content-type", "text/plain"), false},
		{"Mcp-Session-Id", header("MCP-Session-ID", "x"), false},
		{"Mcp-Param-X", header("Mcp-Param-X", "x"), false},
		{"a header with a newline", header("A", "b\r\nC: d"), false},
		{"a header without a name", header("", "b"), false},
		{"a header name with a space", header("A B", "b"), false},
		{"a header name with a colon", header("A:", "b"), false},
	} {
		err := c.s.Validate()
		if c.ok != (err == nil) || !c.ok && verdict.CodeOf(err) != verdict.ConfigInvalid {
			t.Errorf("%s: %v", c.name, err)
		}
		if err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("%s: the message quotes a value: %v", c.name, err)
		}
		if !c.ok && c.s.Name == "srv" {
			if got := discover(t, pool(t, long, c.s)).Err; verdict.CodeOf(got) != verdict.ConfigInvalid {
				t.Errorf("%s is used all the same: %v", c.name, got)
			}
		}
	}
}
