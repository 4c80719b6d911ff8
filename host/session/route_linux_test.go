package session_test

import (
	"crypto/tls"
	"io"
	"log"
	"net/http/httptest"
	"testing"
)

// The system's authorities are what SSL_CERT_FILE names: see ownAuthority.
func TestTheSystemsAuthoritiesStayTrusted(t *testing.T) {
	t.Parallel()
	s := newSite(t, "", plainly)
	server, other := encrypted(t, s)
	known := httptest.NewUnstartedServer(s.Config.Handler)
	known.TLS = &tls.Config{Certificates: []tls.Certificate{systems}, MinVersion: tls.VersionTLS12}
	known.Config.ErrorLog = log.New(io.Discard, "", 0)
	known.StartTLS()
	t.Cleanup(known.Close)
	server.URL = known.URL + "/mcp"
	for _, file := range []string{"", other} {
		server.CAFile = file
		if err := discover(t, pool(t, long, server)).Err; err != nil {
			t.Errorf("with the CA file %q: %v", file, err)
		}
	}
}
