package session_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

// faultOf is what came of listing and calling, which has to fail.
func faultOf(t *testing.T, s session.Server) *verdict.Fault {
	t.Helper()
	return faultWithin(t, long, s)
}

func faultWithin(t *testing.T, limits session.Limits, s session.Server) *verdict.Fault {
	t.Helper()
	_, err := ask(t, pool(t, limits, s))
	var f *verdict.Fault
	if !errors.As(err, &f) {
		t.Fatalf("it came to %v", err)
	}
	quotes(t, err)
	return f
}

func TestARefusalSaysWhy(t *testing.T) {
	t.Parallel()
	const rpc = `{"jsonrpc":"2.0","id":null,"error":{"code":-32050,"message":"the index is being built"}}`
	for _, c := range []struct {
		method  string
		status  int
		headers map[string]string
		body    string
		code    verdict.Code
		says    []string // of the reason
		hint    string
	}{
		{
			"initialize", 401,
			map[string]string{"Www-Authenticate": `Bearer realm="mcp, \"x\"", resource_metadata="https://login.example/.well-known/oauth-protected-resource", nonce=7`},
			`{"error":"invalid_token","error_description":"the token has expired"}`, verdict.ServerAuth,
			[]string{"it refused the handshake with HTTP 401 Unauthorized: invalid_token: the token has expired; it takes Bearer (realm mcp, \"x\", resource_metadata https://login.example/.well-known/oauth-protected-resource) for a login"},
			"does not take the credentials in the headers of server srv",
		},
		{
			"tools/list", 403,
			map[string]string{"Content-Type": "application/problem+json"},
			`{"title":"Forbidden plan","status":403,"detail":"upgrade to use it"}`,
			verdict.ServerAuth,
			[]string{"refused tools/list with HTTP 403 Forbidden: Forbidden plan: upgrade to use it"},
			"may not do this",
		},
		{
			"tools/list", 429,
			map[string]string{"Retry-After": "7", "Content-Type": "text/plain"},
			"slow down\x1b[2J\nplease", verdict.ServerUnreachable,
			[]string{`HTTP 429 Too Many Requests: slow down\u{1B}[2J\u{A}please; it asks to wait 7s`},
			"wait 7s, then ask again",
		},
		{"tools/list", 404, nil, "404 page not found", verdict.ServerProtocol, []string{"HTTP 404 Not Found: 404 page not found"}, "the url of server srv"},
		{"initialize", 500, map[string]string{"Content-Type": "text/html"}, "<html>oh no</html>", verdict.ServerUnreachable, []string{"it refused the handshake with HTTP 500 Internal Server Error"}, "ask again later"},
		{"tools/call", 401, map[string]string{"Www-Authenticate": "Basic realm=vault, Negotiate, NTLM abc"}, "", verdict.OutputRefused, []string{"refused the call with HTTP 401 Unauthorized; it takes Basic (realm vault) or Negotiate or NTLM for a login"}, "credentials"},
		{"tools/call", 403, nil, rpc, verdict.OutputRefused, []string{"HTTP 403 Forbidden: error -32050: the index is being built"}, "may not do this"},
		{"tools/call", 429, map[string]string{"Retry-After": "Sun, 06 Nov 2044 08:49:37 GMT"}, "", verdict.OutputRefused, []string{"it asks to wait until 2044-11-06T08:49:37Z"}, "until 2044-11-06T08:49:37Z, then ask again"},
		{"tools/call", 503, map[string]string{"Retry-After": "soon"}, rpc, verdict.CallOutcomeUnknown, []string{"a gateway answered in the place of the server", "HTTP 503 Service Unavailable: error -32050: the index is being built"}, "only reads"},
		{"tools/call", 501, nil, rpc, verdict.OutputRefused, []string{"HTTP 501 Not Implemented: error -32050: the index is being built"}, "only reads"},
		{"tools/call", 409, nil, rpc, verdict.OutputRPCError, []string{"HTTP 409 Conflict: error -32050: the index is being built"}, "read the server's message"},
		{"tools/call", 400, nil, `{"detail":[{"msg":"no"}]}`, verdict.OutputRefused, []string{`HTTP 400 Bad Request: {"detail":[{"msg":"no"}]}`}, ""},
		{"tools/call", 500, nil, strings.Repeat("long ", 100_000), verdict.OutputRefused, []string{"long long", "…"}, ""},
		{"tools/call", 500, nil, "the header was Bearer " + secret, verdict.OutputRefused, []string{"the header was [redacted]"}, ""},
	} {
		t.Run(fmt.Sprint(c.method, " ", c.status), func(t *testing.T) {
			t.Parallel()
			f := faultOf(t, newSite(t, "", func(w http.ResponseWriter, _ *http.Request, m message) bool {
				if m.Method != c.method {
					return false
				}
				for name, value := range c.headers {
					w.Header().Set(name, value)
				}
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
				return true
			}).server())
			if f.Code != c.code || !strings.Contains(f.Advice(), c.hint) {
				t.Errorf("it came to %v, want %s; next: %s", f, c.code, f.Advice())
			}
			for _, part := range c.says {
				if !strings.Contains(f.Reason, part) {
					t.Errorf("%s\ndoes not say %s", f.Reason, part)
				}
			}
			if strings.Contains(f.Reason, "html") || strings.ContainsAny(f.Reason, "\x1b\n") {
				t.Errorf("it says %q", f.Reason)
			}
			if f.Code == verdict.OutputRefused && f.Code.Entry().Retryable {
				t.Error("a call has left, and it may be tried again")
			}
		})
	}
}

func TestATokenIsAskedForWhereThereIsNone(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"http", "sse"} {
		s := newSite(t, "", func(w http.ResponseWriter, _ *http.Request, _ message) bool {
			w.Header().Add("Www-Authenticate", "Bearer scope=\"a b\"")
			w.Header().Add("Www-Authenticate", "DPoP")
			w.WriteHeader(http.StatusUnauthorized)
			return true
		}).server()
		s.Headers, s.Type = nil, kind
		f := faultOf(t, s)
		if !strings.Contains(f.Reason, "it refused the handshake with HTTP 401 Unauthorized; it takes Bearer (scope a b) or DPoP for a login") || !strings.Contains(f.Hint, `"Authorization": "Bearer ${NAME}"`) {
			t.Errorf("%s: %v; next: %s", kind, f, f.Hint)
		}
		s.Stuck = "write the issuer into its entry" // a login that has just failed is not the next step
		if f := faultOf(t, s); f.Hint != s.Stuck {
			t.Errorf("%s, where a login failed: next: %s", kind, f.Hint)
		}
	}
}

// The status is known before the body is, and a body may never end.
func TestARefusalThatDoesNotEndIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	f := faultOf(t, newSite(t, "", func(w http.ResponseWriter, r *http.Request, m message) bool {
		if m.Method != "tools/call" {
			return false
		}
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, "so far")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		return true
	}).server())
	if f.Code != verdict.OutputRefused || !strings.Contains(f.Reason, "HTTP 403 Forbidden: so far") {
		t.Error(f)
	}
}

// Over HTTP+SSE an answer comes by the stream, and a refusal by the POST.
func TestARefusalByThePostIsToldToo(t *testing.T) {
	t.Parallel()
	for method, want := range map[string]verdict.Code{"initialize": verdict.ServerAuth, "tools/list": verdict.ServerAuth, "tools/call": verdict.OutputRefused} {
		s := legacy(t, "", logFile(t), sameOrigin)
		u, err := url.Parse(s.URL)
		must(t, err)
		behind := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: u.Scheme, Host: u.Host})
		behind.FlushInterval = -1
		behind.ErrorLog = log.New(io.Discard, "", 0)
		front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			if strings.Contains(string(body), `"`+method+`"`) {
				http.Error(w, "not on Sundays", http.StatusForbidden)
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			behind.ServeHTTP(w, r)
		}))
		t.Cleanup(front.Close)
		s.URL = front.URL + "/sse"
		if f := faultOf(t, s); f.Code != want || !strings.Contains(f.Reason, "with HTTP 403 Forbidden: not on Sundays") {
			t.Errorf("%s: %v", method, f)
		}
	}
}

// ownCode is the code with which a fake of such a mode refuses a method.
func ownCode(mode, method string) int {
	if rest, ok := strings.CutPrefix(mode, "own code in "+method+": "); ok {
		code, _ := strconv.Atoi(rest)
		return code
	}
	return 0
}

// The SDK uses these codes for its own errors, one of which it takes for the
// end of the connection.
func TestAServersOwnCodeIsItsOwn(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"-32001", "-32003", "-32004", "-32005"} {
		for method, want := range map[string]string{"tools/list": "server.protocol", "tools/call": "output.rpc_error", "initialize": "server.protocol"} {
			each(t, "own code in "+method+": "+code, nil, func(t *testing.T, s session.Server, _ string) {
				got, err := ask(t, pool(t, long, s))
				if got != want || !strings.Contains(err.Error(), "error "+code+": ") {
					t.Errorf("it came to %v, want %s with error %s", err, want, code)
				}
			})
		}
	}
}
