package model

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
)

// TestAModelIsAskedOverRecentTLSAlone: a network on the way can read an old one.
func TestAModelIsAskedOverRecentTLSAlone(t *testing.T) {
	t.Parallel()
	for version, want := range map[uint16]int32{tls.VersionTLS13: 1, tls.VersionTLS12: 1, tls.VersionTLS11: 0, tls.VersionTLS10: 0} {
		var arrived atomic.Int32
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { arrived.Add(1) }))
		s.TLS = &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: version}
		s.Config.ErrorLog = log.New(io.Discard, "", 0)
		s.StartTLS()
		out := transport()
		out.TLSClientConfig.RootCAs = x509.NewCertPool()
		out.TLSClientConfig.RootCAs.AddCert(s.Certificate())
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		if res, err := out.RoundTrip(req); err == nil {
			_ = res.Body.Close()
		}
		if n := arrived.Load(); n != want {
			t.Errorf("%s: %d requests arrived, want %d", tls.VersionName(version), n, want)
		}
		s.Close()
	}
}

// TestNoProxyOfTheEnvironmentSeesWhatAModelIsAsked: net/http reads the environment
// once, before a test can set it, and takes no proxy for the loopback. So the
// transport itself is read.
func TestNoProxyOfTheEnvironmentSeesWhatAModelIsAsked(t *testing.T) {
	t.Parallel()
	if transport().Proxy != nil {
		t.Error("the transport takes a proxy")
	}
}
