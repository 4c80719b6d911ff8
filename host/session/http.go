package session

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/disk"
)

// carrier carries the SDK's HTTP requests to one origin, each at most once.
type carrier struct {
	wire    *wire
	base    *http.Transport
	origin  string
	headers http.Header
	token   func() string // of the login, "" without one
	shared  bool          // other connections share its session; see meeting
	leaves  atomic.Bool   // it is the last to end, and so ends the session
	hanging bool          // a GET is the connection itself, as in HTTP+SSE
}

const (
	headerVersion = "Mcp-Protocol-Version"
	headerSession = "Mcp-Session-Id"
	headerEvent   = "Last-Event-Id"
	headerLogin   = "Authorization"
	// maxEcho bounds the values that a server makes us send back to it.
	maxEcho = 16 << 10
	// maxResumes is how often GET may resume one answer's stream.
	maxResumes = 8
	// reconnects is how often in a row the SDK tries to resume without progress.
	reconnects = 3
)

func remote(s Server, w *wire) (mcp.Transport, *carrier, error) {
	u, err := url.Parse(s.URL)
	if err != nil {
		return nil, nil, errors.New("the url cannot be read")
	}
	base, err := s.Transport()
	if fault, is := errors.AsType[*verdict.Fault](err); is {
		return nil, nil, w.fail(fault.Code, fault.Cause, "%s", fault.Reason)
	}
	c := &carrier{wire: w, base: base, origin: Origin(u), headers: http.Header{}, hanging: s.Kind() == typeSSE}
	for name, value := range s.Headers {
		c.headers.Set(name, value)
	}
	client := &http.Client{
		Transport: c,
		// The carrier refuses a redirect already. This stops a redirect that it missed.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Jar:           nil, // no cookies
		Timeout:       0,   // every request has a context; a stream has no end
	}
	if c.hanging {
		return &mcp.SSEClientTransport{Endpoint: s.URL, HTTPClient: client, MaxEventSize: w.limits.Bytes}, c, nil
	}
	return &mcp.StreamableClientTransport{
		Endpoint:     s.URL,
		HTTPClient:   client,
		MaxRetries:   reconnects, // of GET only: the carrier sends no POST twice
		MaxEventSize: w.limits.Bytes,
		// The SDK opens this stream for its own transports only, not for a wrapped one.
		// So no message reports a changed list: see conn.live.
		DisableStandaloneSSE: true,
		OAuthHandler:         nil, // it would repeat a request after a login
	}, c, nil
}

// dialTime bounds one connection.
const dialTime = 30 * time.Second

// control asks Dials about the address that a name has resolved to.
func (s Server) control(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	return s.Dials(at.Addr())
}

// direct is a transport that shares nothing with the rest of the program.
func direct() *http.Transport {
	// One request, one connection: HTTP/2 repeats requests by itself.
	var http1 http.Protocols
	http1.SetHTTP1(true)
	return &http.Transport{
		// No proxy of the environment: it would choose who sees the headers.
		Proxy:     nil,
		Protocols: &http1,
		// Explicit, so that no setting of the environment (GODEBUG) lowers it.
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		DialContext:            (&net.Dialer{Timeout: dialTime}).DialContext,
		TLSHandshakeTimeout:    10 * time.Second,
		IdleConnTimeout:        30 * time.Second,
		MaxResponseHeaderBytes: 256 << 10,
		DisableCompression:     true, // see unpacked
	}
}

// Transport carries requests to the server, by the configured proxy if there is one. It
// accepts only a certificate of an authority that the system knows or that the server's
// CA file names. host/login uses it for a server's authorization server.
func (s Server) Transport() (*http.Transport, error) {
	t := direct()
	if s.Dials != nil {
		t.DialContext = (&net.Dialer{Timeout: dialTime, Control: s.control}).DialContext
	}
	if s.Proxy != "" {
		t.Proxy = func(*http.Request) (*url.URL, error) { return url.Parse(s.Proxy) } // checkProxy has read it
		t.OnProxyConnectResponse = through
	}
	if s.CAFile != "" {
		roots, err := authorities(s.CAFile)
		if err != nil {
			return nil, err
		}
		t.TLSClientConfig.RootCAs = roots
	}
	return t, nil
}

var errProxy = errors.New("the proxy refuses to connect,")

// through reports why a proxy does not connect. net/http would report only its status.
func through(_ context.Context, _ *url.URL, _ *http.Request, res *http.Response) error {
	if res.StatusCode == http.StatusOK {
		return nil
	}
	return fmt.Errorf("%w with HTTP %d %s", errProxy, res.StatusCode, http.StatusText(res.StatusCode))
}

// maxCA is larger than a system's whole list of authorities.
const maxCA = 4 << 20

// authorities returns the system's authorities and the file's.
func authorities(path string) (*x509.CertPool, error) {
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

// Origin is the scheme, host and port of an address in canonical form.
func Origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[strings.ToLower(u.Scheme)]
	}
	return strings.ToLower(u.Scheme) + "://" + net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// RoundTrip refuses a request to another origin, and a request that is sent twice, before
// anything leaves. Afterwards it refuses a redirect and a body without end. It records
// how the server refuses.
func (c *carrier) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := c.refuse(req); err != nil {
		if req.Body != nil {
			_ = req.Body.Close()
		}
		return nil, err
	}
	ctx, cancel := context.WithCancel(req.Context())
	stop := context.AfterFunc(c.wire.life, cancel) //nolint:contextcheck // both contexts bound it
	over := func() { stop(); cancel() }
	res, err := c.handshake(req)
	if res == nil && err == nil {
		res, err = c.base.RoundTrip(c.prepare(req.Clone(ctx)))
	}
	if err != nil {
		defer over()
		if c.relevant(req) && ctx.Err() == nil { // otherwise the reason is ours
			return nil, c.wire.fail(verdict.ServerUnreachable, err, "no connection: %v", err)
		}
		return nil, err
	}
	if res.Body, err = unpacked(res); err != nil {
		defer over()
		return nil, c.wire.fail(verdict.ServerProtocol, err, "%v", err)
	}
	if res.StatusCode >= 400 {
		defer over()
		return c.refused(req, res, cancel)
	}
	res.Body = c.frames(res, over)
	if code := res.StatusCode; code >= 300 {
		_ = res.Body.Close()
		return nil, c.wire.fail(verdict.ServerRedirect, nil, "it answers with a redirect (HTTP %d)%s", code, redirectTarget(res))
	}
	return res, nil
}

// redirectTarget is the address of a redirect, for the user who has to configure it.
func redirectTarget(res *http.Response) string {
	to, err := res.Location()
	if err != nil {
		return ""
	}
	return " to " + Origin(to)
}

// refused keeps an answer of HTTP 400 and above, whole. The SDK gets only its status, and
// its JSON-RPC error, which may name other versions of the protocol.
func (c *carrier) refused(req *http.Request, res *http.Response, cancel func()) (*http.Response, error) {
	r, body := refusalOf(res, cancel, c.wire.limits)
	r.within = req.Header.Get(headerSession) != ""
	failed := r.locked()
	switch x := exchangeOf(req.Context()); {
	case !c.relevant(req):
	case x == nil:
		c.wire.refusal.Store(r)
		failed = failed || r.rpc == nil
	default:
		x.refusal.Store(r)
		failed = true
	}
	if failed {
		_ = c.wire.fail(r.code(), r, "it answers HTTP %d", r.status)
	}
	if r.rpc == nil {
		body = nil // usually a page for a browser
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	return res, nil
}

func (c *carrier) frames(res *http.Response, over func()) *frames {
	media, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	res.Header.Set("Content-Type", media) // the SDK must read the same type as we do
	f := newFrames(&body{res.Body, over}, c.wire, never)
	f.asked = res.Request.Context()
	switch strict := f.good; {
	case media == "text/event-stream":
		f.split, f.named = byEvent, c.hanging
		if c.hanging {
			f.good = func([]byte) ([]byte, error) { f.good = strict; return nil, nil } // the first event is an address
		}
	case media != "application/json":
		f.good = nil // the SDK reads nothing else
	}
	return f
}

func (c *carrier) refuse(req *http.Request) error {
	x := exchangeOf(req.Context())
	switch {
	case Origin(req.URL) != c.origin || req.URL.User != nil:
		return c.wire.fail(verdict.ServerOrigin, nil, "it directs messages to %.4096s, which is not its configured origin", Origin(req.URL))
	case len(req.URL.RequestURI()) > maxEcho || len(req.Header.Get(headerEvent)) > maxEcho || len(req.Header.Get(headerSession)) > maxEcho:
		if x != nil {
			defer x.stop() // the SDK would try again
		}
		return c.wire.fail(verdict.ServerProtocol, nil, "it requires an address or an id of more than %d bytes to be sent back", maxEcho)
	case x == nil:
		return nil
	case req.Method == http.MethodPost && !x.posted.CompareAndSwap(false, true):
		return errors.New("a request may not be repeated")
	case req.Method == http.MethodGet && x.resumed.Add(1) > maxResumes:
		defer x.stop() // the SDK would try again
		return c.wire.fail(verdict.ServerProtocol, nil, "it broke off its answer more than %d times", maxResumes)
	}
	return nil
}

func (c *carrier) prepare(req *http.Request) *http.Request {
	req.GetBody = nil // without it net/http cannot send a body again
	req.Header.Set("Accept-Encoding", "gzip")
	maps.Copy(req.Header, c.headers)
	if token := c.token(); token != "" {
		req.Header.Set(headerLogin, "Bearer "+token) // RFC 6750, section 2.1
	}
	if x := exchangeOf(req.Context()); x.call() && req.Method == http.MethodPost {
		for _, m := range x.mirrored {
			req.Header.Set(m.Header, m.Encoded())
		}
	}
	if v := c.wire.version(); v != "" && req.Header.Get(headerVersion) == "" {
		req.Header.Set(headerVersion, v)
	}
	return req
}

// relevant reports whether a failed request means that the connection failed. A GET is
// tried again, and a failed DELETE has no consequence.
func (c *carrier) relevant(req *http.Request) bool {
	return req.Method == http.MethodPost || req.Method == http.MethodGet && c.hanging
}

// body ends its request's context when it is closed.
type body struct {
	io.ReadCloser
	over func()
}

func (b *body) Close() error {
	defer b.over()
	return b.ReadCloser.Close()
}

// unpacked returns a body that counts its unpacked bytes towards the limits, not the
// bytes that came. It unpacks while it is read, so a small body that unpacks to gigabytes
// costs no more than the limit.
func unpacked(res *http.Response) (io.ReadCloser, error) {
	switch coding := strings.ToLower(strings.Join(res.Header.Values("Content-Encoding"), ", ")); coding {
	case "", "identity":
		return res.Body, nil
	case "gzip", "x-gzip":
		res.Header.Del("Content-Encoding")
		res.Header.Del("Content-Length")
		res.ContentLength = -1
		return &packed{ReadCloser: res.Body}, nil
	default:
		_ = res.Body.Close()
		return nil, fmt.Errorf("its body has the Content-Encoding %.64q, which was not asked for", coding)
	}
}

// packed is a body in gzip. The gzip header may come after the stream has begun.
type packed struct {
	io.ReadCloser
	unpack *gzip.Reader
	failed error
}

func (p *packed) Read(b []byte) (int, error) {
	if p.unpack == nil && p.failed == nil {
		p.unpack, p.failed = gzip.NewReader(p.ReadCloser)
	}
	if p.failed != nil {
		return 0, p.failed
	}
	return p.unpack.Read(b)
}
