package login

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

func TestAForbiddenAddressIsNotDialledWhateverNamesIt(t *testing.T) {
	t.Parallel()
	for address, inside := range map[string][]bool{
		"169.254.169.254:80": {false, true}, "[64:ff9b::a9fe:a9fe]:80": {false, true}, "[2002:a9fe:a9fe::1]:80": {false, true}, "[fe80::1%lo]:80": {false, true},
		"localhost:1": {false}, "[::ffff:127.0.0.1]:1": {false}, "198.18.0.1:80": {false}, "[2001:db8::1]:80": {false}, "192.0.2.1:80": {false},
	} {
		for _, allowed := range inside {
			if _, err := dialer(allowed)(t.Context(), "tcp", address); !errors.Is(err, errAddress) {
				t.Errorf("%s, inside %v: %v", address, allowed, err)
			}
		}
	}
}

// peer is where a connection led.
type peer string

func (peer) Network() string { return "tcp" }

func (p peer) String() string { return string(p) }

func TestAServerIsInsideWhereEveryConnectionLedThere(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		peers  []net.Addr
		inside bool
	}{
		"no connection":      {nil, false},
		"inside":             {[]net.Addr{peer("10.0.0.1:443"), peer("10.0.0.2:443")}, true},
		"outside":            {[]net.Addr{peer("8.8.8.8:443")}, false},
		"inside and outside": {[]net.Addr{peer("10.0.0.1:443"), peer("8.8.8.8:443")}, false},
		"outside and inside": {[]net.Addr{peer("8.8.8.8:443"), peer("10.0.0.1:443")}, false},
		"mapped":             {[]net.Addr{peer("[::ffff:10.0.0.1]:443")}, true},
		"mapped, outside":    {[]net.Addr{peer("[::ffff:10.0.0.1]:443"), peer("[::ffff:8.8.8.8]:443")}, false},
		"link-local":         {[]net.Addr{peer("[fe80::1%eth0]:443")}, false},
		"unknown":            {[]net.Addr{peer("10.0.0.1:443"), peer("@socket")}, false},
	} {
		if got := (&peers{all: row.peers}).private(); got != row.inside {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A login whose server was outside reaches no private address later: no lookup of a
// name changes that.
func TestARefreshReachesAsFarInsideAsItsLoginDid(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	issuer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.WriteHeader(http.StatusBadRequest)
	}))
	defer issuer.Close()
	own := Target{Server: session.Server{Name: "tickets", URL: "http://localhost:1/mcp"}}
	named := own
	named.Server.OAuth.Issuer, named.Server.OAuth.Own = issuer.URL, true
	foreign := named
	foreign.Server.OAuth.Own = false
	for name, row := range map[string]struct {
		target Target
		inside bool
		want   int32
	}{
		"outside": {own, false, 0}, "inside": {own, true, 1}, "the operator names the issuer": {named, false, 1}, "a project's file names it": {foreign, false, 0},
	} {
		asked.Store(0)
		to, err := issuerOf(row.target, Login{TokenEndpoint: issuer.URL, Inside: row.inside}, secrets{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = to.exchange(t.Context(), url.Values{})
		if refused := errors.Is(err, errAddress); refused != (row.want == 0) || asked.Load() != row.want {
			t.Errorf("%s: %d requests, %v", name, asked.Load(), err)
		}
	}
}

func TestAForbiddenAddressIsNamedInNoDocument(t *testing.T) {
	t.Parallel()
	for address, allowed := range map[string]bool{
		"https://169.254.169.254/token": false, "https://[fe80::1]/token": false, "https://[::ffff:169.254.169.254]/": false, "https://0.0.0.0/": false, "http://127.0.0.1:1/": true, "https://10.0.0.1/": true, "https://issuer.example": true,
	} {
		if err := checkAddress("it", address); (err == nil) != allowed {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestAnIssuerOnAnotherHostIsShownAsForeign(t *testing.T) {
	t.Parallel()
	for issuer, foreign := range map[string]bool{
		"https://mcp.example": false, "https://MCP.example:8443/tenant": false, "https://login.mcp.example": true, "https://mcp.example.evil": true, "https://issuer.example": true, "": true,
	} {
		a := &attempt{Target: Target{Server: session.Server{URL: "https://mcp.example/mcp"}}, meta: serverDocument{Issuer: issuer}}
		if got := a.offer().Foreign; got != foreign {
			t.Errorf("%s: %v", issuer, got)
		}
	}
}

func TestAnAddressIsOfBoundedLength(t *testing.T) {
	t.Parallel()
	const address = "https://issuer.example/"
	if err := checkAddress("it", address+strings.Repeat("a", maxAddress-len(address))); err != nil {
		t.Error(err)
	}
	if err := checkAddress("it", address+strings.Repeat("a", maxAddress-len(address)+1)); err == nil {
		t.Error("a longer one is taken")
	}
}

func TestWhatAResourceCovers(t *testing.T) {
	t.Parallel()
	const server = "https://mcp.example/a/mcp"
	for resource, want := range map[string]bool{
		server: true, server + "/": true, "https://mcp.example": true, "https://mcp.example/": true, "https://mcp.example/a": true, "HTTPS://MCP.example/a": true, "https://mcp.example:443/a": true, "https://mcp.example:/a/mcp": true,
		"https://mcp.example/a/m": false, "https://mcp.example/a/mcp/x": false, "https://mcp.example/A": false, "http://mcp.example": false, "https://mcp.example:8443": false,
		"https://mcp.example.evil": false, "https://evil.example": false, "https://u@mcp.example": false, "https://mcp.example?x": false, "https://mcp.example?": false, "https://mcp.example:80": false, "https://mcp.example#x": false, "": false, "mcp.example": false,
		"https://mcp.example/a/%6dcp": false, "https://mcp.example/a/../a": false,
	} {
		if got := covers(resource, server); got != want {
			t.Errorf("%q: %v", resource, got)
		}
	}
}

// idle is a user whose browser never answers.
type idle struct{ User }

func (idle) Open(context.Context, string) error { return nil }

func TestABrowserThatNeverAnswersEndsTheLogin(t *testing.T) {
	t.Parallel()
	l, err := listen(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	ctx, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	a := &attempt{listener: l}
	l.foreign.Add(2)
	if _, err := a.redirect(ctx, idle{}, "", "state"); verdict.CodeOf(err) != verdict.LoginTimeout || !strings.Contains(err.Error(), "2 answer(s) of other logins") {
		t.Error(err)
	}
}

// A file that is copied over another one is refused, even if its unsealed part would fit
// there.
func TestASealIsOfOneFile(t *testing.T) {
	t.Parallel()
	s := &Store{Dir: t.TempDir()}
	const name = "tickets-1.login"
	if err := s.seal(t.Context(), name, map[string]int{"format": 1}, secrets{Access: "hush"}); err != nil {
		t.Fatal(err)
	}
	b, err := s.readFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for other, want := range map[string]bool{name: true, "tickets-2.login": false, "tickets-1.client": false, "tickets-1.login.previous": false, "": false} {
		if err := s.writeFile("copy", b); err != nil {
			t.Fatal(err)
		}
		var open map[string]any
		f, err := s.record("copy", nil, &open)
		if err != nil {
			t.Fatal(err)
		}
		var got secrets
		if err := s.unseal(t.Context(), other, f, &got); (err == nil) != want || (got.Access == "hush") != want {
			t.Errorf("%q: %v", other, err)
		}
	}
}

func TestTheListenerTakesOneRedirectUnderItsOwnNameAndShowsNothingOfIt(t *testing.T) {
	t.Parallel()
	l, err := listen(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	l.serve("SECRET")
	ask := func(method, path, host string) (int, string) {
		req, err := http.NewRequestWithContext(t.Context(), method, fmt.Sprintf("http://127.0.0.1:%d%s", l.port, path), nil)
		if err != nil {
			t.Fatal(err)
		}
		if host != "" {
			req.Host = host
		}
		res, err := new(http.Client).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		b, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, string(b)
	}
	for _, row := range [][3]string{
		{"GET", "/", ""}, {"GET", "/favicon.ico", ""}, {"POST", "/callback?code=x", ""}, {"GET", "/callback/?code=x", ""}, {"GET", "/callback?code=x", "rebound.example"}, {"GET", "/callback?code=x", "localhost"},
	} {
		if status, _ := ask(row[0], row[1], row[2]); status != http.StatusNotFound {
			t.Errorf("%v: %d", row, status)
		}
	}
	status, page := ask("GET", "/callback?code=SECRET&state=SECRET&error=%3Cscript%3E", "")
	if status != http.StatusOK || strings.Contains(page, "SECRET") || strings.Contains(page, "script") {
		t.Errorf("%d: %s", status, page)
	}
	if status, _ := ask("GET", "/callback?code=other&state=SECRET", ""); status != http.StatusGone {
		t.Errorf("a second redirect: %d", status)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	silent := func() { t.Error("an answer of another login is reported") }
	if q, err := l.wait(t.Context(), silent); err != nil || q.Get("code") != "SECRET" {
		t.Errorf("%v, %v", q, err)
	}
	if _, err := l.wait(ctx, silent); err == nil {
		t.Error("a second redirect was given")
	}
}
