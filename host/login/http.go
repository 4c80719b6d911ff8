package login

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/secret"
)

const (
	maxDocument = 256 << 10 // bytes in any answer
	maxShown    = 200       // bytes shown from untrusted text
)

var documentLimits = schema.Limits{Bytes: maxDocument, Depth: 16, Values: 20_000, Exponent: 308, Digits: 64}

var (
	errAddress  = errors.New("the address may not be dialled for a login")
	errNetwork  = errors.New("cannot be reached") // no answer is known to exist
	errRedirect = errors.New("it answers with a redirect, which is not followed")
)

// client makes the requests of a login. Each is sent once, is bounded, and has no
// cookies. No redirect is followed, which could send a code or a token elsewhere.
type client struct {
	http    *http.Client
	known   []string
	secrets secret.Values // no error quotes them
}

func newClient(t Target, inside bool) (*client, error) {
	transport, err := newTransport(t, inside)
	if err != nil {
		return nil, err
	}
	return &client{http: &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Jar:           nil,
		Timeout:       requestTime,
	}}, nil
}

type answer struct {
	status int
	json   bool // by its Content-Type
	body   []byte
}

func (c *client) get(ctx context.Context, address string) (answer, error) {
	return c.do(ctx, http.MethodGet, address, nil, http.Header{})
}

// post sends a form or a document, with an Authorization header unless that is "".
func (c *client) post(ctx context.Context, address, media, body, authorization string) (answer, error) {
	headers := http.Header{"Content-Type": {media}}
	if authorization != "" {
		headers.Set("Authorization", authorization)
	}
	return c.do(ctx, http.MethodPost, address, strings.NewReader(body), headers)
}

func (c *client) do(ctx context.Context, method, address string, body io.Reader, headers http.Header) (answer, error) {
	req, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return answer{}, err
	}
	req.GetBody = nil // without it net/http cannot send the body again
	req.Header = headers
	req.Header.Set("Accept", "application/json")
	res, err := c.http.Do(req)
	if err != nil {
		return answer{}, c.unreachable(req.URL, err)
	}
	defer res.Body.Close()
	if res.StatusCode >= 300 && res.StatusCode < 400 {
		return answer{}, fmt.Errorf("%s: %w (HTTP %d)", shown(req.URL), errRedirect, res.StatusCode)
	}
	text, err := io.ReadAll(io.LimitReader(res.Body, maxDocument+1))
	switch {
	case err != nil:
		return answer{}, c.unreachable(req.URL, err)
	case len(text) > maxDocument:
		return answer{}, fmt.Errorf("%s: it answers with more than %d bytes", shown(req.URL), maxDocument)
	}
	media, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	return answer{res.StatusCode, media == "application/json", text}, nil
}

// unreachable names the address without its query, which errors of net/http would quote.
func (c *client) unreachable(at *url.URL, err error) error {
	if of, is := errors.AsType[*url.Error](err); is {
		err = of.Err
	}
	if errors.Is(err, errAddress) {
		return fmt.Errorf("%s: %w", shown(at), err)
	}
	return fmt.Errorf("%s %w: %s", shown(at), errNetwork, c.words(err.Error()))
}

// shown returns an address without its query, which may contain a code.
func shown(u *url.URL) string {
	return escape.Line(u.Scheme+"://"+u.Host+u.EscapedPath(), maxShown)
}

// words returns untrusted text as one line, without secrets.
func (c *client) words(text string) string {
	return escape.Line(strings.TrimSpace(c.secrets.Quote(text, maxDocument)), maxShown)
}

// decode decodes a document that is JSON and says so (RFC 8414, section 3.2; RFC 9728,
// section 3.2; RFC 6749, section 5.1). It skips unknown members, as RFC 8414 requires.
func (a answer) decode(into any) error {
	switch {
	case !a.json:
		return errors.New("the answer is not application/json")
	case len(bytes.TrimSpace(a.body)) == 0:
		return errors.New("the answer is empty")
	}
	return schema.DecodeOpen(a.body, into, documentLimits)
}

// denial is an error answer of the authorization server (RFC 6749, section 5.2).
type denial struct {
	status int
	Code   string `json:"error"`
	Text   string `json:"error_description"`
}

func (r *denial) Error() string {
	words := strings.TrimSpace(r.Code + " " + r.Text)
	return strings.TrimSpace(fmt.Sprintf("it refuses with HTTP %d %s", r.status, words))
}

// refusal reads an error answer; its words are bounded, escaped, and without secrets.
func (c *client) refusal(a answer) *denial {
	r := &denial{status: a.status}
	if a.decode(r) != nil {
		return &denial{status: a.status}
	}
	r.Code, r.Text = c.words(r.Code), c.words(r.Text)
	return r
}
