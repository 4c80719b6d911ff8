// Package login logs a user in to a remote MCP server, once, and gives every later
// request its token. It follows the MCP specification 2026-07-28, Authorization, and the
// documents that it refers to.
//
// It vouches that a token goes to the server that it was issued for and to the
// authorization server that issued it; that a document which fails a check ends the
// login, and missing values are not guessed; that a code, a refresh token or a client's
// secret is sent once, to the endpoint of the issuer that the user was shown; that only
// one of any number of processes refreshes a token; and that the stored login is sealed,
// and cannot be replaced by an older one. It does not vouch for the authorization server:
// its operator can issue tokens to any client.
//
// A question never starts a login. cmd/ask calls [Logins.Login] for its login command,
// and config/setup gives each server with a login its [Source].
package login

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

// ClientCredentials is the grant of a machine's own login (RFC 6749, section 4.4).
const ClientCredentials = "client_credentials"

// Target is the server to log in to.
type Target struct {
	Server session.Server // its credential is not used
	Entry  string         // the digest of its entry in the servers file
}

// Request has the user's options for a login.
type Request struct {
	Account string   // the user's label; "" for a single account
	Scopes  []string // in place of the scopes that the server names
	Way     Way
}

// Way is how the user reaches the authorization server.
type Way int

// The ways.
const (
	Browser Way = iota // here, with a redirect to this machine
	Paste              // in a browser elsewhere; the user brings the redirect's address
	Device             // in a browser elsewhere, with a code (RFC 8628)
)

// User is asked during a login.
type User interface {
	// Confirm shows the offer before anything is opened or registered. An error ends the
	// login.
	Confirm(ctx context.Context, o Offer) error
	// Open opens an address for the user. The login waits for the redirect meanwhile.
	Open(ctx context.Context, address string) error
	// Paste shows an address to open elsewhere, and returns the address of the redirect.
	Paste(ctx context.Context, address string) (redirect string, err error)
	// Notice reports an event during the wait for the user, in one line.
	Notice(text string)
	// Enter asks the user to enter a code at an address.
	Enter(ctx context.Context, address, code string, until time.Time) error
}

// Offer describes a login to the user. Its texts are untrusted.
type Offer struct {
	Server   string   `json:"server"`
	Issuer   string   `json:"issuer"`
	Others   []string `json:"other_issuers,omitempty"` // other issuers of the server
	Foreign  bool     `json:"foreign"`                 // the issuer's host is not the server's
	Stated   []string `json:"stated,omitempty"`        // by the operator in place of the servers: issuer, pkce
	Resource string   `json:"resource"`
	Client   string   `json:"client"` // "" until it is registered, after the user agrees
	How      string   `json:"client_from"`
	Scopes   []string `json:"scopes"`
	Redirect string   `json:"redirect,omitempty"`
	Account  string   `json:"account,omitempty"`
}

// Login logs in, and stores the login in place of an earlier one.
func (l *Logins) Login(ctx context.Context, t Target, r Request, u User) (Login, error) {
	a, err := l.begin(ctx, t, r)
	if err != nil {
		return Login{}, err
	}
	if err := a.discover(ctx); err != nil {
		return Login{}, l.noteFailure(t, err)
	}
	if err := a.chooseClient(ctx); err != nil {
		return Login{}, l.noteFailure(t, err)
	}
	if err := u.Confirm(ctx, a.offer()); err != nil {
		return Login{}, err
	}
	if err := a.register(ctx); err != nil {
		return Login{}, l.noteFailure(t, err)
	}
	tokens, err := a.grant(ctx, u)
	if err != nil {
		return Login{}, err
	}
	return a.storeLogin(ctx, tokens)
}

type attempt struct {
	*Logins
	Target
	Request

	http     *client
	asks     bool  // the server refused the handshake or the listing without a login
	inside   bool  // the server is at a private address
	stated   bool  // the server publishes no document: the operator states the issuer
	before   Login // the login to replace, or zero
	resource resourceDocument
	listed   string // the issuer, as the resource spells it
	issuer   string // the issuer, as the operator spells it, if named
	meta     serverDocument
	asked    []string // scopes
	listener *listener
	client   registration
	method   string // client's authentication at the token endpoint
	from     string // the source of the client
}

// begin refuses a login that cannot succeed, before any request. A store that cannot keep
// the login would waste the user's consent.
func (l *Logins) begin(ctx context.Context, t Target, r Request) (*attempt, error) {
	if t.Server.Authorized() {
		return nil, failing(verdict.UsageArgument, nil, "take the header out of the servers file to log in instead",
			"server %s has a configured Authorization header, which is sent instead of a login", t.Server.Name)
	}
	if t.Server.URL == "" {
		return nil, failing(verdict.UsageArgument, nil, "give a local server its keys by its env", "server %s is started here, and a login is for a server with a url", t.Server.Name)
	}
	t.Server.Credential = nil // a login asks without one
	if _, err := l.Store.keys(ctx, true, false); err != nil {
		return nil, err
	}
	before, _, err := l.Store.readLogin(t.Server.Name, t.Entry, false)
	if err != nil && !errors.Is(err, errDamaged) {
		return nil, err
	}
	return &attempt{Logins: l, Target: t, Request: r, before: before}, nil
}

func (a *attempt) offer() Offer {
	o := Offer{
		Server: a.Server.Name, Issuer: a.meta.Issuer, Resource: a.resource.Resource, Client: a.client.ID, How: a.from, Scopes: a.asked, Account: a.Account,
		Foreign: !sameHost(a.meta.Issuer, a.Server.URL),
	}
	for _, issuer := range a.resource.AuthorizationServers {
		if issuer != a.listed {
			o.Others = append(o.Others, issuer)
		}
	}
	if a.listener != nil {
		o.Redirect = a.listener.address
	}
	if a.stated {
		o.Stated = append(o.Stated, "issuer")
	}
	if a.statedPKCE() {
		o.Stated = append(o.Stated, "pkce")
	}
	return o
}

func sameHost(a, b string) bool {
	one, err := url.Parse(a)
	other, wrong := url.Parse(b)
	return err == nil && wrong == nil && strings.EqualFold(one.Hostname(), other.Hostname())
}

func (a *attempt) grant(ctx context.Context, u User) (tokens, error) {
	if a.listener != nil {
		defer a.listener.close() //nolint:contextcheck // the page reaches the browser also after an interrupt
	}
	switch {
	case a.Server.OAuth.Grant == ClientCredentials:
		return a.exchange(ctx, url.Values{"grant_type": {ClientCredentials}, "scope": scope(a.asked)})
	case a.Way == Device:
		return a.byDevice(ctx, u)
	}
	return a.byCode(ctx, u)
}

func (a *attempt) storeLogin(ctx context.Context, t tokens) (Login, error) {
	is := Login{
		Format: loginFormat, Server: a.Server.Name, Entry: a.Entry, State: LoggedIn,
		Issuer: a.meta.Issuer, Resource: a.resource.Resource, Client: a.client.ID, Account: a.Account, Grant: a.Server.OAuth.Grant,
		Asked: a.asked, Inside: a.inside, Stated: a.stated, TokenEndpoint: a.meta.TokenEndpoint, Revocation: a.meta.RevocationEndpoint, Method: a.method,
	}
	is.recordTokens(t, a.asked, a.Now())
	secrets := secrets{Access: t.Access, Refresh: t.Refresh}
	if a.client.ID != a.Server.OAuth.ClientID {
		secrets.Client = a.client.secret
	}
	return a.Store.replace(ctx, is, secrets)
}

// scopes are the scopes to ask for (Authorization, Scope Selection Strategy). They are
// the user's; or else those of the operator, the challenge or the resource. The scopes
// asked for before are added, because a login that asks for more must not lose them
// (Step-Up Authorization Flow).
func (a *attempt) scopes(challenge string) []string {
	var all []string
	for _, of := range [][]string{a.Request.Scopes, a.Server.OAuth.Scopes, strings.Fields(challenge), a.resource.Scopes} {
		if len(all) == 0 {
			all = slices.Clone(of)
		}
	}
	if a.before.State == LoggedIn && same(a.before.Issuer, a.meta.Issuer) && a.before.Account == a.Account {
		all = append(all, a.before.Asked...)
	}
	// Refresh tokens: clients MAY ask for offline_access if the authorization server has
	// it.
	if slices.Contains(a.meta.Scopes, offline) && a.Server.OAuth.Grant == "" {
		all = append(all, offline)
	}
	var out []string
	for _, s := range all {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

const offline = "offline_access"

// scope is the value of the parameter. Without scopes it is nil.
func scope(all []string) []string {
	if len(all) == 0 {
		return nil
	}
	return []string{strings.Join(all, " ")}
}

func failing(code verdict.Code, cause error, hint, format string, args ...any) *verdict.Fault {
	return verdict.Fail(code, cause, format, args...).WithHint(hint)
}
