// Package demo contains three MCP servers inside the binary: SharePoint documents,
// ServiceNow tickets and a policy knowledge base. With them a newcomer can try onestep
// without set-up, and a test can see which requests reached a server.
//
// It vouches only for its own side. Each tool checks its arguments and its result against
// its listed schemas, except two of ServiceNow's, which check nothing, as is common. It
// refuses no client: the tools that delete and close are served next to the reading
// tools, and do what they say. The allowlist and the gates decide which tools may be
// called.
//
// cmd/ask calls it for --demo and for `ask demo serve`; eval/watched wraps it for
// evaluations and tests. No other package uses the server side of the MCP SDK.
package demo

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The names of the servers in the demo allowlist.
const (
	sharePoint = "mcp-sharepoint"
	serviceNow = "mcp-servicenow"
	policyKB   = "mcp-policy-kb"
)

// Demo is the three servers over one set of stores. [New] fills the stores. It is safe
// for concurrent use by many clients.
type Demo struct {
	Documents *Store[Document]
	Tickets   *Store[Ticket]
	Policies  *Store[Policy]

	servers map[string]func() *server // each is made for its first client
}

// New fills the stores. No server is made before a client connects to it.
func New() *Demo {
	d := &Demo{
		Documents: newStore[Document]("document", "documents.json"),
		Tickets:   newStore[Ticket]("ticket", "tickets.json"),
		Policies:  newStore[Policy]("policy", "policies.json"),
	}
	d.servers = map[string]func() *server{
		sharePoint: sync.OnceValue(func() *server { return newSharePoint(d.Documents) }),
		serviceNow: sync.OnceValue(func() *server { return newServiceNow(d.Tickets) }),
		policyKB:   sync.OnceValue(func() *server { return newPolicyKB(d.Policies) }),
	}
	return d
}

//go:embed allowlist.json
var allowlist []byte

//go:embed pins.json
var pins []byte

// Pins are the approvals of the demo's tools, in the format of host/trust.
func Pins() []byte { return bytes.Clone(pins) }

// Allowlist is the demo's allowlist: the six tools that only read.
func Allowlist() []byte { return bytes.Clone(allowlist) }

// Servers returns the servers' names, sorted.
func (d *Demo) Servers() []string { return slices.Sorted(maps.Keys(d.servers)) }

// Transport starts a session of the named server in this process and returns
// the client's end of it, for one connection. The session ends when the client
// closes its end or ctx is done; a client that never connects leaves it to ctx.
func (d *Demo) Transport(ctx context.Context, name string) (mcp.Transport, error) {
	s, err := d.server(name)
	if err != nil {
		return nil, err
	}
	theirs, ours := mcp.NewInMemoryTransports()
	// The client judges how a session ended: it sees its end closed.
	go func() { _ = s.mcp.Run(ctx, ours) }()
	return theirs, nil
}

// Serve speaks to one client of the named server, like an MCP stdio server. It returns
// when in ends (no error) or ctx is done. It closes in, to end a pending read, and leaves
// out open.
func (d *Demo) Serve(ctx context.Context, name string, in io.ReadCloser, out io.Writer) error {
	s, err := d.server(name)
	if err != nil {
		return err
	}
	return s.mcp.Run(ctx, &mcp.IOTransport{
		Reader:        in,
		Writer:        nopCloser{out},
		MaxLineLength: maxRequest,
	})
}

// Wrap runs around before every check of the named server. Call it before a client
// connects.
func (d *Demo) Wrap(name string, around mcp.Middleware) error {
	s, err := d.server(name)
	if err == nil {
		s.mcp.AddReceivingMiddleware(around)
	}
	return err
}

func (d *Demo) server(name string) (*server, error) {
	made, ok := d.servers[name]
	if !ok {
		return nil, fmt.Errorf("no demo server is called %q; there are %q", name, d.Servers())
	}
	return made(), nil
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// Handler serves the named server over streamable HTTP, to clients on the same machine
// only.
//
// A page in the user's browser is on the same machine, too. Handler refuses requests that
// a browser marks as coming from another origin, and a Host that does not name the
// loopback (DNS rebinding). It serves other programs on this machine, of any user: it has
// no login.
func (d *Demo) Handler(name string) (http.Handler, error) {
	s, err := d.server(name)
	if err != nil {
		return nil, err
	}
	h := mcp.NewStreamableHTTPHandler(
		func(*http.Request) *mcp.Server { return s.mcp },
		&mcp.StreamableHTTPOptions{
			// No tool needs a session, the newest protocol has none, and without sessions
			// none has to be ended. Older versions work without sessions, too.
			Stateless: true,
			// One answer to one request: no stream is needed.
			JSONResponse:               true,
			Logger:                     slog.New(slog.DiscardHandler),
			DisableLocalhostProtection: false,
			MaxRequestBodyBytes:        maxRequest,
		})
	return loopbackOnly(http.NewCrossOriginProtection().Handler(h)), nil
}

// loopbackOnly refuses requests that arrived on another address than the loopback, even
// if the caller listens on other addresses. The SDK checks the Host header only for
// arrivals on the loopback, so its check always applies here.
func loopbackOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		addr, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
		if !loopback(addr) {
			http.Error(w, "the demo servers answer on the loopback address only", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func loopback(addr net.Addr) bool {
	if addr == nil {
		return false
	}
	ap, err := netip.ParseAddrPort(addr.String())
	return err == nil && ap.Addr().Unmap().IsLoopback()
}
