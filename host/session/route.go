package session

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"

	"github.com/onestep-run/onestep/gate/verdict"
)

// route is how requests get to the server: by the proxy that is configured for
// it, or by none, and only to a certificate of an authority that the system
// knows or the server's own CA file names.
func (s Server) route() (*http.Transport, *verdict.Fault) {
	t := direct()
	if s.Proxy != "" {
		u, err := url.Parse(s.Proxy)
		if err != nil {
			return nil, verdict.Fail(verdict.ConfigInvalid, nil, "its proxy cannot be read")
		}
		t.Proxy = http.ProxyURL(u)
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

// through reports why a proxy does not connect. net/http would tell the words
// of the status alone.
func through(_ context.Context, _ *url.URL, _ *http.Request, res *http.Response) error {
	if res.StatusCode == http.StatusOK {
		return nil
	}
	return fmt.Errorf("%w with HTTP %d %s", errProxy, res.StatusCode, http.StatusText(res.StatusCode))
}

// maxCA is more than all the authorities that a system knows.
const maxCA = 4 << 20

// authorities are the system's, and those of the file.
func authorities(path string) (*x509.CertPool, *verdict.Fault) {
	f, err := os.Open(path)
	if err != nil {
		return nil, verdict.Fail(verdict.ConfigUnreadable, err, "its CA file cannot be read: %v", err)
	}
	defer f.Close()
	pem, err := io.ReadAll(io.LimitReader(f, maxCA))
	if err != nil {
		return nil, verdict.Fail(verdict.ConfigUnreadable, err, "its CA file cannot be read: %v", err)
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool() // a system that has none
	}
	if !roots.AppendCertsFromPEM(pem) {
		return nil, verdict.Fail(verdict.ConfigInvalid, nil, "its CA file %s holds no certificate in PEM", path)
	}
	return roots, nil
}
