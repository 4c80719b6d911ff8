package login_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/login"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/internal/testing/logintest"
)

// user agrees to everything. Its browser is the test's own.
type user struct {
	at     *logintest.Server
	offer  login.Offer
	refuse error
	change func(redirect string) string
	body   string // of the page that the listener shows
	status int
	code   string

	foreign []string // queries of other logins, which arrive before the answer
	ignored []int    // their HTTP status
	notices []string
	noticed func()
}

func (u *user) Confirm(_ context.Context, o login.Offer) error { u.offer = o; return u.refuse }

func (u *user) browse(address string) (string, error) {
	to, err := u.at.Browse(address)
	if err == nil && u.change != nil {
		to = u.change(to)
	}
	return to, err
}

func (u *user) Open(_ context.Context, address string) error {
	to, err := u.browse(address)
	if err != nil {
		return err
	}
	for _, query := range u.foreign {
		at, _, _ := strings.Cut(to, "?")
		status, _, err := get(at + "?" + query)
		if err != nil {
			return err
		}
		u.ignored = append(u.ignored, status)
	}
	u.status, u.body, err = get(to)
	return err
}

func (u *user) Paste(_ context.Context, address string) (string, error) {
	to, err := u.browse(address)
	if len(u.foreign) == 0 || err != nil {
		return to, err
	}
	at, _, _ := strings.Cut(to, "?")
	query := u.foreign[0]
	u.foreign = u.foreign[1:]
	return at + "?" + query, nil
}

func (u *user) Notice(text string) {
	u.notices = append(u.notices, text)
	if u.noticed != nil {
		u.noticed()
	}
}

func (u *user) Enter(_ context.Context, _, code string, _ time.Time) error { u.code = code; return nil }

func get(address string) (int, string, error) {
	res, err := new(http.Client).Get(address)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	b := new(strings.Builder)
	_, err = fmt.Fprint(b, res.Header.Get("Content-Security-Policy"))
	return res.StatusCode, b.String(), errors.Join(err)
}

// installed is a user's state, and one server that wants a login.
type installed struct {
	*login.Logins
	server *logintest.Server
	target login.Target
	user   *user
	waited time.Duration
	rows   string // the address of the state that keeps the logins, or ""
}

func install(t *testing.T, o logintest.Options, config session.OAuth) *installed {
	t.Helper()
	s := logintest.New(t, o)
	i := &installed{server: s, user: &user{at: s}}
	i.Logins = &login.Logins{
		Store: &login.Store{Dir: t.TempDir()}, Now: time.Now, Document: "https://onestep.example/client.json",
		Wait: func(_ context.Context, d time.Duration) error { i.waited += d; return nil },
	}
	i.target = login.Target{Server: session.Server{Name: "tickets", URL: s.URL(), OAuth: config}, Entry: "sha256:entry"}
	return i
}

func (i *installed) login(t *testing.T, r login.Request) (login.Login, error) {
	t.Helper()
	return i.Login(t.Context(), i.target, r, i.user)
}

func (i *installed) loggedIn(t *testing.T, r login.Request) login.Login {
	t.Helper()
	is, err := i.login(t, r)
	if err != nil {
		t.Fatal(err)
	}
	return is
}

// list lists the server's tools with the login that is kept, as a new process would.
func (i *installed) list(t *testing.T) error {
	t.Helper()
	server := i.target.Server
	source, err := i.Source(i.target)
	if err != nil {
		return err
	}
	if source != nil {
		server.Credential = source
	}
	pool := session.New([]session.Server{server}, session.Limits{})
	l := pool.Discover(t.Context(), "", []string{"tickets"})[0]
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
	if l.Err == nil && len(l.Tools) != 2 {
		t.Errorf("%d tools", len(l.Tools))
	}
	return l.Err
}

// clean fails where a client did what none may.
func (i *installed) clean(t *testing.T) {
	t.Helper()
	if wrongs := i.server.Wrongs(); len(wrongs) > 0 {
		t.Errorf("the servers saw: %q", wrongs)
	}
}

func code(t *testing.T, err error, want verdict.Code) {
	t.Helper()
	if got := verdict.CodeOf(err); got != want || err == nil {
		t.Errorf("%s (%v), want %s", got, err, want)
	}
}

func TestALoginWorksWithEveryKindOfServer(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		options logintest.Options
		config  session.OAuth
		way     login.Way
		client  string // how it is said where the client comes from
	}{
		"registered, public":           {client: "registration"},
		"registered, secret in header": {options: logintest.Options{Method: "client_secret_basic"}, client: "registration"},
		"registered, secret in body":   {options: logintest.Options{Method: "client_secret_post"}, client: "registration"},
		"metadata document":            {options: logintest.Options{Documents: true}, client: "metadata document"},
		"registered before, public":    {logintest.Options{Closed: true, Documents: true, Clients: map[string]string{"mine": ""}}, session.OAuth{ClientID: "mine"}, 0, "servers file"},
		"registered before, secret":    {logintest.Options{Clients: map[string]string{"mine": "s e:cret/+%"}}, session.OAuth{ClientID: "mine", ClientSecret: "s e:cret/+%"}, 0, "servers file"},
		"issuer with a path":           {options: logintest.Options{Tenant: "/tenant1"}, client: "registration"},
		"OpenID Connect":               {options: logintest.Options{OpenID: true}, client: "registration"},
		"OpenID Connect with a path":   {options: logintest.Options{OpenID: true, Tenant: "/tenant1"}, client: "registration"},
		"document at the path":         {options: logintest.Options{At: "path"}, client: "registration"},
		"document at the root":         {options: logintest.Options{At: "root"}, client: "registration"},
		"open handshake":               {options: logintest.Options{At: "path", Open: "initialize"}, client: "registration"},
		"a pasted redirect":            {way: login.Paste, client: "registration"},
		"a device":                     {options: logintest.Options{Pending: 3}, way: login.Device, client: "registration"},
		"no end is said":               {options: logintest.Options{Lifetime: -1}, client: "registration"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := install(t, row.options, row.config)
			i.loggedIn(t, login.Request{Way: row.way})
			if !strings.Contains(i.user.offer.How, row.client) {
				t.Errorf("the client is from %q", i.user.offer.How)
			}
			if err := i.list(t); err != nil {
				t.Error(err)
			}
			if n := i.server.Count("tools/call"); n != 0 {
				t.Errorf("%d calls", n)
			}
			i.clean(t)
		})
	}
}

// foreign are answers that do not belong to the login, as any page can have a
// browser bring them.
var foreign = []string{
	"", "code=x", "code=x&state=", "code=x&state=another", "error=access_denied&state=another", "error=access_denied", "state=another&iss=https%3A%2F%2Fevil.example&code=x",
	"code=x&state=a&state=b", "state", "code=x&STATE=another", "code=" + strings.Repeat("x", 4096),
}

func TestAnAnswerOfAnotherLoginDoesNotEndThisOne(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{}, session.OAuth{})
	i.user.foreign = foreign
	i.loggedIn(t, login.Request{})
	for n, status := range i.user.ignored {
		if status != http.StatusBadRequest {
			t.Errorf("%q: HTTP %d", foreign[n], status)
		}
	}
	if len(i.user.ignored) != len(foreign) || i.user.status != http.StatusOK {
		t.Errorf("%d answers, then HTTP %d", len(i.user.ignored), i.user.status)
	}
	if len(i.user.notices) != 1 || !strings.Contains(i.user.notices[0], "another login") {
		t.Errorf("the user is told %q", i.user.notices)
	}
	if n := i.server.Count("/token"); n != 1 {
		t.Errorf("%d requests for tokens", n)
	}
	i.clean(t)
}

func TestWithoutAnotherLoginsAnswerNothingIsSaid(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{}, session.OAuth{})
	i.loggedIn(t, login.Request{})
	if len(i.user.notices) != 0 {
		t.Errorf("the user is told %q", i.user.notices)
	}
}

// A doubled state belongs to no login, even where one of the two is right.
func TestALoginWaitsForItsAnswerUntilItsTimeIsOver(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(url.Values){
		"no state": func(q url.Values) { q.Del("state") }, "another state": func(q url.Values) { q.Set("state", "x") }, "state twice": func(q url.Values) { q.Add("state", q.Get("state")) },
		"an error of another state": func(q url.Values) { q.Set("state", ""); q.Set("error", "QUOTED") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := install(t, logintest.Options{Redirect: change}, session.OAuth{})
			ctx, cancel := context.WithCancelCause(t.Context())
			i.user.noticed = func() { cancel(nil) } // as if the time were over
			_, err := i.Login(ctx, i.target, login.Request{}, i.user)
			if err == nil || i.server.Count("/token") != 0 || i.user.status != http.StatusBadRequest {
				t.Errorf("%d requests for tokens, HTTP %d, %v", i.server.Count("/token"), i.user.status, err)
			}
			if text := fmt.Sprint(err, i.user.notices); strings.Contains(text, "QUOTED") {
				t.Error(text)
			}
		})
	}
}

func TestAPastedAddressOfAnotherLoginIsAskedForAgain(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{}, session.OAuth{})
	i.user.foreign = []string{"code=x&state=another", "error=access_denied"}
	i.loggedIn(t, login.Request{Way: login.Paste})
	if len(i.user.notices) != 2 {
		t.Errorf("the user is told %q", i.user.notices)
	}
	i.user.foreign = []string{"code=x", "code=x", "code=x", "code=x"}
	_, err := i.login(t, login.Request{Way: login.Paste})
	code(t, err, verdict.LoginState)
	if len(i.user.foreign) != 1 {
		t.Errorf("asked %d times", 4-len(i.user.foreign))
	}
}

func TestAMachineLogsInByItself(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{Clients: map[string]string{"ci": "hush"}}, session.OAuth{ClientID: "ci", ClientSecret: "hush", Grant: login.ClientCredentials, Scopes: []string{"read"}})
	is := i.loggedIn(t, login.Request{})
	if err := i.list(t); err != nil || !is.Renews || !slices.Equal(is.Scopes, []string{"read"}) {
		t.Errorf("%+v, %v", is, err)
	}
	i.server.Expire()
	if err := i.list(t); err != nil {
		t.Error(err)
	}
	if n := i.server.Count("grant client_credentials"); n != 2 {
		t.Errorf("%d grants", n)
	}
	i.clean(t)
}

func TestADeviceIsAskedAboutAsSlowlyAsTheIssuerLikes(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{Pending: 3}, session.OAuth{})
	i.loggedIn(t, login.Request{Way: login.Device})
	if want := (1 + 1 + 6 + 6) * time.Second; i.waited != want || i.user.code != "WDJB-MJHT" {
		t.Errorf("waited for %s, want %s; code %q", i.waited, want, i.user.code)
	}
	if i.user.offer.Redirect != "" {
		t.Errorf("a device's login has the redirect %s", i.user.offer.Redirect)
	}
}

func TestADeviceCodeThatNobodyEntersEndsTheLogin(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{Pending: 1 << 20}, session.OAuth{})
	begin := time.Now()
	i.Now = func() time.Time { return begin.Add(i.waited) }
	_, err := i.login(t, login.Request{Way: login.Device})
	code(t, err, verdict.LoginTimeout)
	if i.waited < 10*time.Minute || i.waited > 11*time.Minute {
		t.Errorf("waited for %s", i.waited)
	}
}

func TestTheUsersNoEndsALoginBeforeAnythingIsRegistered(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{}, session.OAuth{})
	i.user.refuse = verdict.Fail(verdict.LoginDenied, nil, "no")
	_, err := i.login(t, login.Request{})
	code(t, err, verdict.LoginDenied)
	if n := i.server.Count("/register") + i.server.Count("/authorize") + i.server.Count("/token"); n != 0 {
		t.Errorf("%d requests after a no", n)
	}
}

func TestAScopeThatIsAskedForLaterKeepsTheEarlierOnes(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{Scopes: []string{"read"}}, session.OAuth{})
	if first := i.loggedIn(t, login.Request{}); !slices.Equal(first.Asked, []string{"read"}) {
		t.Errorf("asked for %q", first.Asked)
	}
	if more := i.loggedIn(t, login.Request{Scopes: []string{"write"}}); !slices.Equal(more.Asked, []string{"write", "read"}) {
		t.Errorf("asked for %q", more.Asked)
	}
	i.server.Set(func(o *logintest.Options) { o.Grants = []string{"read"} })
	if fewer := i.loggedIn(t, login.Request{}); !slices.Equal(fewer.Scopes, []string{"read"}) || len(fewer.Asked) != 2 {
		t.Errorf("%+v", fewer)
	}
	if other := i.loggedIn(t, login.Request{Account: "work"}); !slices.Equal(other.Asked, []string{"read"}) {
		t.Errorf("another account is asked for %q", other.Asked)
	}
	i.clean(t)
}

func TestARegistrationIsKeptByIssuerAndMadeAgainForATakenPort(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{Method: "client_secret_basic"}, session.OAuth{})
	i.loggedIn(t, login.Request{})
	first := i.user.offer.Redirect
	i.loggedIn(t, login.Request{})
	if n := i.server.Count("/register"); n != 1 || i.user.offer.Redirect != first {
		t.Fatalf("%d registrations, redirects %s and %s", n, first, i.user.offer.Redirect)
	}
	taken := take(t, first)
	defer taken.Close()
	i.loggedIn(t, login.Request{})
	if n := i.server.Count("/register"); n != 2 || i.user.offer.Redirect == first {
		t.Errorf("%d registrations, redirects %s and %s", n, first, i.user.offer.Redirect)
	}
	i.clean(t)
}

func TestAConfiguredClientIsShownToNoOtherIssuer(t *testing.T) {
	t.Parallel()
	for _, grant := range []string{"", login.ClientCredentials} {
		clients := map[string]string{"mine": "hush"}
		i := install(t, logintest.Options{Clients: clients}, session.OAuth{ClientID: "mine", ClientSecret: "hush", Grant: grant})
		other := logintest.New(t, logintest.Options{Clients: clients})
		i.loggedIn(t, login.Request{})
		i.server.Set(func(o *logintest.Options) {
			o.Edit = member("resource", "authorization_servers", []string{other.Issuer()})
		})
		i.user.offer = login.Offer{}
		_, err := i.login(t, login.Request{})
		code(t, err, verdict.ServerIssuer)
		if n := other.Count("/token") + other.Count("/authorize"); n != 0 || i.user.offer.Issuer != "" {
			t.Errorf("%d requests, offer %+v", n, i.user.offer)
		}
		i.target.Server.OAuth.Issuer = other.Issuer()
		_, err = i.login(t, login.Request{}) // a project's file names it
		code(t, err, verdict.ServerIssuer)
		i.target.Server.OAuth.Own = true
		i.user.at = other
		i.loggedIn(t, login.Request{})
	}
}

func TestALogoutRevokesAndForgets(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{}, session.OAuth{})
	was := i.loggedIn(t, login.Request{Account: "me"})
	is, revoked, err := i.Logout(t.Context(), i.target)
	if err != nil || !revoked || is.State != login.LoggedOut || i.server.Count("ended") != 1 {
		t.Fatalf("%+v, %v, %v", is, revoked, err)
	}
	before := i.server.Requests()
	code(t, i.list(t), verdict.ServerAuth)
	if n := i.server.Requests() - before; n != 0 {
		t.Errorf("%d requests without a login", n)
	}
	kept, err := i.Store.Look("tickets", "sha256:entry")
	if err != nil || kept.Place() != was.Place() || kept.ID() != was.ID() {
		t.Errorf("%+v, %v", kept, err)
	}
	if _, _, err := i.Logout(t.Context(), login.Target{Server: session.Server{Name: "other", URL: "https://x.example"}}); err != nil {
		t.Error(err)
	}
}

func TestAnAuthorizationHeaderAndALoginExcludeEachOther(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{}, session.OAuth{})
	i.target.Server.Headers = map[string]string{"authorization": "Bearer x"}
	_, err := i.login(t, login.Request{})
	code(t, err, verdict.UsageArgument)
	if i.server.Requests() != 0 {
		t.Error("a request was made")
	}
}

func TestAServerWithoutALoginIsNamedAsSuch(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{Open: "all", At: "nowhere"}, session.OAuth{})
	_, err := i.login(t, login.Request{})
	code(t, err, verdict.LoginDiscovery)
	if !strings.Contains(err.Error(), "asks for no login") {
		t.Error(err)
	}
}

func TestALoginLastsWhereTheIssuerWantsToBeAskedForThat(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{Offline: true}, session.OAuth{})
	if is := i.loggedIn(t, login.Request{}); !is.Renews || !slices.Equal(is.Scopes, []string{"offline_access"}) {
		t.Errorf("%+v", is)
	}
}

func TestALoggedOutServerCostsOneRequestAndAValidTokenNone(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{}, session.OAuth{})
	code(t, i.list(t), verdict.ServerAuth)
	if n := i.server.Requests(); n != 1 {
		t.Errorf("%d requests without a login", n)
	}
	open := install(t, logintest.Options{Open: "all"}, session.OAuth{})
	if err := open.list(t); err != nil {
		t.Fatal(err)
	}
	i.loggedIn(t, login.Request{})
	before, grants := i.server.Requests(), i.server.Count("/token")
	if err := i.list(t); err != nil {
		t.Fatal(err)
	}
	if n, want := i.server.Requests()-before, open.server.Requests(); n != want || i.server.Count("/token") != grants {
		t.Errorf("%d requests with a token, %d without a login", n, want)
	}
}
