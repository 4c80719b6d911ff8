package logintest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

const offline = "offline_access"

// serveIssuer is the authorization server.
func (s *Server) serveIssuer(w http.ResponseWriter, r *http.Request) {
	if s.enter(w, r) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	tenant := s.options.Tenant
	document := "/.well-known/oauth-authorization-server" + tenant
	if s.options.OpenID {
		document = tenant + "/.well-known/openid-configuration"
	}
	switch r.URL.Path {
	case document:
		s.reply(w, "metadata", http.StatusOK, s.metadata())
	case "/register":
		s.register(w, r)
	case "/authorize":
		s.authorize(w, r)
	case "/token":
		s.token(w, r)
	case "/device":
		s.device(w, r)
	case "/revoke":
		s.revoke(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (s *Server) metadata() map[string]any {
	doc := map[string]any{
		"issuer": s.Issuer(), "authorization_endpoint": s.as + "/authorize", "token_endpoint": s.as + "/token",
		"device_authorization_endpoint": s.as + "/device", "revocation_endpoint": s.as + "/revoke",
		"response_types_supported": []string{"code"}, "code_challenge_methods_supported": []string{"S256"},
		"authorization_response_iss_parameter_supported": true, "unknown_member": map[string]any{"x": 1},
		"token_endpoint_auth_methods_supported": []string{"none", "client_secret_basic", "client_secret_post"},
		"client_id_metadata_document_supported": s.options.Documents,
	}
	if s.options.Offline {
		doc["scopes_supported"] = []string{offline}
	}
	if !s.options.Closed {
		doc["registration_endpoint"] = s.as + "/register"
	}
	return doc
}

func (s *Server) register(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		RedirectURIs []string `json:"redirect_uris"`
		Type         string   `json:"application_type"`
		Grants       []string `json:"grant_types"`
		Method       string   `json:"token_endpoint_auth_method"`
	}
	if json.NewDecoder(r.Body).Decode(&asked) != nil || asked.Type != "native" || len(asked.Grants) == 0 {
		s.wrong("a registration that is not of a native client with its grants")
	}
	if r.Header.Get("Authorization") != "" {
		s.wrong("an Authorization header at the registration")
	}
	id := s.secretless("client")
	is := client{method: cmpOr(s.options.Method, "none")}
	doc := map[string]any{"client_id": id, "token_endpoint_auth_method": is.method, "redirect_uris": asked.RedirectURIs}
	if len(asked.RedirectURIs) > 0 {
		is.redirect = asked.RedirectURIs[0]
	}
	if is.method != "none" {
		is.secret = s.secret("secret")
		doc["client_secret"], doc["client_secret_expires_at"] = is.secret, 0
		doc["registration_access_token"] = s.secret("registration")
	}
	s.clients[id] = is
	s.reply(w, "registration", http.StatusCreated, doc)
}

func (s *Server) secretless(kind string) string {
	text := s.secret(kind)
	s.issued = s.issued[:len(s.issued)-1]
	return text
}

// clientOf returns a client by its identifier, which may be a metadata document.
func (s *Server) clientOf(id string) (client, bool) {
	c, known := s.clients[id]
	if !known && s.options.Documents && strings.HasPrefix(id, "https://") {
		return client{method: "none"}, true
	}
	return c, known
}

func (s *Server) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	c, known := s.clientOf(q.Get("client_id"))
	to, err := url.Parse(q.Get("redirect_uri"))
	switch {
	case !known, err != nil, c.redirect != "" && c.redirect != q.Get("redirect_uri"):
		s.wrong("an authorization request of an unknown client or redirect")
		http.Error(w, "unknown client", http.StatusBadRequest)
		return
	case to.Scheme != "http", to.Hostname() != "127.0.0.1":
		s.wrong("a redirect to %s", to)
	case q.Get("response_type") != "code", q.Get("code_challenge_method") != "S256", len(q.Get("code_challenge")) != 43, q.Get("state") == "":
		s.wrong("an authorization request without code, PKCE or state")
	case q.Get("resource") != s.URL():
		s.wrong("an authorization request for the resource %q", q.Get("resource"))
	}
	text := s.secret("code")
	s.codes[text] = &code{client: q.Get("client_id"), redirect: q.Get("redirect_uri"), challenge: q.Get("code_challenge"), scope: q.Get("scope")}
	if s.options.Offline && q.Get("prompt") != "consent" {
		s.codes[text].scope = strings.ReplaceAll(q.Get("scope"), offline, "")
	}
	back := url.Values{"code": {text}, "state": {q.Get("state")}, "iss": {s.Issuer()}}
	if s.options.Redirect != nil {
		s.options.Redirect(back)
	}
	to.RawQuery = back.Encode()
	http.Redirect(w, r, to.String(), http.StatusFound) //nolint:gosec // as every authorization server does
}

func (s *Server) token(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	f := r.PostForm
	grant := f.Get("grant_type")
	s.counts["grant "+grant]++
	id, ok := s.authenticated(r)
	if !ok {
		s.burn(f.Get("code"))
		s.reply(w, "error", http.StatusUnauthorized, map[string]any{"error": "invalid_client"})
		return
	}
	if f.Get("resource") != s.URL() {
		s.wrong("a %s grant for the resource %q", grant, f.Get("resource"))
	}
	of, no := s.granted(grant, id, f)
	if no != "" {
		s.burn(f.Get("code"))
		s.reply(w, "error", http.StatusBadRequest, map[string]any{"error": no, "error_description": "the grant was refused"})
		return
	}
	s.reply(w, "token", http.StatusOK, s.issue(of, grant))
}

// authenticated checks the client's method. A client must use exactly one.
func (s *Server) authenticated(r *http.Request) (id string, ok bool) {
	id, secret, basic := r.BasicAuth()
	if !basic {
		id, secret = r.PostForm.Get("client_id"), r.PostForm.Get("client_secret")
	} else {
		id, _ = url.QueryUnescape(id)
		secret, _ = url.QueryUnescape(secret)
	}
	c, known := s.clientOf(id)
	method := "none"
	switch {
	case basic && r.PostForm.Has("client_secret"):
		s.wrong("a client that authenticates twice")
	case basic:
		method = "client_secret_basic"
	case secret != "":
		method = "client_secret_post"
	}
	if !known || method != c.method || secret != c.secret {
		s.wrong("a client that authenticates by %s and not by %s", method, c.method)
		return id, false
	}
	return id, true
}

func (s *Server) burn(text string) {
	if c := s.codes[text]; c != nil {
		c.spent = true
	}
}

func (s *Server) granted(grant, client string, f url.Values) (*family, string) {
	switch grant {
	case "authorization_code":
		return s.byCode(client, f)
	case "refresh_token":
		return s.byRefresh(client, f)
	case "client_credentials":
		return &family{client: client, scope: f.Get("scope")}, ""
	case "urn:ietf:params:oauth:grant-type:device_code":
		return s.byDevice(client, f)
	}
	return nil, "unsupported_grant_type"
}

func (s *Server) byCode(client string, f url.Values) (*family, string) {
	c := s.codes[f.Get("code")]
	sum := sha256.Sum256([]byte(f.Get("code_verifier")))
	switch {
	case c == nil:
		s.wrong("a code that was never issued")
		return nil, "invalid_grant"
	case c.spent:
		s.wrong("a code that was used before")
		s.end(c.of)
		return nil, "invalid_grant"
	case c.client != client, c.redirect != f.Get("redirect_uri"), c.challenge != base64.RawURLEncoding.EncodeToString(sum[:]):
		s.wrong("a code with another client, redirect or verifier")
		return nil, "invalid_grant"
	}
	c.spent, c.of = true, &family{client: client, scope: c.scope}
	return c.of, ""
}

func (s *Server) byRefresh(client string, f url.Values) (*family, string) {
	token := f.Get("refresh_token")
	of := s.refresh[token]
	switch {
	case of == nil, of.client != client:
		s.wrong("a refresh token of another client, or none")
		return nil, "invalid_grant"
	case of.ended:
		return nil, "invalid_grant"
	case of.current != token: // OAuth 2.1, section 4.3.1
		s.end(of)
		return nil, "invalid_grant"
	}
	return of, ""
}

func (s *Server) end(of *family) {
	if of == nil || of.ended {
		return
	}
	of.ended = true
	s.counts["ended"]++
	for token, a := range s.access {
		if a.of == of {
			delete(s.access, token)
		}
	}
}

func (s *Server) issue(of *family, grant string) map[string]any {
	life := s.options.Lifetime
	if life == 0 {
		life = time.Hour
	}
	a := &access{of: of, scope: of.scope, expires: s.clock().Add(max(life, time.Second))}
	if s.options.Grants != nil {
		a.scope = strings.Join(s.options.Grants, " ")
	}
	token := s.secret("access")
	s.access[token] = a
	doc := map[string]any{"access_token": token, "token_type": "bearer"}
	if life > 0 {
		doc["expires_in"] = int(life / time.Second)
	} else {
		a.expires = s.clock().Add(24 * time.Hour)
	}
	if a.scope != of.scope {
		doc["scope"] = a.scope
	}
	switch {
	case grant == "client_credentials", s.options.NoRefresh, s.options.Steady && grant == "refresh_token":
	case s.options.Offline && !has(of.scope, offline):
	default:
		of.current = s.secret("refresh")
		s.refresh[of.current] = of
		doc["refresh_token"] = of.current
	}
	return doc
}

func (s *Server) device(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	id, ok := s.authenticated(r)
	if !ok || r.PostForm.Get("resource") != s.URL() {
		s.wrong("a device request without client or resource")
	}
	text := s.secret("device")
	s.devices[text] = &code{client: id, scope: r.PostForm.Get("scope"), waits: s.options.Pending}
	s.reply(w, "device", http.StatusOK, map[string]any{
		"device_code": text, "user_code": "WDJB-MJHT", "verification_uri": s.as + "/enter", "expires_in": 600, "interval": 1,
	})
}

func (s *Server) byDevice(client string, f url.Values) (*family, string) {
	c := s.devices[f.Get("device_code")]
	switch {
	case c == nil, c.client != client, c.spent:
		s.wrong("a device code of another client, or used before")
		return nil, "invalid_grant"
	case c.waits > 0:
		c.waits--
		if c.waits == 1 {
			return nil, "slow_down"
		}
		return nil, "authorization_pending"
	}
	c.spent = true
	return &family{client: client, scope: c.scope}, ""
}

func (s *Server) revoke(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	if _, ok := s.authenticated(r); !ok {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	token := r.PostForm.Get("token")
	s.end(s.refresh[token])
	if a := s.access[token]; a != nil {
		s.end(a.of)
	}
	s.counts["revoked"]++
	w.WriteHeader(http.StatusOK)
}

func has(all, one string) bool { return one == "" || slices.Contains(words(all), one) }
