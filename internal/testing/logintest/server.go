// Package logintest is an authorization server and the MCP server that it protects, both
// on loopback. It is as strict as the strictest real server: a failed exchange spends a
// code, refresh tokens rotate, and a spent refresh token that is sent again ends all
// tokens of its login. [Options] make it lie.
//
// It counts requests, and records forbidden actions of clients in [Server.Wrongs]. Tests
// import it, and nothing else does.
package logintest

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Options are how the servers behave. With the zero Options a server registers public
// clients, names its document in its challenge, and issues tokens for an hour.
type Options struct {
	Tenant    string            // a path of the issuer, such as "/tenant1"
	OpenID    bool              // its document is OpenID Connect's
	At        string            // place of the resource's document: "" is a named address, else "path" or "root"
	Method    string            // a registered client's authentication; "" for no authentication
	Clients   map[string]string // registered beforehand, with their secrets
	Closed    bool              // it registers no client
	Documents bool              // it accepts client ID metadata documents
	Lifetime  time.Duration     // of an access token; 0 is an hour, below 0 is left out
	Scopes    []string          // of the challenge
	Grants    []string          // granted scopes; nil grants the requested scopes
	NoRefresh bool              // it issues no refresh token
	Steady    bool              // a refresh token stays valid, and a refresh issues no new one
	Offline   bool              // it issues refresh tokens for offline_access only, which needs prompt=consent
	Needs     map[string]string // the scope that a tool needs
	Open      string            // answered without a login: "initialize" or "all"
	Pending   int               // how often a device has to wait

	Media    map[string]string                                        // types of JSON answers, in place of the right one
	Edit     func(path string, doc map[string]any)                    // edits every JSON answer
	Answer   func(w http.ResponseWriter, r *http.Request) (done bool) // answers in place of the server
	Redirect func(q url.Values)                                       // edits the browser's answer
}

// Server is both servers.
type Server struct {
	tb      testing.TB
	mcp, as string // the addresses

	mu      sync.Mutex
	options Options
	now     time.Time // zero is the real time
	clients map[string]client
	codes   map[string]*code
	refresh map[string]*family
	access  map[string]*access
	devices map[string]*code
	counts  map[string]int
	wrongs  []string
	issued  []string
}

type client struct{ secret, method, redirect string }

type code struct {
	client, redirect, challenge, scope string
	spent                              bool
	waits                              int
	of                                 *family
}

// family are all tokens of one login.
type family struct {
	client, scope string
	ended         bool
	current       string // the refresh token that is not spent
}

type access struct {
	of      *family
	scope   string
	expires time.Time
}

// New starts the servers, which end with the test.
func New(tb testing.TB, o Options) *Server {
	s := &Server{
		tb: tb, options: o, clients: map[string]client{}, codes: map[string]*code{}, refresh: map[string]*family{}, access: map[string]*access{},
		devices: map[string]*code{}, counts: map[string]int{},
	}
	mcp, as := httptest.NewUnstartedServer(http.HandlerFunc(s.serveMCP)), httptest.NewUnstartedServer(http.HandlerFunc(s.serveIssuer))
	// set before a handler reads them
	s.mcp, s.as = "http://"+mcp.Listener.Addr().String(), "http://"+as.Listener.Addr().String()
	for id, secret := range o.Clients {
		s.clients[id] = client{secret: secret, method: cmpOr(o.Method, "client_secret_basic")}
		if secret == "" {
			s.clients[id] = client{method: "none"}
		}
	}
	mcp.Start()
	as.Start()
	tb.Cleanup(mcp.Close)
	tb.Cleanup(as.Close)
	return s
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// URL is the MCP endpoint, and Issuer the authorization server.
func (s *Server) URL() string { return s.mcp + "/mcp" }

// Issuer is the authorization server.
func (s *Server) Issuer() string { return s.as + s.options.Tenant }

// Set changes how the servers behave from now on.
func (s *Server) Set(change func(o *Options)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.options)
}

// Pass advances the clock for tokens.
func (s *Server) Pass(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.clock().Add(d)
}

// Expire invalidates all access tokens, but not their logins.
func (s *Server) Expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.access)
}

// EndAll ends all logins.
func (s *Server) EndAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.refresh {
		f.ended = true
	}
	clear(s.access)
}

// Count is the number of requests of a kind. A kind is a path, "grant " and a grant type,
// "tools/call" and the like, a tool and its text, "ended" families, "revoked" tokens.
func (s *Server) Count(kind string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts[kind]
}

// Requests is the number of requests to the MCP endpoint.
func (s *Server) Requests() int { return s.Count("/mcp") }

// Wrongs are forbidden actions of clients.
func (s *Server) Wrongs() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.wrongs)
}

// Issued are all issued secrets: codes, tokens, and clients' secrets.
func (s *Server) Issued() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.issued)
}

func (s *Server) clock() time.Time {
	if s.now.IsZero() {
		return time.Now()
	}
	return s.now
}

func (s *Server) wrong(format string, args ...any) {
	s.wrongs = append(s.wrongs, fmt.Sprintf(format, args...))
}

func (s *Server) secret(kind string) string {
	text := kind + "-" + rand.Text()
	s.issued = append(s.issued, text)
	return text
}

// enter counts a request, and lets Options.Answer answer it.
func (s *Server) enter(w http.ResponseWriter, r *http.Request) (done bool) {
	s.mu.Lock()
	s.counts[r.URL.Path]++
	answer := s.options.Answer
	for _, name := range []string{"access_token", "code_verifier", "client_secret", "refresh_token"} {
		if r.URL.Query().Has(name) {
			s.wrong("%s in an address", name)
		}
	}
	s.mu.Unlock()
	return answer != nil && answer(w, r)
}

// reply writes a JSON document.
func (s *Server) reply(w http.ResponseWriter, path string, status int, doc map[string]any) {
	if edit := s.options.Edit; edit != nil {
		edit(path, doc)
	}
	w.Header().Set("Content-Type", cmpOr(s.options.Media[path], "application/json"))
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(doc)
}

// Browse is the user's browser. It opens the address, agrees, and returns the address of
// the redirect.
func (s *Server) Browse(address string) (redirect string, err error) {
	c := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := c.Get(address) //nolint:noctx // it is a test's
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusFound {
		return "", fmt.Errorf("the authorization endpoint answers %s", res.Status)
	}
	return res.Header.Get("Location"), nil
}

func words(s string) []string { return strings.Fields(s) }
