package session_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

// credential is a login whose token a test sets.
type credential struct {
	id string

	mu      sync.Mutex
	token   string
	next    string
	refused []string
	named   []string
}

func (c *credential) ID() string { return c.id }

func (c *credential) Current() session.Token {
	c.mu.Lock()
	defer c.mu.Unlock()
	return session.Token{Access: c.token, Secrets: []string{"refresh-4f1c9a7be1d0"}, Issuer: "https://issuer.example", Obtained: time.Now()}
}

func (c *credential) Fresh(context.Context) (session.Token, error) { return c.Current(), nil }

func (c *credential) Refused(_ context.Context, token, named string) (session.Token, error) {
	c.mu.Lock()
	c.refused, c.named = append(c.refused, token), append(c.named, named)
	if c.next == "" {
		c.mu.Unlock()
		return session.Token{}, verdict.Fail(verdict.ServerAuth, nil, "the login has ended")
	}
	c.token, c.next = c.next, ""
	c.mu.Unlock()
	return c.Current(), nil
}

// guarded is a server that answers those with one of its tokens, and keeps what
// each connection (by its session) was sent.
type guarded struct {
	*httptest.Server
	mu       sync.Mutex
	tokens   []string
	seen     map[string][]string // by session: the tokens that came
	sessions int
	says     string // in the description of its tool
}

func newGuarded(t *testing.T, tokens ...string) *guarded {
	t.Helper()
	g := &guarded{tokens: tokens, seen: map[string][]string{}, says: "Repeats."}
	g.Server = httptest.NewServer(http.HandlerFunc(g.serve))
	t.Cleanup(g.Close)
	return g
}

func (g *guarded) serve(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !slices.Contains(g.tokens, token) {
		w.Header().Set("WWW-Authenticate", `Bearer realm="`+token+`", resource_metadata="https://mcp.example/described"`)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	var q struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	_ = json.NewDecoder(r.Body).Decode(&q)
	id := r.Header.Get("Mcp-Session-Id")
	result := `{"tools":[{"name":"echo","description":"` + g.says + `","inputSchema":{"type":"object"}}]}`
	if q.Method == "initialize" {
		g.sessions++
		id = fmt.Sprint("session-", g.sessions)
		w.Header().Set("Mcp-Session-Id", id)
		result = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"guarded","version":"1"}}`
	}
	g.seen[id] = append(g.seen[id], token)
	if q.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, q.ID, result)
}

func listed(t *testing.T, p *session.Pool) error {
	t.Helper()
	return p.Discover(t.Context(), "", []string{"guarded"})[0].Err
}

func TestARefusedTokenIsExchangedOnceAndOnlyTheHandshakeIsRepeated(t *testing.T) {
	t.Parallel()
	g, c := newGuarded(t, "second-5f2c9a7be1d0"), &credential{id: "me", token: "first-5f2c9a7be1d0", next: "second-5f2c9a7be1d0"}
	p := session.New([]session.Server{{Name: "guarded", URL: g.URL, Credential: c}}, session.Limits{})
	defer p.Close()
	if err := listed(t, p); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(c.refused, []string{"first-5f2c9a7be1d0"}) || !slices.Equal(c.named, []string{"https://mcp.example/described"}) {
		t.Errorf("refused %q, named %q", c.refused, c.named)
	}
	g.mu.Lock()
	g.tokens = []string{"third"} // the second is refused on a connection that is kept
	g.mu.Unlock()
	err := listed(t, p)
	if verdict.CodeOf(err) != verdict.ServerAuth || len(c.refused) != 2 {
		t.Errorf("%v, refused %q", err, c.refused)
	}
}

func TestATokenIsHiddenBeforeItIsFirstSent(t *testing.T) {
	t.Parallel()
	const first, second = "first-5f2c9a7be1d0", "second-77aa9a7be1d0"
	g, c := newGuarded(t, first, second), &credential{id: "me", token: first}
	p := session.New([]session.Server{{Name: "guarded", URL: g.URL, Credential: c}}, session.Limits{})
	defer p.Close()
	if err := listed(t, p); err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{second, first, "refresh-4f1c9a7be1d0"} {
		g.mu.Lock()
		g.says = "Send " + secret
		g.mu.Unlock()
		c.mu.Lock()
		c.token = second // on the connection that is there
		c.mu.Unlock()
		err := listed(t, p)
		if verdict.CodeOf(err) != verdict.ServerProtocol || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", secret, err)
		}
	}
	g.mu.Lock()
	g.tokens = nil
	g.mu.Unlock()
	if err := listed(t, p); err == nil || strings.Contains(err.Error(), second) {
		t.Errorf("a challenge is quoted with the token: %v", err)
	}
}

func TestAConnectionCarriesOneLogin(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, "one", "two")
	swap := &swapped{to: []*credential{{id: "one", token: "one"}, {id: "two", token: "two"}}}
	p := session.New([]session.Server{{Name: "guarded", URL: g.URL, Credential: swap}}, session.Limits{})
	defer p.Close()
	for range 4 {
		if err := listed(t, p); err != nil {
			t.Fatal(err)
		}
		swap.next()
	}
	for id, tokens := range g.seen {
		if len(slices.Compact(slices.Sorted(slices.Values(tokens)))) != 1 {
			t.Errorf("connection %s carried %q", id, tokens)
		}
	}
	if g.sessions != 2 {
		t.Errorf("%d connections", g.sessions)
	}
}

// swapped is now one login and now another, as a program's own credential may be.
type swapped struct {
	mu sync.Mutex
	to []*credential
}

func (s *swapped) next() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.to[0], s.to[1] = s.to[1], s.to[0]
}

func (s *swapped) is() *credential {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.to[0]
}

func (s *swapped) ID() string                                       { return s.is().ID() }
func (s *swapped) Current() session.Token                           { return s.is().Current() }
func (s *swapped) Fresh(ctx context.Context) (session.Token, error) { return s.is().Fresh(ctx) }
func (s *swapped) Refused(ctx context.Context, token, named string) (session.Token, error) {
	return s.is().Refused(ctx, token, named)
}

func TestALoginIsForAServerWithAURLAndWithoutAHeader(t *testing.T) {
	t.Parallel()
	c := &credential{id: "me", token: "x"}
	for name, s := range map[string]session.Server{
		"a command": {Name: "s", Command: "true", Credential: c},
		"a header":  {Name: "s", URL: "https://mcp.example/mcp", Headers: map[string]string{"authorization": "Bearer y"}, Credential: c},
	} {
		if err := s.Validate(); verdict.CodeOf(err) != verdict.ConfigInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}
