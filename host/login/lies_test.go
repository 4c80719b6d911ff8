package login_test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/login"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/internal/testing/logintest"
)

func take(t *testing.T, address string) net.Listener {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp4", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// member changes one member of a document.
func member(document, name string, value any) func(string, map[string]any) {
	return func(path string, doc map[string]any) {
		if path != document {
			return
		}
		if value == nil {
			delete(doc, name)
			return
		}
		doc[name] = value
	}
}

// at answers one path in the place of the server.
func at(path string, do http.HandlerFunc) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != path {
			return false
		}
		do(w, r)
		return true
	}
}

const metadataPath = "/.well-known/oauth-authorization-server"

// answering is an answer of a status, a type and a body.
func answering(status int, media, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", media)
		w.Header().Set("Location", "https://elsewhere.example/")
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

const html = "<script>\x1b[31mred\u202e"

// lies are what a server or its issuer may say that ends a login before a token is
// asked for, or used.
func lies() map[string]struct {
	options logintest.Options
	code    verdict.Code
	asked   bool // the token endpoint may have been asked
} {
	type row = struct {
		options logintest.Options
		code    verdict.Code
		asked   bool
	}
	all := map[string]row{}
	edit := func(name string, code verdict.Code, asked bool, document, of string, value any) {
		all[name] = row{logintest.Options{Edit: member(document, of, value)}, code, asked}
	}
	answer := func(name string, code verdict.Code, asked bool, path string, do http.HandlerFunc) {
		all[name] = row{logintest.Options{Answer: at(path, do)}, code, asked}
	}
	found, state := verdict.LoginDiscovery, verdict.LoginState

	for name, issuer := range map[string]string{
		"another host": "https://issuer.example", "a path": "+/x", "two slashes": "+//", "a query": "+?x", "a query that is empty": "+?", "a fragment": "+#x", "nothing": "",
		"a space": "+ ", "no address": "issuer", "another port": "http://127.0.0.1:1", "https": "https", "credentials": "credentials", "a dot": "dot",
	} {
		all["issuer: "+name] = row{logintest.Options{Edit: func(path string, doc map[string]any) {
			if path == "metadata" {
				is, _ := doc["issuer"].(string)
				more, longer := strings.CutPrefix(issuer, "+")
				doc["issuer"] = issuer
				switch {
				case longer:
					doc["issuer"] = is + more
				case issuer == "https":
					doc["issuer"] = strings.Replace(is, "http", "https", 1)
				case issuer == "credentials":
					doc["issuer"] = strings.Replace(is, "//", "//a@", 1)
				case issuer == "dot":
					doc["issuer"] = strings.Replace(is, "127.0.0.1", "127.0.0.1.", 1)
				}
			}
		}}, found, false}
	}
	for name, value := range map[string]any{
		"another host": "https://evil.example/mcp", "a longer path": nil, "no text": 7, "empty": "", "a query": "?x", "https": "https",
	} {
		all["resource: "+name] = row{logintest.Options{Edit: func(path string, doc map[string]any) {
			if path != "resource" {
				return
			}
			is, _ := doc["resource"].(string)
			switch value {
			case nil:
				doc["resource"] = is + "/more"
			case "?x":
				doc["resource"] = is + "?x=1"
			case "https":
				doc["resource"] = strings.Replace(is, "http:", "https:", 1)
			default:
				doc["resource"] = value
			}
		}}, found, false}
	}
	for name, servers := range map[string]any{
		"none": []string{}, "absent": nil, "plain http": []string{"http://issuer.example"}, "a query": []string{"https://issuer.example?x"}, "a fragment": []string{"https://issuer.example#x"},
		"credentials": []string{"https://a:b@issuer.example"}, "javascript": []string{"javascript:alert(1)"}, "a file": []string{"file:///etc/passwd"}, "link-local": []string{"https://169.254.169.254"},
		"text": "https://issuer.example", "control characters": []string{"https://issuer.example/\x1b[2J"}, "long": []string{"https://issuer.example/" + strings.Repeat("a", 4096)},
	} {
		edit("authorization_servers: "+name, found, false, "resource", "authorization_servers", servers)
	}
	for _, endpoint := range []string{"authorization_endpoint", "token_endpoint", "registration_endpoint", "device_authorization_endpoint", "revocation_endpoint"} {
		for _, address := range []string{"javascript:alert(1)", "file:///etc/passwd", "http://issuer.example/x", "https://a:b@issuer.example/", "https://issuer.example/#x", "//issuer.example", html} {
			edit(endpoint+": "+address, found, false, "metadata", endpoint, address)
		}
	}
	edit("no authorization_endpoint", found, false, "metadata", "authorization_endpoint", nil)
	edit("no token_endpoint", found, false, "metadata", "token_endpoint", nil)
	edit("no PKCE", found, false, "metadata", "code_challenge_methods_supported", nil)
	edit("plain PKCE", found, false, "metadata", "code_challenge_methods_supported", []string{"plain"})
	edit("no registration", verdict.LoginRegistration, false, "metadata", "registration_endpoint", nil)
	edit("keys", verdict.LoginRegistration, false, "metadata", "token_endpoint_auth_methods_supported", []string{"private_key_jwt"})

	good := `{"issuer":"x","token_endpoint":"https://x.example/"}`
	for name, do := range map[string]http.HandlerFunc{
		"a redirect": answering(302, "application/json", good), "permanent": answering(308, "application/json", good), "trouble": answering(500, "application/json", good),
		"too many": answering(429, "application/json", good), "a page": answering(200, "text/html", good), "no type": answering(200, "", good),
		"twice": answering(200, "application/json", `{"issuer":"a","issuer":"b"}`), "bad text": answering(200, "application/json", "{\"issuer\":\"\xff\"}"),
		"more behind": answering(200, "application/json", good+"{}"), "nothing": answering(200, "application/json", ""), "null": answering(200, "application/json", "null"),
		"a list": answering(200, "application/json", "[]"), "huge": answering(200, "application/json", `{"a":"`+strings.Repeat("x", 10<<20)+`"}`),
		"cut off": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, good[:20])
		},
	} {
		answer("the issuer's document: "+name, found, false, metadataPath, do)
		answer("the resource's document: "+name, found, false, "/described", do)
	}
	for name, to := range map[string]string{"plain http": "http://other.example/x", "javascript": "javascript:alert(1)", "link-local": "http://169.254.169.254/"} {
		answer("challenge: "+name, found, false, "/mcp", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+to+`"`)
			w.WriteHeader(http.StatusUnauthorized)
		})
	}
	for name, do := range map[string]http.HandlerFunc{
		"refused": answering(400, "application/json", `{"error":"invalid_redirect_uri","error_description":"`+html[:8]+`"}`), "a page": answering(201, "text/html", html),
		"no client": answering(201, "application/json", `{}`), "a client with spaces": answering(201, "application/json", `{"client_id":"a b"}`), "a redirect": answering(307, "application/json", `{}`),
	} {
		answer("registration: "+name, verdict.LoginRegistration, false, "/register", do)
	}
	for name, change := range map[string]func(url.Values){
		"another issuer": func(q url.Values) { q.Set("iss", "https://evil.example") }, "no issuer": func(q url.Values) { q.Del("iss") },
		"a slash more": func(q url.Values) { q.Set("iss", q.Get("iss")+"/") }, "issuer twice": func(q url.Values) { q.Add("iss", q.Get("iss")) }, "no code": func(q url.Values) { q.Del("code") },
		"code twice":                       func(q url.Values) { q.Add("code", "other") },
		"an error of another issuer":       func(q url.Values) { q.Set("iss", "https://evil.example"); q.Set("error", "QUOTED") },
		"an empty issuer that is there":    func(q url.Values) { q.Set("iss", "") },
		"an issuer in capitals":            func(q url.Values) { q.Set("iss", strings.ToUpper(q.Get("iss"))) },
		"a percent-encoded issuer's slash": func(q url.Values) { q.Set("iss", strings.Replace(q.Get("iss"), "//", "%2F%2F", 1)) },
	} {
		all["redirect: "+name] = row{logintest.Options{Redirect: change}, state, false}
	}
	all["redirect: the user's no"] = row{logintest.Options{Redirect: func(q url.Values) { q.Del("code"); q.Set("error", "access_denied"); q.Set("error_description", html) }}, verdict.LoginDenied, false}
	for name, value := range map[string]any{"mac": "mac", "absent": nil, "number": 7} {
		edit("token_type: "+name, state, true, "token", "token_type", value)
	}
	for name, value := range map[string]any{"empty": "", "absent": nil, "a line": "a\nb", "a space": "a b", "long": strings.Repeat("x", 9<<10), "unicode": "t\u00f6ken"} {
		edit("access_token: "+name, state, true, "token", "access_token", value)
	}
	for name, value := range map[string]any{
		"none": 0, "none as text": "0", "none as a fraction": json.RawMessage("0.0"), "none as text of a fraction": "0.00", "less than one": 0.9, "less than one as text": "0.5", "none with an exponent": json.RawMessage("0e3"),
	} {
		edit("expires_in: "+name, state, true, "token", "expires_in", value)
	}
	for name, scope := range map[string]string{"a control character": "read \x1b[2J", "a quote": `a"b`, "long": strings.Repeat("x ", 9<<10), "unicode": "r\u202ead"} {
		edit("scope: "+name, state, true, "token", "scope", scope)
		edit("scopes_supported: "+name, found, false, "resource", "scopes_supported", strings.Split(scope, " "))
	}
	edit("refresh_token: a line", state, true, "token", "refresh_token", "a\nb")
	for name, do := range map[string]http.HandlerFunc{
		"a page": answering(200, "text/html", html), "a redirect": answering(307, "application/json", "{}"), "form": answering(200, "application/x-www-form-urlencoded", "access_token=x&token_type=bearer"),
	} {
		answer("token: "+name, state, true, "/token", do)
	}
	for document, code := range map[string]verdict.Code{"resource": found, "metadata": found, "registration": verdict.LoginRegistration, "token": state} {
		all["the right answer as text: "+document] = row{logintest.Options{Media: map[string]string{document: "text/plain"}}, code, document == "token"}
	}
	answer("token: refused", verdict.LoginDenied, true, "/token", answering(400, "application/json", `{"error":"invalid_grant","error_description":"no"}`))
	return all
}

func TestALieEndsTheLoginAndNothingIsKept(t *testing.T) {
	t.Parallel()
	for name, row := range lies() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := install(t, row.options, session.OAuth{})
			is, err := i.login(t, login.Request{})
			code(t, err, row.code)
			if is.State != "" {
				t.Errorf("logged in: %+v", is)
			}
			if n := i.server.Count("/token"); n > 1 || n == 1 && !row.asked {
				t.Errorf("the token endpoint was asked %d times", n)
			}
			kept, err := i.Store.Look("tickets", "sha256:entry")
			if err != nil || kept.Format != 0 {
				t.Errorf("kept: %+v, %v", kept, err)
			}
		})
	}
}

func TestAStrangersWordsAreBoundedAndEscapedAndNoSecretIsQuoted(t *testing.T) {
	t.Parallel()
	for name, row := range lies() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := install(t, row.options, session.OAuth{})
			_, err := i.login(t, login.Request{})
			if err == nil {
				t.Fatal("logged in")
			}
			text := err.Error()
			if strings.ContainsAny(text, "\x1b\n\u202e") || len(text) > 1500 || strings.Contains(text, "QUOTED") {
				t.Errorf("%d bytes: %q", len(text), text)
			}
			for _, secret := range i.server.Issued() {
				if strings.Contains(text, secret) {
					t.Errorf("quotes %s", secret)
				}
			}
		})
	}
}

func TestAnIssuerThatHangsIsNotWaitedForForEver(t *testing.T) {
	t.Parallel()
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	i := install(t, logintest.Options{Answer: at(metadataPath, hang)}, session.OAuth{})
	begin := time.Now()
	_, err := i.login(t, login.Request{})
	code(t, err, verdict.LoginDiscovery)
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("waited for %s", took)
	}
}
