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

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

// site is an HTTP server that records its requests, and passes each to special first. If
// special writes nothing, a plain MCP server answers.
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
			if r.Header.Get("Accept-Encoding") != "gzip" || r.Header.Get("Cookie") != "" {
				t.Errorf("%q: request %d has headers of net/http's own: %v", mode, i, r.Header)
			}
			left = left || r.Method == http.MethodDelete && r.Header.Get("Mcp-Session-Id") == "session-1"
		}
		if !left && mode != "stateless" {
			t.Errorf("%q: the session was not taken leave of", mode)
		}
	}
}

// stranger is a host that nothing is to be sent to. It counts what is, and
// refuses it, so that a test which fails does not wait for an answer.
func stranger(requests *atomic.Int32) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		w.WriteHeader(http.StatusTeapot)
	}))
}

func TestARedirectIsNotFollowed(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"initialize", "notifications/initialized", "tools/list", "tools/call"} {
		for _, status := range []int{http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
			var strangers atomic.Int32
			elsewhere := stranger(&strangers)
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
	elsewhere := stranger(&strangers)
	defer elsewhere.Close()
	s := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusFound))
	defer s.Close()
	err := discover(t, pool(t, long, session.Server{Name: "srv", URL: s.URL, Type: "sse"})).Err
	if verdict.CodeOf(err) != verdict.ServerRedirect || !strings.Contains(err.Error(), "to "+elsewhere.URL) || strangers.Load() != 0 {
		t.Errorf("%v, and %d requests to the other host", err, strangers.Load())
	}
}

func TestALeaveThatIsNotAnsweredHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	given := make(chan struct{})
	s := newSite(t, "", func(_ http.ResponseWriter, r *http.Request, _ message) bool {
		if r.Method != http.MethodDelete {
			return false
		}
		<-r.Context().Done() // never answered: only the client can end it
		close(given)
		return true
	})
	p := pool(t, long, s.server())
	must(t, discover(t, p).Err)
	must(t, p.Close())
	<-given
}

func TestAnEndpointOnAnotherOriginGetsNoRequest(t *testing.T) {
	t.Parallel()
	var strangers atomic.Int32
	elsewhere := stranger(&strangers)
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
		{"tools/call", 401, "", verdict.OutputRefused},
		{"tools/call", 500, "", verdict.OutputRefused},
		{"tools/call", 502, "", verdict.CallOutcomeUnknown},
		{"tools/call", 503, "", verdict.CallOutcomeUnknown},
		{"tools/call", 504, refusal, verdict.CallOutcomeUnknown},
		{"tools/call", 404, "", verdict.OutputRefused},
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
