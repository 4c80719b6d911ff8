package demo

import (
	"log/slog"
	"net"
	"net/http"
	"net/netip"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Handler serves the named server over streamable HTTP, to clients of the same
// machine only.
//
// A page in the user's browser is on the same machine too. Requests that a
// browser marks as coming from another origin are refused, and so is a Host
// that does not name the loopback (DNS rebinding). Other programs of this
// machine, of any user, are let in: there is no login.
func (d *Demo) Handler(name string) (http.Handler, error) {
	s, err := d.server(name)
	if err != nil {
		return nil, err
	}
	h := mcp.NewStreamableHTTPHandler(
		func(*http.Request) *mcp.Server { return s.mcp },
		&mcp.StreamableHTTPOptions{
			// No tool needs a session, the newest protocol has none, and what
			// is not kept need not be ended. Older versions work all the same.
			Stateless: true,
			// One answer to one request: there is nothing to stream.
			JSONResponse:               true,
			Logger:                     slog.New(slog.DiscardHandler),
			DisableLocalhostProtection: false,
			MaxRequestBodyBytes:        maxRequest,
		})
	return loopbackOnly(http.NewCrossOriginProtection().Handler(h)), nil
}

// loopbackOnly refuses requests that arrived on another address than the
// loopback, whatever address the caller listens on. The SDK's check of the
// Host header is on for loopback arrivals only, so it is always on here.
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
