package login

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
)

func TestWhichAddressesMayBeDialled(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]reach{
		"8.8.8.8": public, "2606:4700::1": public, "172.15.0.1": public, "172.32.0.1": public, "100.63.255.255": public, "100.128.0.1": public,
		"10.0.0.1": private, "192.168.1.1": private, "172.16.0.1": private, "127.0.0.1": private, "127.9.9.9": private, "::1": private, "fd12::1": private, "100.64.0.1": private, "::ffff:10.0.0.1": private,
		"169.254.169.254": forbidden, "169.254.0.1": forbidden, "fe80::1": forbidden, "fe80::1%eth0": forbidden, "0.0.0.0": forbidden, "::": forbidden, "224.0.0.1": forbidden, "ff02::1": forbidden,
		"255.255.255.255": forbidden, "0.1.2.3": forbidden, "fd00:ec2::254": forbidden, "100.100.100.200": forbidden, "168.63.129.16": forbidden, "::ffff:169.254.169.254": forbidden,
		"64:ff9b::a9fe:a9fe": forbidden, "64:ff9b::0a00:0001": private, "64:ff9b::0808:0808": public,
	} {
		if got := reachOf(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s: %d, want %d", address, got, want)
		}
	}
}

func TestAForbiddenAddressIsNotDialledWhateverNamesIt(t *testing.T) {
	t.Parallel()
	for _, inside := range []bool{false, true} {
		if _, err := dialer(inside)(t.Context(), "tcp", "169.254.169.254:80"); err == nil || !strings.Contains(err.Error(), errAddress.Error()) {
			t.Errorf("inside %v: %v", inside, err)
		}
	}
	if _, err := dialer(false)(t.Context(), "tcp", "localhost:1"); err == nil || !strings.Contains(err.Error(), errAddress.Error()) {
		t.Errorf("a name of a private address was dialled: %v", err)
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

func TestWhatAResourceCovers(t *testing.T) {
	t.Parallel()
	const server = "https://mcp.example/a/mcp"
	for resource, want := range map[string]bool{
		server: true, server + "/": true, "https://mcp.example": true, "https://mcp.example/": true, "https://mcp.example/a": true, "HTTPS://MCP.example/a": true,
		"https://mcp.example/a/m": false, "https://mcp.example/a/mcp/x": false, "https://mcp.example/A": false, "http://mcp.example": false, "https://mcp.example:8443": false,
		"https://mcp.example.evil": false, "https://evil.example": false, "https://u@mcp.example": false, "https://mcp.example?x": false, "https://mcp.example#x": false, "": false, "mcp.example": false,
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
	if _, err := a.redirect(ctx, idle{}, ""); verdict.CodeOf(err) != verdict.LoginTimeout {
		t.Error(err)
	}
}

func TestWithoutModesNoFileKeepsTheKey(t *testing.T) {
	t.Parallel()
	s := &Store{Dir: t.TempDir(), system: "windows"}
	for _, create := range []bool{true, false} {
		if _, err := s.key(t.Context(), create); verdict.CodeOf(err) != verdict.LoginStore || !strings.Contains(err.Error(), "token_key") {
			t.Errorf("create %v: %v", create, err)
		}
	}
	if all, err := os.ReadDir(s.Dir); err != nil || len(all) > 0 {
		t.Errorf("%d files, %v", len(all), err)
	}
}

func TestTheListenerTakesOneRedirectUnderItsOwnNameAndShowsNothingOfIt(t *testing.T) {
	t.Parallel()
	l, err := listen(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	l.serve()
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
	if status, _ := ask("GET", "/callback?code=other", ""); status != http.StatusGone {
		t.Errorf("a second redirect: %d", status)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if q, err := l.wait(t.Context()); err != nil || q.Get("code") != "SECRET" {
		t.Errorf("%v, %v", q, err)
	}
	if _, err := l.wait(ctx); err == nil {
		t.Error("a second redirect was given")
	}
}
