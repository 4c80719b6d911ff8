//go:build interop

package interop_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/onestep-run/onestep/internal/testing/browsertest"
)

const (
	oauthDocument  = "/.well-known/oauth-authorization-server"
	openIDDocument = "/.well-known/openid-configuration"
)

// issuer is an oidc-provider in a process of its own.
type issuer struct{ address, secret string }

// newIssuer starts one for a resource. If hidden is not empty, the document at that path
// is not there, and expires_in is a text.
func newIssuer(t *testing.T, resource, hidden string) issuer {
	t.Helper()
	secret := rand.Text()
	out := startServer(t, "node", "issuer.mjs", resource, secret, hidden)
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the issuer did not start: %v", err)
	}
	return issuer{strings.TrimSpace(address), secret}
}

// startServer runs a server until the test ends, and gives its stdout.
func startServer(t *testing.T, command ...string) io.Reader {
	t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), "env", command...)
	cmd.Env = []string{"HOME=/nowhere", "PATH=" + toolPath(t) + ":/usr/bin:/bin", "NODE_OPTIONS=--require " + abs(t, "loopback.cjs")}
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
		if t.Failed() {
			t.Logf("%q: %s", command, &said)
		}
	})
	return out
}

// document is one of the issuer's.
func (i issuer) document(t *testing.T, path string) (d map[string]any) {
	t.Helper()
	res, err := http.Get(i.address + path)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(&d); err != nil {
		t.Fatal(err)
	}
	return d
}

// verify asks the issuer about a token (RFC 7662), which has to be for the resource.
func (i issuer) verify(ctx context.Context, token, resource string) (*auth.TokenInfo, error) {
	form := url.Values{"token": {token}}.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, i.address+"/token/introspection", strings.NewReader(form))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.SetBasicAuth("resource", i.secret)
	res, err := new(http.Client).Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	var is struct {
		Active     bool
		Aud, Scope string
		Exp        int64
	}
	if err := json.NewDecoder(res.Body).Decode(&is); err != nil || !is.Active || is.Aud != resource {
		return nil, fmt.Errorf("%w: %+v, %w", auth.ErrInvalidToken, is, err)
	}
	return &auth.TokenInfo{Scopes: strings.Fields(is.Scope), Expiration: time.Unix(is.Exp, 0)}, nil
}

// guarded is server-everything behind the Go SDK's own check of tokens.
type guarded struct {
	*httptest.Server
	mu     sync.Mutex
	issuer issuer
	tokens []string // that were taken, each once
	over   []string // tokens that are refused from now on
	calls  int
}

func newGuarded(t *testing.T) *guarded {
	t.Helper()
	free := httptest.NewServer(nil)
	inside, err := url.Parse(free.URL)
	if err != nil {
		t.Fatal(err)
	}
	free.Close()
	startServer(t, "PORT="+inside.Port(), "mcp-server-everything", "streamableHttp")
	if err := comesUp(inside.Port(), t.Context().Done()); err != nil {
		t.Fatal(err)
	}
	g, mux := &guarded{}, http.NewServeMux()
	g.Server = httptest.NewServer(mux)
	t.Cleanup(g.Close)
	const described = "/.well-known/oauth-protected-resource/mcp"
	mux.HandleFunc(described, func(w http.ResponseWriter, r *http.Request) {
		auth.ProtectedResourceMetadataHandler(&oauthex.ProtectedResourceMetadata{
			Resource: g.resource(), AuthorizationServers: []string{g.is().address}, ScopesSupported: []string{"echo"},
		}).ServeHTTP(w, r)
	})
	proxy := httputil.NewSingleHostReverseProxy(inside)
	check := auth.RequireBearerToken(g.verify, &auth.RequireBearerTokenOptions{ResourceMetadataURL: g.URL + described, Scopes: []string{"echo"}})
	mux.Handle("/mcp", check(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		g.count(body)
		proxy.ServeHTTP(w, r)
	})))
	return g
}

func (g *guarded) resource() string { return g.URL + "/mcp" }

func (g *guarded) is() issuer {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.issuer
}

func (g *guarded) move(to issuer) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.issuer = to
}

func (g *guarded) count(body []byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if bytes.Contains(body, []byte(`"tools/call"`)) {
		g.calls++
	}
}

func (g *guarded) verify(ctx context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
	is, err := g.is().verify(ctx, token, g.resource())
	g.mu.Lock()
	defer g.mu.Unlock()
	if err == nil && slices.Contains(g.over, token) {
		err = auth.ErrInvalidToken
	}
	if err == nil && !slices.Contains(g.tokens, token) {
		g.tokens = append(g.tokens, token)
	}
	return is, err
}

// expire refuses the tokens so far, and says how many they are.
func (g *guarded) expire() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.over = slices.Clone(g.tokens)
	return len(g.over)
}

// login runs ask servers login, and agrees in the browser as a user does.
func (p place) login(t *testing.T, browser context.Context, home, issuer string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "env", "ask", "servers", "login", "everything", "--json")
	cmd.Env = []string{"HOME=" + home, "ASK_HOME=" + home + "/ask", "PATH=" + p.path}
	var state bytes.Buffer
	cmd.Stdout = &state
	said, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	address, shown := "", []string{}
	for lines := bufio.NewScanner(said); address == "" && lines.Scan(); shown = append(shown, lines.Text()) {
		if strings.HasPrefix(lines.Text(), issuer+"/") {
			address = lines.Text()
		}
	}
	if address == "" {
		t.Fatalf("%v: no address in %q", cmd.Wait(), shown)
	}
	tab := browsertest.Open(t, browser, address, 900, "light")
	ready := func(selector string) { t.Helper(); tab.Do(chromedp.WaitReady(chromedp.CSS(selector))) }
	ready("input[name=prompt][value=login]")
	tab.Do(chromedp.SendKeys(chromedp.CSS("input[name=login]"), "ada"), chromedp.SendKeys(chromedp.CSS("input[name=password]"), "any"))
	tab.Click("button[type=submit]")
	ready("input[name=prompt][value=consent]")
	tab.Is(`document.body.textContent.includes("offline access") && document.body.textContent.includes("code_challenge_method")`)
	tab.Click("button[type=submit]")
	ready("body > p:only-child")
	tab.Is(fmt.Sprintf(`location.pathname === "/callback" && new URL(location.href).searchParams.get("iss") === %q`, issuer))
	tab.Is(`document.body.textContent.includes("You can close this page")`)
	_, _ = io.Copy(io.Discard, said)
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %q", err, shown)
	}
	var is struct {
		Login struct {
			State, Issuer string
			Renews        bool
		}
	}
	if err := json.Unmarshal(state.Bytes(), &is); err != nil || is.Login.State != "logged_in" || is.Login.Issuer != issuer || !is.Login.Renews {
		t.Fatalf("%v: %s", err, &state)
	}
}

// TestALoginAtOIDCProvider clicks the provider's pages in Chromium. A reused refresh
// token ends the login, and another issuer is another login.
func TestALoginAtOIDCProvider(t *testing.T) {
	t.Parallel()
	browser, home := browsertest.Start(t), t.TempDir()
	g := newGuarded(t)
	first := newIssuer(t, g.resource(), "")
	g.move(first)
	for _, path := range []string{oauthDocument, openIDDocument} {
		d := first.document(t, path)
		if d["issuer"] != first.address || d["authorization_response_iss_parameter_supported"] != true || fmt.Sprint(d["code_challenge_methods_supported"]) != "[S256]" || d["registration_endpoint"] == nil {
			t.Fatalf("%s: %v", path, d)
		}
	}
	dir := filepath.Join(home, "ask")
	if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, "config.toml"), []byte("token_key = \"file\"\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	p := place{path: toolPath(t), servers: filepath.Join(dir, "mcp.json"), allowlist: filepath.Join(dir, "allowlist.json")}
	write(t, p.allowlist, map[string]any{"everything": map[string]any{"read": []any{map[string]any{"name": "echo", "output": "text"}}}})
	write(t, p.servers, map[string]any{"mcpServers": map[string]any{"everything": map[string]any{"type": "http", "url": g.resource()}}})
	call := func(exit int, says string) {
		t.Helper()
		out, got := p.run(t, home, "ask", "call", "everything/echo", "--args", `{"message":"hello"}`, "--json")
		if got != exit || !bytes.Contains(out, []byte(says)) {
			t.Fatalf("exit %d, want %d: %s", got, exit, out)
		}
	}
	if out, exit := p.run(t, home, "ask", "servers", "test", "everything", "--json"); exit != 6 || !bytes.Contains(out, []byte("ask servers login everything")) {
		t.Fatalf("exit %d without a login: %s", exit, out)
	}
	p.login(t, browser, home, first.address)
	p.approve(t, home, "everything")
	call(0, "Echo: hello")

	before := keptLogin(t, home)
	g.expire()
	call(0, "Echo: hello")
	if n := g.expire(); n != 2 {
		t.Fatalf("%d tokens were taken, want one and the one after a refresh", n)
	}
	after := keptLogin(t, home)
	before.restore(t) // as another computer's copy would be: its refresh token is spent
	call(6, "server.auth")
	after.restore(t) // and the unspent token ends with it
	call(6, "server.auth")
	if g.calls != 2 {
		t.Errorf("%d calls, want 2", g.calls)
	}

	// It describes itself as OpenID Connect has it, and there alone; expires_in is a text.
	second := newIssuer(t, g.resource(), oauthDocument)
	g.move(second)
	after.restore(t)
	call(6, "server.issuer")
	p.login(t, browser, home, second.address)
	p.must(t, home, "ask", "servers", "test", "everything")
	call(4, "pin.unapproved") // another issuer is another place
}

// kept is a file of a login.
type kept struct {
	path string
	text []byte
}

func keptLogin(t *testing.T, home string) kept {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(home, "ask", "logins", "*.login"))
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	text, err := os.ReadFile(all[0])
	if err != nil {
		t.Fatal(err)
	}
	return kept{all[0], text}
}

func (k kept) restore(t *testing.T) {
	t.Helper()
	if err := os.WriteFile(k.path, k.text, 0o600); err != nil {
		t.Fatal(err)
	}
}
