package exchange

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
)

// Endpoint is an HTTP endpoint. It gets a document by POST, and answers with status
// 200.
type Endpoint struct {
	address string
	client  *http.Client
}

var errNoAddress = errors.New("it is not an http:// or https:// address without a password")

// NewEndpoint returns the endpoint at an http or https address without a password.
func NewEndpoint(address string) (*Endpoint, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || !slices.Contains([]string{"http", "https"}, u.Scheme) {
		return nil, errNoAddress
	}
	if u.User != nil || u.Fragment != "" {
		return nil, errNoAddress
	}
	return &Endpoint{address, &http.Client{
		Transport: &http.Transport{
			Proxy:                  nil,  // no other host gets the document
			DisableKeepAlives:      true, // an exchange is one request
			MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       0, // the context bounds it
	}}, nil
}

// Exchange sends a document once, and returns the answer of at most most bytes.
func (e *Endpoint) Exchange(ctx context.Context, document []byte, most int64) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.address, bytes.NewReader(document))
	if err != nil {
		return nil, err
	}
	req.GetBody = nil // prevents sending it twice
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
	answer, err := io.ReadAll(io.LimitReader(res.Body, most+1))
	if err == nil && int64(len(answer)) > most {
		err = fmt.Errorf("its answer is over %d bytes", most)
	}
	return answer, err
}
