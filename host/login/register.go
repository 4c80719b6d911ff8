package login

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/onestep-run/onestep/gate/verdict"
)

// registration is a client of one authorization server. A client that a server issued is
// kept with its issuer, and used at no other (Client Registration, Authorization Server
// Binding).
type registration struct {
	Format  int      `json:"format"`
	Issuer  string   `json:"issuer"`
	ID      string   `json:"client"`
	Method  string   `json:"method,omitempty"` // of authentication at the token endpoint, if stated
	Port    int      `json:"port,omitempty"`   // of the registered redirect
	Grants  []string `json:"grants,omitempty"`
	Expires int64    `json:"expires,omitempty"` // of the secret, in seconds since 1970; 0 is never

	secret string
}

type registrationSecrets struct {
	Secret string `json:"secret,omitempty"`
	Access string `json:"registration_access_token,omitempty"` // RFC 7592, section 3
}

// The sources of a client, as displayed.
const (
	fromConfig   = "the servers file"
	fromDocument = "a client ID metadata document"
	fromBefore   = "an earlier registration"
	fromServer   = "a registration with the authorization server, next"
)

// chooseClient picks the client (Client Registration). It is the configured client, our
// metadata document, or a registered client. It also takes the port of the redirect,
// which is shown and registered.
func (a *attempt) chooseClient(ctx context.Context) error {
	switch {
	case a.Server.OAuth.ClientID != "":
		if err := a.bound(); err != nil {
			return err
		}
		a.client, a.from = registration{ID: a.Server.OAuth.ClientID, secret: a.Server.OAuth.ClientSecret}, fromConfig
	case a.Server.OAuth.Grant == ClientCredentials:
		return a.unregistered(nil, "a login without a user needs a clientId and a clientSecret in the oauth member of its entry")
	case a.meta.ClientDocuments && a.Document != "":
		a.client, a.from = registration{ID: a.Document}, fromDocument
	case a.meta.RegistrationEndpoint == "":
		return a.unregistered(nil, "%s does not register clients automatically; register one by hand (native, redirect http://127.0.0.1:PORT/callback) and name its clientId and callbackPort", a.issuerShown())
	default:
		if err := a.registered(ctx); err != nil {
			return err
		}
	}
	if err := a.listen(ctx); err != nil {
		return err
	}
	return a.chooseMethod()
}

// bound refuses to use a configured client at another issuer than before: its secret is
// for that issuer (Authorization Server Binding). A metadata document is for any issuer,
// and an operator who names the issuer has decided.
func (a *attempt) bound() error {
	was := a.before.Issuer
	client := a.Server.OAuth.ClientID
	switch {
	case a.before.Client != client, same(was, a.meta.Issuer):
		return nil
	case operators(a.Server.OAuth) != "", strings.HasPrefix(client, "https://"):
		return nil
	}
	return failing(verdict.ServerIssuer, nil, "if that is meant, write the new issuer into the oauth member of its entry, with a client that is registered there",
		"server %s names another authorization server than its configured client was used at: %s, and not %s", a.Server.Name, a.issuerShown(), a.http.words(was))
}

// registered chooses the client of an earlier registration, if it is still usable.
func (a *attempt) registered(ctx context.Context) error {
	kept, secrets, err := a.Store.registration(ctx, a.meta.Issuer)
	if err != nil {
		return err
	}
	a.from = fromServer
	expired := kept.Expires != 0 && a.Now().Unix() >= kept.Expires
	if kept.ID == "" || expired || !slices.Contains(kept.Grants, a.grantType()) {
		return nil
	}
	a.client, a.from = kept, fromBefore
	a.client.secret = secrets.Secret
	return nil
}

// listen takes the port of the redirect: the configured one, the registered one, or one
// of the system's choice. If a registered port is taken, another client is needed.
func (a *attempt) listen(ctx context.Context) (err error) {
	if a.Way == Device || a.Server.OAuth.Grant == ClientCredentials {
		return nil
	}
	if a.meta.AuthorizationEndpoint == "" {
		return a.undiscovered(errors.New("the authorization server's document names no authorization_endpoint"))
	}
	if err := a.checkPKCE(); err != nil {
		return err
	}
	if a.listener, err = listen(ctx, a.port()); err == nil {
		return nil
	}
	if a.Server.OAuth.CallbackPort != 0 || a.from != fromBefore {
		return a.unregistered(err, "the port of the redirect, %d, cannot be listened on: %v", a.port(), err)
	}
	a.client, a.from = registration{}, fromServer
	a.listener, err = listen(ctx, 0)
	return err
}

const methodS256 = "S256"

// checkPKCE refuses an issuer that does not announce PKCE with S256, as a client MUST
// (Security Considerations, Authorization Code Protection). If the issuer says nothing
// about PKCE, the operator can state it: S256 is sent in any case.
func (a *attempt) checkPKCE() error {
	o, all := a.Server.OAuth, a.meta.ChallengeMethods
	if slices.Contains(all, methodS256) || a.statedPKCE() {
		return nil
	}
	f := a.undiscovered(errors.New("the authorization server does not say that it takes PKCE with S256, without which a code can be stolen"))
	switch {
	case all != nil:
		f.Hint = "it lists other methods; ask its operator"
	case o.PKCE != "":
		f.Hint = `"pkce" in its entry does not count, because the entry is in a project's file: copy the entry into your own mcp.json and write it there`
	default:
		f.Hint = `if you know that it takes S256, write that into its entry, "oauth": {"pkce": "S256"}, and log in again`
	}
	return f
}

// statedPKCE reports whether the operator's own file states PKCE, and the issuer does not.
func (a *attempt) statedPKCE() bool {
	o := a.Server.OAuth
	return o.Own && o.PKCE == methodS256 && a.meta.ChallengeMethods == nil
}

func (a *attempt) port() int { return cmp.Or(a.Server.OAuth.CallbackPort, a.client.Port) }

// chooseMethod picks the client's authentication at the token endpoint. It does not
// probe: the method is the registered one, or a method in the metadata.
func (a *attempt) chooseMethod() error {
	named := a.meta.TokenMethods
	if len(named) == 0 {
		named = []string{methodBasic} // RFC 8414, section 2
	}
	switch secret := a.client.secret != ""; {
	case a.client.Method != "":
		a.method = a.client.Method
	case !secret && a.from != fromServer:
		a.method = methodNone
	case !secret && (slices.Contains(named, methodNone) || len(a.meta.TokenMethods) == 0):
		a.method = methodNone // the registration requests it
	case slices.Contains(named, methodBasic):
		a.method = methodBasic
	case slices.Contains(named, methodPost):
		a.method = methodPost
	default:
		a.method = named[0]
	}
	if !slices.Contains([]string{methodNone, methodBasic, methodPost}, a.method) {
		return a.unregistered(nil, "%s requires the client to authenticate by %s, which is not supported", a.issuerShown(), a.http.words(a.method))
	}
	return nil
}

// The supported methods of RFC 7591, section 2.
const (
	methodNone  = "none"
	methodBasic = "client_secret_basic"
	methodPost  = "client_secret_post"
)

const (
	grantCode    = "authorization_code"
	grantRefresh = "refresh_token"
	grantDevice  = "urn:ietf:params:oauth:grant-type:device_code"
)

func (a *attempt) grantType() string {
	if a.Way == Device {
		return grantDevice
	}
	return grantCode
}

// register registers a client if none is chosen (RFC 7591, section 3), once.
func (a *attempt) register(ctx context.Context) error {
	if a.client.ID != "" {
		return nil
	}
	asks := oauthex.ClientRegistrationMetadata{
		ClientName:              "onestep",
		ApplicationType:         "native", // Client Registration, Application Type and Redirect URI Constraints
		GrantTypes:              []string{a.grantType(), grantRefresh},
		TokenEndpointAuthMethod: a.method,
	}
	is := registration{Format: loginFormat, Issuer: a.meta.Issuer, Grants: asks.GrantTypes}
	if a.listener != nil {
		asks.ResponseTypes, asks.RedirectURIs = []string{"code"}, []string{a.listener.address}
		is.Port = a.listener.port
	}
	body, err := json.Marshal(asks)
	if err != nil {
		return err
	}
	got, err := a.http.post(ctx, a.meta.RegistrationEndpoint, "application/json", string(body), "")
	if err != nil {
		return a.unregistered(err, "%v", err)
	}
	if got.status != http.StatusCreated && got.status != http.StatusOK {
		return a.unregistered(nil, "%s: %v", a.issuerShown(), a.http.refusal(got))
	}
	var said struct {
		ID      string  `json:"client_id"`
		Method  string  `json:"token_endpoint_auth_method"`
		Expires seconds `json:"client_secret_expires_at"` // since 1970
		Secret  string  `json:"client_secret"`
		Access  string  `json:"registration_access_token"`
	}
	if err := got.decode(&said); err != nil {
		return a.unregistered(err, "%s: its answer cannot be used: %s", a.issuerShown(), a.http.words(err.Error()))
	}
	a.http.hide(said.Secret, said.Access)
	if !isToken(said.ID) {
		return a.unregistered(nil, "%s: its answer names no client_id that can be used", a.issuerShown())
	}
	is.ID, is.Method, is.Expires, is.secret = said.ID, said.Method, said.Expires.n, said.Secret
	a.client, a.from = is, fromBefore
	if err := a.chooseMethod(); err != nil {
		return err
	}
	return a.Store.seal(ctx, clientName(is.Issuer), is, registrationSecrets{said.Secret, said.Access})
}

func (a *attempt) issuerShown() string { return a.http.words(a.meta.Issuer) }

func (a *attempt) unregistered(cause error, format string, args ...any) error {
	f := failing(verdict.LoginRegistration, cause, "", format, args...)
	f.Reason = "server " + a.Server.Name + ": no client to log in as: " + f.Reason
	return f
}
