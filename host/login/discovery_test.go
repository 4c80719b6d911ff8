package login_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/login"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/internal/testing/logintest"
)

const (
	resourceAtPath = "/.well-known/oauth-protected-resource/mcp"
	resourceAtRoot = "/.well-known/oauth-protected-resource"
	openIDPath     = "/.well-known/openid-configuration"
)

// Who disturbs one place cannot have the next one read.
func TestTheNextPlaceIsReadWhereOneHasNoDocument(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		options     logintest.Options
		first, next string
	}{
		{logintest.Options{At: "root"}, resourceAtPath, resourceAtRoot},
		{logintest.Options{OpenID: true}, metadataPath, openIDPath},
	} {
		for status, goesOn := range map[int]bool{400: true, 401: true, 403: true, 404: true, 410: true, 429: false, 500: false, 502: false, 503: false, 204: false, 302: false} {
			t.Run(fmt.Sprintf("%s %d", row.first, status), func(t *testing.T) {
				t.Parallel()
				o := row.options
				o.Answer = at(row.first, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
				i := install(t, o, session.OAuth{})
				_, err := i.login(t, login.Request{})
				if (err == nil) != goesOn || (i.server.Count(row.next) > 0) != goesOn {
					t.Errorf("%d requests for the next place, %v", i.server.Count(row.next), err)
				}
				if !goesOn {
					code(t, err, verdict.LoginDiscovery)
				}
			})
		}
	}
}

func TestTheFirstPlaceCounts(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{At: "path", Answer: at(resourceAtRoot, answering(200, "application/json", `{"resource":"https://x.example","authorization_servers":["https://issuer.example"]}`))}, session.OAuth{})
	i.loggedIn(t, login.Request{})
	if n := i.server.Count(resourceAtRoot); n != 0 {
		t.Errorf("%d requests for the second place", n)
	}
}

// Every document and answer is taken from where it was asked for, also where another
// place would have the right one.
func TestNoRedirectIsFollowed(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/described", metadataPath, "/register", "/token", "/device"} {
		for _, status := range []int{301, 302, 303, 307, 308} {
			t.Run(fmt.Sprintf("%s %d", path, status), func(t *testing.T) {
				t.Parallel()
				i := install(t, logintest.Options{}, session.OAuth{})
				i.server.Set(func(o *logintest.Options) {
					o.Answer = at(path, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/moved", status) })
				})
				way := login.Browser
				if path == "/device" {
					way = login.Device
				}
				if _, err := i.login(t, login.Request{Way: way}); err == nil {
					t.Error("logged in")
				}
				if n := i.server.Count("/moved"); n != 0 {
					t.Errorf("%d requests were sent elsewhere", n)
				}
			})
		}
	}
}

// asked is a credential that must not be used.
type asked struct{ t *testing.T }

func (asked) ID() string { return "earlier" }

func (a asked) Fresh(context.Context) (session.Token, error) {
	a.t.Error("a login used the token of an earlier one")
	return session.Token{}, nil
}

func (a asked) Refused(ctx context.Context, _, _ string) (session.Token, error) { return a.Fresh(ctx) }

func (a asked) Current() session.Token { return session.Token{} }

func TestALoginAsksWithoutAnEarlierToken(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{}, session.OAuth{})
	i.target.Server.Credential = asked{t}
	i.loggedIn(t, login.Request{})
}

func TestARegistrationServesTheGrantsThatItWasMadeFor(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{}, session.OAuth{})
	for n, way := range []login.Way{login.Device, login.Browser, login.Browser} {
		i.loggedIn(t, login.Request{Way: way})
		if got, want := i.server.Count("/register"), min(n+1, 2); got != want {
			t.Errorf("login %d: %d registrations, want %d", n, got, want)
		}
	}
}

func TestAClientOfAnyCharactersAuthenticates(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"client_secret_basic", "client_secret_post"} {
		const id, secret = "a:b c/+%&=\u00e9", "s:e c/+%&=\u00e9"
		i := install(t, logintest.Options{Clients: map[string]string{id: secret}, Method: method, Edit: member("metadata", "token_endpoint_auth_methods_supported", []string{method})}, session.OAuth{ClientID: id, ClientSecret: secret})
		i.loggedIn(t, login.Request{})
		i.clean(t)
	}
}

func TestALogoutRevokesTheTokenThatLasts(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		options logintest.Options
		kind    string
	}{
		"a refresh token": {logintest.Options{}, "refresh_token"},
		"no refresh":      {logintest.Options{NoRefresh: true}, "access_token"},
	} {
		i := install(t, row.options, session.OAuth{})
		i.loggedIn(t, login.Request{})
		seen := make(chan [2]string, 1)
		i.server.Set(func(o *logintest.Options) {
			o.Answer = at("/revoke", func(w http.ResponseWriter, r *http.Request) {
				seen <- [2]string{r.PostFormValue("token_type_hint"), r.PostFormValue("token")}
				w.WriteHeader(http.StatusOK)
			})
		})
		if _, revoked, err := i.Logout(t.Context(), i.target); err != nil || !revoked {
			t.Fatalf("%s: %v, %v", name, revoked, err)
		}
		kind, _, _ := strings.Cut(row.kind, "_")
		if got := <-seen; got[0] != row.kind || !strings.HasPrefix(got[1], kind+"-") {
			t.Errorf("%s: revoked %q", name, got)
		}
	}
}

func TestADeviceCodeThatTheIssuerEndsIsAskedAboutOnce(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]verdict.Code{"expired_token": verdict.LoginTimeout, "access_denied": verdict.LoginDenied, "invalid_grant": verdict.LoginDenied} {
		i := install(t, logintest.Options{Answer: at("/token", answering(400, "application/json", `{"error":"`+name+`"}`))}, session.OAuth{})
		begin := time.Now()
		i.Now = func() time.Time { return begin.Add(i.waited) }
		_, err := i.login(t, login.Request{Way: login.Device})
		code(t, err, want)
		if n := i.server.Count("/token"); n != 1 {
			t.Errorf("%s: %d requests", name, n)
		}
	}
}
