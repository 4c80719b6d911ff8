package session

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/disk"
)

// Transport carries requests to the server, by the configured proxy if there is one. It
// accepts only a certificate of an authority that the system knows or that the server's
// CA file names. host/login uses it for a server's authorization server.
func (s Server) Transport() (*http.Transport, error) {
	t, fault := s.route()
	if fault != nil {
		return nil, fault
	}
	return t, nil
}

func (s Server) route() (*http.Transport, *verdict.Fault) {
	t := direct()
	if s.Proxy != "" {
		t.Proxy = func(*http.Request) (*url.URL, error) { return url.Parse(s.Proxy) } // checkProxy has read it
		t.OnProxyConnectResponse = through
	}
	if s.CAFile != "" {
		roots, fault := authorities(s.CAFile)
		if fault != nil {
			return nil, fault
		}
		t.TLSClientConfig.RootCAs = roots
	}
	return t, nil
}

var errProxy = errors.New("the proxy refuses to connect,")

// through reports why a proxy does not connect. net/http would report only the words of
// the status.
func through(_ context.Context, _ *url.URL, _ *http.Request, res *http.Response) error {
	if res.StatusCode == http.StatusOK {
		return nil
	}
	return fmt.Errorf("%w with HTTP %d %s", errProxy, res.StatusCode, http.StatusText(res.StatusCode))
}

// maxCA is larger than a system's whole list of authorities.
const maxCA = 4 << 20

// authorities returns the system's authorities and the file's.
func authorities(path string) (*x509.CertPool, *verdict.Fault) {
	pem, err := disk.ReadFile(path, maxCA)
	if err != nil {
		return nil, verdict.Fail(verdict.ConfigUnreadable, err, "its CA file cannot be read: %v", err)
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool() // a system without authorities
	}
	if !roots.AppendCertsFromPEM(pem) {
		return nil, verdict.Fail(verdict.ConfigInvalid, nil, "its CA file %s contains no certificate in PEM", path)
	}
	return roots, nil
}
