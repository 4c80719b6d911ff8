package session

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
)

// TestACallIsPostedOnce is below the SDK: whatever asks for the same exchange again, the
// second POST does not leave.
func TestACallIsPostedOnce(t *testing.T) {
	t.Parallel()
	var arrived atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { arrived.Add(1) }))
	t.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	c := &carrier{wire: &wire{life: t.Context()}, base: direct(), origin: Origin(u), token: func() string { return "" }}
	t.Cleanup(c.base.CloseIdleConnections)
	ctx, x := withExchange(t.Context(), methodCall)
	defer x.stop()
	for i := range 3 {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL, strings.NewReader(`{}`))
		if err != nil {
			t.Fatal(err)
		}
		res, err := c.RoundTrip(req)
		if (err == nil) != (i == 0) {
			t.Errorf("POST %d of one exchange: %v", i+1, err)
		}
		if err == nil {
			if req.GetBody != nil && res.Request.GetBody != nil {
				t.Error("the request that left can be sent again")
			}
			if err := res.Body.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if n := arrived.Load(); n != 1 {
		t.Errorf("%d POSTs arrived", n)
	}
}

// TestAnEncryptedConnectionIsOfTheRightKind: net/http may send a request on HTTP/2 again.
// An old TLS can be read, and a stranger's certificate is not a server's.
func TestAnEncryptedConnectionIsOfTheRightKind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		max     uint16
		known   bool
		reaches bool
	}{
		{"TLS 1.3", tls.VersionTLS13, true, true},
		{"TLS 1.2", tls.VersionTLS12, true, true},
		{"TLS 1.1", tls.VersionTLS11, true, false},
		{"TLS 1.0", tls.VersionTLS10, true, false},
		{"a certificate that nobody knows", tls.VersionTLS13, false, false},
	} {
		var arrived atomic.Int32
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			arrived.Add(1)
			if r.ProtoMajor != 1 {
				t.Errorf("%s: a request came by %s", c.name, r.Proto)
			}
		}))
		server.EnableHTTP2 = true
		server.TLS = &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: c.max}
		server.Config.ErrorLog = log.New(io.Discard, "", 0)
		server.StartTLS()
		u, err := url.Parse(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		carrier := &carrier{wire: &wire{life: t.Context()}, base: direct(), origin: Origin(u), token: func() string { return "" }}
		if c.known {
			carrier.base.TLSClientConfig.RootCAs = x509.NewCertPool()
			carrier.base.TLSClientConfig.RootCAs.AddCert(server.Certificate())
		}
		ctx, x := withExchange(t.Context(), methodCall)
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL, strings.NewReader(`{}`))
		if err != nil {
			t.Fatal(err)
		}
		res, err := carrier.RoundTrip(req)
		if err == nil {
			_ = res.Body.Close()
		}
		if (err == nil) != c.reaches || arrived.Load() > 0 != c.reaches {
			t.Errorf("%s: %d requests arrived; %v", c.name, arrived.Load(), err)
		}
		x.stop()
		carrier.base.CloseIdleConnections()
		server.Close()
	}
}
