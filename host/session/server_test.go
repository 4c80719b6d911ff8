package session_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

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
		{"a CA file", session.Server{Name: "srv", URL: "https://localhost/", CAFile: "ca.pem"}, true},
		{"a proxy", session.Server{Name: "srv", URL: "http://localhost/", Proxy: "http://user:password@proxy:3128/"}, true},
		{"a proxy behind TLS", session.Server{Name: "srv", URL: "http://localhost/", Proxy: "https://proxy"}, true},
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
		{"a CA file without TLS", session.Server{Name: "srv", URL: "http://localhost/", CAFile: "ca.pem"}, false},
		{"a CA file of a command", session.Server{Name: "srv", Command: "x", CAFile: "ca.pem"}, false},
		{"a proxy of a command", session.Server{Name: "srv", Command: "x", Proxy: "http://proxy"}, false},
		{"a proxy without a scheme", session.Server{Name: "srv", URL: "http://localhost/", Proxy: "proxy:3128"}, false},
		{"a proxy of another kind", session.Server{Name: "srv", URL: "http://localhost/", Proxy: "socks5://user:" + secret + "@proxy"}, false},
		{"a proxy with a path", session.Server{Name: "srv", URL: "http://localhost/", Proxy: "http://proxy/" + secret}, false},
		{"a proxy that is no url", session.Server{Name: "srv", URL: "http://localhost/", Proxy: "http://a b:" + secret}, false},
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
