package scan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/host"
)

// Endpoint is an HTTP endpoint: the document is POSTed to it, and its answer is
// that of a status 200.
type Endpoint struct {
	address string
	client  *http.Client
}

// NewEndpoint is the endpoint at an http or https address without a password.
func NewEndpoint(address string) (*Endpoint, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.Fragment != "" {
		return nil, errors.New("it is not an http:// or https:// address without a password")
	}
	return &Endpoint{address, &http.Client{
		Transport: &http.Transport{
			Proxy:                  nil,  // the texts go to nobody else
			DisableKeepAlives:      true, // a scan is one request
			MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       0, // the context's
	}}, nil
}

// Scan asks the endpoint once.
func (e *Endpoint) Scan(ctx context.Context, s host.Sample) ([]guard.Finding, error) {
	document, err := ask(s)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.address, bytes.NewReader(document))
	if err != nil {
		return nil, err
	}
	req.GetBody = nil // nothing sends it twice
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	res, err := e.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("it answered with HTTP %d", res.StatusCode)
	}
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxReply+1))
	if err == nil && len(answer) > maxReply {
		err = fmt.Errorf("its answer is over %d bytes", maxReply)
	}
	if err != nil {
		return nil, err
	}
	return read(answer)
}
