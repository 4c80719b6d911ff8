package session_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

// encrypted is a site behind TLS, and the file of its authority.
func encrypted(t *testing.T, s *site) (server session.Server, ca string) {
	t.Helper()
	h := httptest.NewTLSServer(s.Config.Handler)
	h.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(h.Close)
	ca = filepath.Join(t.TempDir(), "ca.pem")
	must(t, os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: h.Certificate().Raw}), 0o600))
	server = s.server()
	server.URL = h.URL + "/mcp"
	return server, ca
}

func TestAnAuthorityOfOnesOwnIsTrustedForItsServer(t *testing.T) {
	t.Parallel()
	s := newSite(t, "", plainly)
	server, ca := encrypted(t, s)
	empty := filepath.Join(t.TempDir(), "empty.pem")
	must(t, os.WriteFile(empty, []byte("no certificate"), 0o600))
	for _, c := range []struct {
		file string
		code verdict.Code
		says string
	}{
		{ca, "", ""},
		{"", verdict.ServerUnreachable, "ca_file under [server.srv]"},
		{empty, verdict.ConfigInvalid, "contains no certificate"},
		{empty + ".gone", verdict.ConfigUnreadable, "no such file"},
	} {
		server.CAFile = c.file
		before := len(s.requests())
		l := discover(t, pool(t, long, server))
		if verdict.CodeOf(l.Err) != c.code {
			t.Errorf("with the CA file %q: %v", c.file, l.Err)
		}
		if _, f := verdict.First(l.Err); f != nil && !strings.Contains(f.Reason+f.Advice(), c.says) {
			t.Errorf("with the CA file %q: %v; next: %s", c.file, f, f.Advice())
		}
		if c.code != "" && len(s.requests()) != before {
			t.Errorf("with the CA file %q a request arrived", c.file)
		}
	}
}

// systems is the certificate of an authority that the system knows in these tests.
var systems tls.Certificate

// ownAuthority makes one, and has SSL_CERT_FILE name it. What the system knows
// is read once, so that this is for TestMain alone.
func ownAuthority() tls.Certificate {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	authority := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "of the system"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, authority, authority, &key.PublicKey, key)
	if err != nil {
		panic(err)
	}
	file, err := os.CreateTemp("", "authority*.pem")
	if err != nil {
		panic(err)
	}
	err = errors.Join(pem.Encode(file, &pem.Block{Type: "CERTIFICATE", Bytes: der}), file.Close(), os.Setenv("SSL_CERT_FILE", file.Name()))
	if _, e := x509.SystemCertPool(); err != nil || e != nil {
		panic(errors.Join(err, e))
	}
	_ = os.Remove(file.Name()) // it has been read
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// middle is a small proxy. It keeps what it sees.
type middle struct {
	*httptest.Server
	mu   sync.Mutex
	seen []*http.Request
}

func newMiddle(t *testing.T, status int) *middle {
	m := &middle{}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.mu.Lock()
		m.seen = append(m.seen, r.Clone(r.Context()))
		m.mu.Unlock()
		switch {
		case status != http.StatusOK:
			w.WriteHeader(status)
		case r.Method == http.MethodConnect:
			tunnel(w, r.Host)
		default:
			forward(w, r)
		}
	}))
	t.Cleanup(m.Close)
	return m
}

func tunnel(w http.ResponseWriter, host string) {
	there, err := net.Dial("tcp", host)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer there.Close()
	here, buffered, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	defer here.Close()
	_, _ = io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
	go func() { _, _ = io.Copy(there, buffered); _ = there.Close() }()
	_, _ = io.Copy(here, there)
}

func forward(w http.ResponseWriter, r *http.Request) {
	r.RequestURI = ""
	r.Header.Del("Proxy-Authorization")
	res, err := (&http.Transport{DisableKeepAlives: true, DisableCompression: true}).RoundTrip(r)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer res.Body.Close()
	for name, values := range res.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(res.StatusCode)
	_, _ = io.Copy(w, res.Body)
}

func (m *middle) requests() []*http.Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]*http.Request(nil), m.seen...)
}

// CONNECT shows a proxy where a request goes, and without TLS it sees all of it.
func TestAProxySeesWhatItMust(t *testing.T) {
	t.Parallel()
	for _, secure := range []bool{true, false} {
		s := newSite(t, "", plainly)
		server := s.server()
		if secure {
			server, server.CAFile = encrypted(t, s)
		}
		m := newMiddle(t, http.StatusOK)
		server.Proxy = strings.Replace(m.URL, "http://", "http://ada:lovelace@", 1)
		p := pool(t, long, server)
		if code, err := ask(t, p); code != "" {
			t.Fatalf("with TLS %v: %v", secure, err)
		}
		must(t, p.Close())
		seen := m.requests()
		if len(seen) == 0 || len(s.requests()) == 0 {
			t.Fatalf("with TLS %v the proxy saw %d requests, and the server %d", secure, len(seen), len(s.requests()))
		}
		for _, r := range seen {
			if (r.Method == http.MethodConnect) != secure || (r.Header.Get("Authorization") == "") != secure || (r.Header.Get("X-Team") == "") != secure {
				t.Errorf("with TLS %v the proxy saw %s %s, %v", secure, r.Method, r.URL, r.Header)
			}
			if got := r.Header.Get("Proxy-Authorization"); got != "Basic "+base64.StdEncoding.EncodeToString([]byte("ada:lovelace")) {
				t.Errorf("with TLS %v the proxy was told %q", secure, got)
			}
		}
		for _, r := range s.requests() {
			if r.Header.Get("Authorization") != "Bearer "+secret || r.Header.Get("Proxy-Authorization") != "" {
				t.Errorf("with TLS %v the server got %v", secure, r.Header)
			}
		}
	}
}

func TestAProxyThatRefusesIsToldOfAndNotPassedBy(t *testing.T) {
	t.Parallel()
	for _, secure := range []bool{true, false} {
		s := newSite(t, "", plainly)
		server := s.server()
		if secure {
			server, server.CAFile = encrypted(t, s)
		}
		server.Proxy = strings.Replace(newMiddle(t, http.StatusProxyAuthRequired).URL, "http://", "http://ada:lovelace@", 1)
		f := faultOf(t, server)
		if f.Code != verdict.ServerUnreachable || !strings.Contains(f.Reason, "HTTP 407 Proxy Authentication Required") || !strings.Contains(f.Advice(), "proxy under [server.srv]") {
			t.Errorf("with TLS %v: %v; next: %s", secure, f, f.Advice())
		}
		gone, err := url.Parse(server.Proxy)
		must(t, err)
		gone.Host = "127.0.0.1:1"
		server.Proxy = gone.String()
		if f := faultOf(t, server); f.Code != verdict.ServerUnreachable || strings.Contains(f.Reason, "lovelace") {
			t.Errorf("with TLS %v: %v", secure, f)
		}
		if n := len(s.requests()); n != 0 {
			t.Errorf("with TLS %v the server got %d requests", secure, n)
		}
	}
}
