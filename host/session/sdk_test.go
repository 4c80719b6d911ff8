package session_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/eval/watched"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/host/session"
)

// TestTheSDKsOwnServersAreUnderstood is the other side of the fake: servers
// that keep to the specification, in every version and over every transport.
func TestTheSDKsOwnServersAreUnderstood(t *testing.T) {
	t.Parallel()
	for _, version := range mcp.SupportedProtocolVersions() {
		for _, c := range []struct {
			name   string
			server func(t *testing.T, s *mcp.Server) session.Server
		}{
			{"in memory", func(_ *testing.T, s *mcp.Server) session.Server {
				return session.Server{InProcess: func(ctx context.Context) (mcp.Transport, error) {
					theirs, ours := mcp.NewInMemoryTransports()
					go func() { _ = s.Run(ctx, ours) }()
					return theirs, nil
				}}
			}},
			{"HTTP, streams", over(func(s *mcp.Server) http.Handler {
				return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: version == "2026-07-28"})
			}, "http")},
			{"HTTP, bodies", over(func(s *mcp.Server) http.Handler {
				return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{JSONResponse: true, Stateless: true})
			}, "http")},
			{"HTTP+SSE", over(func(s *mcp.Server) http.Handler {
				return mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return s }, nil)
			}, "sse")},
		} {
			t.Run(version+" "+c.name, func(t *testing.T) {
				t.Parallel()
				if version == "2026-07-28" && c.name == "HTTP+SSE" {
					return // that version does without this transport
				}
				var calls atomic.Int32
				server := c.server(t, newServer(version, &calls))
				server.Name = "srv"
				p := pool(t, long, server)
				if code, err := ask(t, p); code != "" {
					t.Error(err)
				}
				agreed := version
				if version == "2026-07-28" && c.name == "in memory" {
					agreed = "2025-11-25" // that server shakes hands all the same
				}
				if l := p.Discover(t.Context(), "", []string{"srv"})[0]; l.Protocol != agreed {
					t.Errorf("the listing is of version %q, %v", l.Protocol, l.Err)
				}
				if n := calls.Load(); n != 1 {
					t.Errorf("%d calls arrived", n)
				}
			})
		}
	}
}

func over(handler func(*mcp.Server) http.Handler, kind string) func(*testing.T, *mcp.Server) session.Server {
	return func(t *testing.T, s *mcp.Server) session.Server {
		h := httptest.NewServer(handler(s))
		t.Cleanup(h.Close)
		return session.Server{URL: h.URL, Type: kind}
	}
}

// newServer speaks one version and has one tool.
func newServer(version string, calls *atomic.Int32) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "sdk", Version: "1"}, &mcp.ServerOptions{SupportedProtocolVersions: []string{version}})
	tool := &mcp.Tool{Name: "echo", InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`)}
	s.AddTool(tool, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		calls.Add(1)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(r.Params.Arguments)}}}, nil
	})
	return s
}

func TestADemoToolIsCalledOnce(t *testing.T) {
	t.Parallel()
	d := watched.New()
	const kb, tool = "mcp-policy-kb", "fetch_policy_entry"
	inside := session.Server{Name: kb, InProcess: d.Dial(kb)}
	handler, err := d.Handler(kb)
	must(t, err)
	h := httptest.NewServer(handler)
	defer h.Close()
	for i, s := range []session.Server{inside, {Name: kb, URL: h.URL}} {
		p := pool(t, long, s)
		a := approve(t, p.Discover(t.Context(), "", []string{kb})[0], kb, tool, `{"policy_id":"policy-002"}`)
		raw, _, err := p.Call(t.Context(), a.approved, a.receipt, gate.Consent{})
		must(t, err)
		if _, err := a.gate.Accept(a.approved, raw); err != nil {
			t.Error(err)
		}
		if n := d.Calls(kb, tool); n != i+1 {
			t.Errorf("%d calls arrived, want %d", n, i+1)
		}
	}
}
