package demo_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/eval/watched"
	"github.com/onestep-run/onestep/host/demo"
)

const deleteCall = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete_policy_entry","arguments":{"policy_id":"policy-001"}}}`

func post(t *testing.T, url, body string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	return req
}

func handler(t *testing.T, d *demo.Demo) http.Handler {
	t.Helper()
	h, err := d.Handler("mcp-policy-kb")
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestHTTPRefusesWhatABrowserCouldBeMadeToSend(t *testing.T) {
	t.Parallel()
	d := watched.New()
	srv := httptest.NewServer(handler(t, d.Demo))
	t.Cleanup(srv.Close)
	for name, c := range map[string]struct {
		spoil func(*http.Request)
		want  int
	}{
		"another Host":              {func(r *http.Request) { r.Host = "evil.example" }, 403},
		"a Host like the loopback":  {func(r *http.Request) { r.Host = "127.0.0.1.evil.example" }, 403},
		"another Origin":            {func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, 403},
		"an opaque Origin":          {func(r *http.Request) { r.Header.Set("Origin", "null") }, 403},
		"a cross-site fetch":        {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403},
		"a form's content type":     {func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 415},
		"a version that is unknown": {func(r *http.Request) { r.Header.Set("MCP-Protocol-Version", "2023-01-01") }, 400},
	} {
		req := post(t, srv.URL, deleteCall)
		c.spoil(req)
		res, err := srv.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != c.want {
			t.Errorf("%s: status %d, want %d", name, res.StatusCode, c.want)
		}
	}
	if _, ok := d.Policies.Get("policy-001"); !ok || d.Requests("mcp-policy-kb") != 0 {
		t.Error("a refused request reached the server")
	}
}

func TestHTTPAnswersOnTheLoopbackOnly(t *testing.T) {
	t.Parallel()
	tcp := func(ip string) net.Addr { return &net.TCPAddr{IP: net.ParseIP(ip), Port: 80} }
	for name, c := range map[string]struct {
		addr net.Addr
		want int
	}{
		"IPv4 loopback":     {tcp("127.0.0.1"), 200},
		"IPv6 loopback":     {tcp("::1"), 200},
		"mapped loopback":   {tcp("::ffff:127.0.0.1"), 200},
		"a private address": {tcp("192.168.1.7"), 403},
		"all addresses":     {tcp("0.0.0.0"), 403},
		"a unix socket":     {&net.UnixAddr{Name: "/run/demo.sock", Net: "unix"}, 403},
		"no address":        {nil, 403},
	} {
		req := post(t, "http://localhost/", deleteCall)
		if c.addr != nil {
			req = req.WithContext(context.WithValue(req.Context(), http.LocalAddrContextKey, c.addr))
		}
		w := httptest.NewRecorder()
		handler(t, demo.New()).ServeHTTP(w, req)
		if w.Code != c.want {
			t.Errorf("%s: status %d, want %d: %s", name, w.Code, c.want, w.Body)
		}
	}
}

func TestHTTPRefusesALongBody(t *testing.T) {
	t.Parallel()
	d := watched.New()
	srv := httptest.NewServer(handler(t, d.Demo))
	t.Cleanup(srv.Close)
	res, err := srv.Client().Do(post(t, srv.URL, deleteCall+strings.Repeat(" ", 64<<10)))
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusRequestEntityTooLarge || d.Requests("mcp-policy-kb") != 0 {
		t.Errorf("status %d after %d requests", res.StatusCode, d.Requests("mcp-policy-kb"))
	}
}
