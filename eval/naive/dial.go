package naive

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/host/launch"
	"github.com/onestep-run/onestep/host/session"
)

// Dial returns the function for [Agent.Connect]. It reaches the same servers as
// onestep, by the same addresses and in the same environment, but with none of
// host/session's care.
func Dial(servers []session.Server) func(ctx context.Context, server string) (mcp.Transport, error) {
	return func(ctx context.Context, server string) (mcp.Transport, error) {
		i := slices.IndexFunc(servers, func(s session.Server) bool { return s.Name == server })
		if i < 0 {
			return nil, fmt.Errorf("no server is called %q", server)
		}
		switch s := servers[i]; {
		case s.InProcess != nil:
			return s.InProcess(ctx)
		case s.Command != "":
			return start(ctx, s)
		case s.Type == "sse":
			return &mcp.SSEClientTransport{Endpoint: s.URL, HTTPClient: client(s.Headers)}, nil
		default:
			return &mcp.StreamableClientTransport{Endpoint: s.URL, HTTPClient: client(s.Headers)}, nil
		}
	}
}

// start starts a stdio server as onestep does. A server started in another way would
// look to host/launch like a process that a server left behind.
func start(ctx context.Context, s session.Server) (mcp.Transport, error) {
	p, err := launch.Start(ctx, launch.Command{Path: s.Command, Args: s.Args, Env: s.Env, Dir: s.Dir, Secrets: slices.Concat(slices.Collect(maps.Values(s.Secrets)), slices.Collect(maps.Values(s.Env)))})
	if err != nil {
		return nil, err
	}
	return &mcp.IOTransport{Reader: p.Stdout, Writer: process{p}}, nil
}

// process is a server's standard input; closing it ends the server.
type process struct{ *launch.Process }

func (p process) Write(b []byte) (int, error) { return p.Stdin.Write(b) }

// client adds the configured headers to every request. It follows no redirect, because
// the headers are an operator's real ones.
func client(headers map[string]string) *http.Client {
	return &http.Client{
		Transport:     headed{headers, &http.Transport{Proxy: nil}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

type headed struct {
	headers map[string]string
	next    http.RoundTripper
}

func (h headed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, value := range h.headers {
		r.Header.Set(name, value)
	}
	return h.next.RoundTrip(r)
}
