package login_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/login"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/internal/testing/logintest"
)

// spelling is how the issuer is spelled in each place: what is added to it, or
// "CAPITALS".
func spelling(issuer, how string) string {
	if how == "CAPITALS" {
		return strings.Replace(issuer, "http", "HTTP", 1)
	}
	return issuer + how
}

func TestAnIssuerIsOneIssuerInEverySpellingOfItsAddress(t *testing.T) {
	t.Parallel()
	const by, project = "the operator", "a project"
	for name, row := range map[string]struct {
		tenant                     string
		resource, own, iss, wanted string // what each adds to the issuer
		from                       string // who wrote the wanted one
		code                       verdict.Code
	}{
		"a slash in the resource's document":     {resource: "/"},
		"a slash in its own document":            {own: "/", iss: "/"},
		"capitals in the resource's document":    {resource: "CAPITALS"},
		"capitals in its own document":           {own: "CAPITALS"},
		"the operator writes its own spelling":   {resource: "/", from: by},
		"the operator writes the other spelling": {resource: "/", wanted: "/", from: by},
		"the operator writes capitals":           {wanted: "CAPITALS", from: by},
		"an answer in the resource's spelling":   {resource: "/", iss: "/"},

		"a tenant, and a slash in the resource's document":      {tenant: "/tenant", resource: "/", code: verdict.LoginDiscovery},
		"a tenant, and a slash in its own document":             {tenant: "/tenant", own: "/", iss: "/", code: verdict.LoginDiscovery},
		"a tenant that the operator writes as its own document": {tenant: "/tenant", resource: "/", from: by},
		"a tenant with a slash that the operator writes":        {tenant: "/tenant", own: "/", iss: "/", wanted: "/", from: by},
		"a tenant that a project's file writes":                 {tenant: "/tenant", resource: "/", from: project, code: verdict.LoginDiscovery},
		"a tenant that the operator writes as the resource":     {tenant: "/tenant", resource: "/", wanted: "/", from: by, code: verdict.LoginDiscovery},
		"another tenant":                        {tenant: "/tenant", own: "s", code: verdict.LoginDiscovery},
		"a tenant above":                        {resource: "/tenant", code: verdict.LoginDiscovery},
		"another tenant that the operator says": {tenant: "/tenant", wanted: "s", from: by, code: verdict.LoginDiscovery},

		"an answer with a slash that no document has":      {iss: "/", code: verdict.LoginState},
		"an answer with capitals that no document has":     {iss: "CAPITALS", code: verdict.LoginState},
		"an answer of a path, where the documents differ":  {resource: "/", iss: "/x", code: verdict.LoginState},
		"an answer of a tenant's slash":                    {tenant: "/tenant", resource: "CAPITALS", iss: "/", code: verdict.LoginState},
		"an answer of another port, the documents differ":  {resource: "/", iss: "0", code: verdict.LoginState},
		"an answer with a query, where the documents vary": {resource: "/", iss: "/?x", code: verdict.LoginState},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := install(t, logintest.Options{Tenant: row.tenant}, session.OAuth{})
			issuer := i.server.Issuer()
			i.server.Set(func(o *logintest.Options) {
				o.Redirect = func(q url.Values) { q.Set("iss", spelling(issuer, row.iss)) }
				o.Edit = func(path string, doc map[string]any) {
					switch path {
					case "resource":
						doc["authorization_servers"] = []string{spelling(issuer, row.resource)}
					case "metadata":
						doc["issuer"] = spelling(issuer, row.own)
					}
				}
			})
			if row.from != "" {
				i.target.Server.OAuth = session.OAuth{Issuer: spelling(issuer, row.wanted), Own: row.from == by}
			}
			is, err := i.login(t, login.Request{})
			if row.code != "" {
				code(t, err, row.code)
				if n := i.server.Count("/token"); n != 0 {
					t.Errorf("%d requests for tokens", n)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if is.Issuer != spelling(issuer, row.own) {
				t.Errorf("recorded: %s", is.Issuer)
			}
			if len(i.user.offer.Others) != 0 || len(i.user.offer.Stated) != 0 {
				t.Errorf("the offer: %+v", i.user.offer)
			}
			i.server.Expire() // then the server's document is read again
			if err := i.list(t); err != nil {
				t.Error(err)
			}
			i.loggedIn(t, login.Request{})
			if n := i.server.Count("/register"); n != 1 {
				t.Errorf("%d registrations", n)
			}
			i.clean(t)
		})
	}
}

func TestARefusedTenantSaysWhatToWrite(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{Tenant: "/tenant"}, session.OAuth{})
	i.server.Set(func(o *logintest.Options) {
		o.Edit = member("resource", "authorization_servers", []string{i.server.Issuer() + "/"})
	})
	_, err := i.login(t, login.Request{})
	code(t, err, verdict.LoginDiscovery)
	hints(t, err, `"oauth": {"issuer": "`+i.server.Issuer()+`"}`)
}

// hints fails where the next step of a fault does not hold a text.
func hints(t *testing.T, err error, want string) {
	t.Helper()
	_, f := verdict.First(err)
	if f == nil || !strings.Contains(f.Hint, want) {
		t.Errorf("the next step of %v is %+v", err, f)
	}
}

func TestTheOperatorsIssuerStandsInForAMissingDocument(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]logintest.Options{
		"asks at once":               {At: "nowhere"},
		"asks at the listing":        {At: "nowhere", Open: "initialize"},
		"asks at a call alone":       {At: "nowhere", Open: "all"},
		"names a document in vain":   {Answer: at("/described", http.NotFound)},
		"an issuer with a path":      {At: "nowhere", Tenant: "/tenant"},
		"an issuer of OpenID":        {At: "nowhere", OpenID: true},
		"a client of another method": {At: "nowhere", Method: "client_secret_post"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := install(t, o, session.OAuth{})
			_, err := i.login(t, login.Request{})
			code(t, err, verdict.LoginDiscovery)
			hints(t, err, `"oauth": {"issuer": `)
			i.target.Server.OAuth.Issuer = i.server.Issuer()
			_, err = i.login(t, login.Request{})
			code(t, err, verdict.LoginDiscovery)
			hints(t, err, "project's file")
			if n := i.server.Count("/register") + i.server.Count("/authorize") + i.server.Count("/token"); n != 0 {
				t.Errorf("%d requests to an issuer that the operator does not state", n)
			}
			i.target.Server.OAuth.Own = true
			i.target.Server.URL += "?key=hush" // of the entry, and not for the issuer
			is := i.loggedIn(t, login.Request{})
			if !is.Stated || is.Issuer != i.server.Issuer() || is.Resource != i.server.URL() || !slices.Equal(i.user.offer.Stated, []string{"issuer"}) {
				t.Errorf("%+v, offer %+v", is, i.user.offer)
			}
			i.server.Expire()
			if err := i.list(t); err != nil {
				t.Error(err)
			}
			i.clean(t)
		})
	}
}

func TestAStatedIssuerCountsWhileTheOperatorStatesIt(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*session.OAuth){
		"taken out":         func(o *session.OAuth) { o.Issuer = "" },
		"another":           func(o *session.OAuth) { o.Issuer = "https://issuer.example" },
		"of a project's":    func(o *session.OAuth) { o.Own = false },
		"with a slash more": func(o *session.OAuth) { o.Issuer += "/" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := install(t, logintest.Options{At: "nowhere", Tenant: "/tenant"}, session.OAuth{Own: true})
			i.target.Server.OAuth.Issuer = i.server.Issuer()
			i.loggedIn(t, login.Request{})
			before := i.server.Requests()
			change(&i.target.Server.OAuth)
			code(t, i.list(t), verdict.ServerAuth)
			if i.server.Requests() != before {
				t.Error("a request was made")
			}
		})
	}
}

// A document that is published counts, and a server that publishes one later too.
func TestAPublishedDocumentOutweighsTheOperatorsIssuer(t *testing.T) {
	t.Parallel()
	other := `{"resource":"%s","authorization_servers":["https://issuer.example"]}`
	for name, o := range map[string]logintest.Options{
		"of another issuer":         {Edit: member("resource", "authorization_servers", []string{"https://issuer.example"})},
		"of another resource":       {Edit: member("resource", "resource", "https://mcp.example/")},
		"of no issuer":              {Edit: member("resource", "authorization_servers", nil)},
		"in trouble":                {Answer: at("/described", answering(500, "application/json", "{}"))},
		"a page":                    {Answer: at("/described", answering(200, "text/html", html))},
		"a redirect":                {Answer: at("/described", answering(302, "application/json", "{}"))},
		"at the path":               {At: "path", Edit: member("resource", "authorization_servers", []string{"https://issuer.example"})},
		"at the root":               {At: "root", Edit: member("resource", "authorization_servers", []string{"https://issuer.example"})},
		"not where the server says": {Answer: elsewhere(other)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := install(t, o, session.OAuth{Own: true})
			i.target.Server.OAuth.Issuer = i.server.Issuer()
			_, err := i.login(t, login.Request{})
			code(t, err, verdict.LoginDiscovery)
			if n := i.server.Count(metadataPath) + i.server.Count("/token"); n != 0 {
				t.Errorf("%d requests to the issuer", n)
			}
		})
	}
	i := install(t, logintest.Options{At: "nowhere"}, session.OAuth{Own: true})
	i.target.Server.OAuth.Issuer = i.server.Issuer()
	i.loggedIn(t, login.Request{})
	i.server.Expire()
	i.server.Set(func(o *logintest.Options) {
		o.At, o.Edit = "path", member("resource", "authorization_servers", []string{"https://issuer.example"})
	})
	code(t, i.list(t), verdict.ServerIssuer)
	if n := i.server.Count("grant refresh_token"); n != 0 {
		t.Errorf("%d refreshes", n)
	}
}

// elsewhere has no document where the challenge names one, and one at a well-known place.
func elsewhere(document string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		switch r.URL.Path {
		case "/described":
			http.NotFound(w, r)
		case "/.well-known/oauth-protected-resource/mcp":
			answering(http.StatusOK, "application/json", strings.Replace(document, "%s", "http://"+r.Host+"/mcp", 1))(w, r)
		default:
			return false
		}
		return true
	}
}

func TestAStatedIssuerHasToBeOneThatTokensMayComeFrom(t *testing.T) {
	t.Parallel()
	for _, issuer := range []string{
		"http://issuer.example", "https://issuer.example?x", "https://issuer.example#x", "https://a:b@issuer.example", "issuer.example", "javascript:alert(1)", "https://169.254.169.254", "https://issuer.example/ x",
	} {
		for _, where := range []string{"nowhere", "path"} {
			i := install(t, logintest.Options{At: where, Edit: member("resource", "authorization_servers", []string{issuer})}, session.OAuth{Issuer: issuer, Own: true})
			_, err := i.login(t, login.Request{})
			code(t, err, verdict.LoginDiscovery)
			if n := i.server.Count(metadataPath); n != 0 {
				t.Errorf("%s: %d requests", issuer, n)
			}
		}
	}
}

func TestPKCEThatTheIssuerLeavesOutIsStatedByTheOperator(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		methods any // of the issuer's document
		config  session.OAuth
		hint    string // where it is refused
	}{
		"not stated":           {nil, session.OAuth{Own: true}, `"oauth": {"pkce": "S256"}`},
		"stated":               {nil, session.OAuth{Own: true, PKCE: "S256"}, ""},
		"a project's":          {nil, session.OAuth{PKCE: "S256"}, "project's file"},
		"another method":       {nil, session.OAuth{Own: true, PKCE: "plain"}, "entry"},
		"plain is announced":   {[]string{"plain"}, session.OAuth{Own: true, PKCE: "S256"}, "other methods"},
		"nothing is announced": {[]string{}, session.OAuth{Own: true, PKCE: "S256"}, "other methods"},
		"announced as well":    {[]string{"plain", "S256"}, session.OAuth{Own: true, PKCE: "S256"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := install(t, logintest.Options{Edit: member("metadata", "code_challenge_methods_supported", row.methods)}, row.config)
			_, err := i.login(t, login.Request{})
			if row.hint != "" {
				code(t, err, verdict.LoginDiscovery)
				hints(t, err, row.hint)
				if n := i.server.Count("/register") + i.server.Count("/authorize"); n != 0 {
					t.Errorf("%d requests", n)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if stated := slices.Equal(i.user.offer.Stated, []string{"pkce"}); stated != (row.methods == nil) {
				t.Errorf("the offer states %q", i.user.offer.Stated)
			}
			i.clean(t)
		})
	}
}
