package login

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

// Logins makes and uses the logins of one user.
type Logins struct {
	Store    *Store
	Limits   session.Limits
	Document string // the address of our client ID metadata document, or ""
	Now      func() time.Time
	Wait     func(ctx context.Context, d time.Duration) error // waits between two polls of a device's login
}

// Source provides requests to one server with the token of its login. It is the
// [session.Credential] of that server.
type Source struct {
	*Logins
	Target
	login Login // as found when the server was configured

	turn    chan struct{} // a semaphore for reading and refreshing
	now     Login
	secrets secrets
	renewed bool // in this process

	given atomic.Pointer[session.Token]
}

// Source returns the credential of a server with a login, or nil.
func (l *Logins) Source(t Target) (*Source, error) {
	is, err := l.Store.Look(t.Server.Name, t.Entry)
	if err != nil || is.Format == 0 {
		return nil, err
	}
	return &Source{Logins: l, Target: t, login: is, turn: make(chan struct{}, 1)}, nil
}

// ID identifies the login.
func (s *Source) ID() string { return s.login.ID() }

// Fresh returns the token for a connection. It refreshes a token that is about to expire.
func (s *Source) Fresh(ctx context.Context) (session.Token, error) { return s.token(ctx, "") }

// Refused returns another token than the refused one. named is the resource_metadata of
// the server's challenge.
func (s *Source) Refused(ctx context.Context, token, named string) (session.Token, error) {
	if err := s.sameIssuer(ctx, named); err != nil {
		return session.Token{}, err
	}
	return s.token(ctx, token)
}

func (s *Source) token(ctx context.Context, refused string) (session.Token, error) {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return session.Token{}, ctx.Err()
	}
	if !s.good(refused) {
		if err := s.load(ctx, refused == ""); err != nil {
			return session.Token{}, err
		}
	}
	if !s.good(refused) {
		if err := s.refresh(ctx, refused); err != nil {
			return session.Token{}, err
		}
	}
	is := s.current()
	s.given.Store(&is)
	return is, nil
}

// Current returns the last token given.
func (s *Source) Current() session.Token {
	if is := s.given.Load(); is != nil {
		return *is
	}
	return session.Token{}
}

func (s *Source) current() session.Token {
	at, _ := time.Parse(time.RFC3339, s.now.Obtained)
	return session.Token{
		Access: s.secrets.Access, Secrets: []string{s.secrets.Refresh, s.secrets.Client},
		Issuer: s.now.Issuer, Scopes: s.now.Scopes, Obtained: at, Refreshed: s.renewed,
	}
}

// load reads the login. It refuses a login that does not match the current configuration
// of the server: its url, its issuer or its client may have changed.
func (s *Source) load(ctx context.Context, looked bool) error {
	l, is, err := s.Store.open(ctx, s.Server.Name, s.Entry, looked)
	switch {
	case err != nil:
		return err
	case l.ID() != s.login.ID():
		return s.ended("another login replaced the login of this run")
	case !covers(l.Resource, s.Server.URL):
		return s.ended("its login is for %s, which its url is not part of now", escape.Line(l.Resource, maxShown))
	case s.Server.OAuth.Issuer != "" && !same(s.Server.OAuth.Issuer, l.Issuer), s.Server.OAuth.ClientID != "" && s.Server.OAuth.ClientID != l.Client, s.Server.OAuth.Grant != l.Grant:
		return s.ended("its login is for another issuer, client or grant than its oauth member now names")
	case l.Stated && operators(s.Server.OAuth) == "":
		return s.ended("its login is at an issuer that its oauth member stated, and does not state now")
	case l.State != LoggedIn:
		return s.ended("its login has ended")
	}
	s.now, s.secrets = l, is
	return nil
}

// ended is the fault of a login that gives no token.
func (s *Source) ended(format string, args ...any) error {
	hint := cmp.Or(s.Store.Stuck(s.Target), "`ask servers login "+s.Server.Name+"`")
	return failing(verdict.ServerAuth, nil, hint, "server %s: "+format, append([]any{s.Server.Name}, args...)...)
}

// good reports whether the token can be sent and lasts. It must last another minute, or a
// tenth of its life if that is less.
func (s *Source) good(refused string) bool {
	return s.secrets.Access != "" && s.secrets.Access != refused && s.left() > s.margin()
}

func (s *Source) margin() time.Duration {
	from, err := time.Parse(time.RFC3339, s.now.Obtained)
	to, wrong := time.Parse(time.RFC3339, s.now.Expires)
	if err != nil || wrong != nil {
		return 0
	}
	return min(time.Minute, to.Sub(from)/10)
}

// left is the time until the token expires. If the issuer did not state it, the token
// counts as valid until the server refuses it.
func (s *Source) left() time.Duration {
	to, err := time.Parse(time.RFC3339, s.now.Expires)
	if err != nil {
		return time.Hour
	}
	return to.Sub(s.Now())
}

// refresh replaces a token that is refused or about to expire. Only one process does
// this, under a lock; the others read its result.
func (s *Source) refresh(ctx context.Context, refused string) error {
	if s.secrets.Refresh == "" && s.now.Grant != ClientCredentials {
		if s.secrets.Access != refused && s.left() > 0 {
			return nil
		}
		return s.ended("its login has expired, and cannot be renewed without you")
	}
	lock, err := s.Store.lock(ctx, s.Server.Name, s.Entry)
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }() // it ends by itself, too
	if err := s.load(ctx, false); err != nil || s.good(refused) {
		return err
	}
	t, err := s.renew(ctx)
	switch {
	case err == nil:
		return s.write(ctx, t)
	case errors.Is(err, errExpired):
		return s.end(ctx, err.Error())
	}
	return s.unrenewed(ctx, refused, err)
}

// renew makes the one request of a refresh (RFC 6749, section 6) or of a machine's login.
// It sends it to the endpoint that the user agreed to.
func (s *Source) renew(ctx context.Context) (tokens, error) {
	to, err := issuerOf(s.Target, s.now, s.secrets)
	switch {
	case err != nil:
		return tokens{}, err
	case s.now.Grant == ClientCredentials:
		return to.exchange(ctx, url.Values{"grant_type": {ClientCredentials}, "scope": scope(s.now.Asked)})
	}
	return to.exchange(ctx, url.Values{"grant_type": {grantRefresh}, "refresh_token": {s.secrets.Refresh}})
}

// issuerOf returns the authority that issued a login, with its client.
func issuerOf(t Target, is Login, held secrets) (authority, error) {
	http, err := newClient(t, is.reachesInside(t))
	if err != nil {
		return authority{}, err
	}
	http.hide(held.Access, held.Refresh)
	if is.Client == t.Server.OAuth.ClientID {
		held.Client = t.Server.OAuth.ClientSecret
	}
	return authority{http, is.TokenEndpoint, is.Resource, is.Client, held.Client, is.Method}, nil
}

func (s *Source) write(ctx context.Context, t tokens) error {
	is, next := s.secrets, s.now
	is.Access = t.Access
	if t.Refresh != "" {
		is.Refresh = t.Refresh
	}
	next.recordTokens(t, s.now.Scopes, s.Now())
	// An interrupt here would lose the new refresh token.
	next, err := s.Store.next(context.WithoutCancel(ctx), next, is)
	if err != nil {
		return err
	}
	s.now, s.secrets, s.renewed = next, is, true
	return nil
}

// unrenewed handles a failed refresh. Only the issuer's statement that the grant has
// ended ends the login. Until then a token that still lasts is used.
func (s *Source) unrenewed(ctx context.Context, refused string, err error) error {
	no, is := errors.AsType[*denial](err)
	if !is || no.Code != "invalid_grant" {
		if s.secrets.Access != refused && s.left() > 0 {
			return nil
		}
		hint := "ask again later; the login is unchanged"
		if errors.Is(err, errAddress) {
			hint = "`ask servers login " + s.Server.Name + "` finds out again where the server is"
		}
		return failing(verdict.ServerUnreachable, err, hint, "server %s: its login could not be renewed: %v", s.Server.Name, err)
	}
	was := s.secrets.Refresh
	if wrong := s.load(ctx, false); wrong != nil {
		return wrong
	}
	if s.secrets.Refresh != was && s.good(refused) {
		return nil
	}
	return s.end(ctx, escape.Line(s.now.Issuer, maxShown)+" ended its login")
}

// end ends the login, so that the user has to log in again.
func (s *Source) end(ctx context.Context, why string) error {
	if _, wrong := s.Store.end(context.WithoutCancel(ctx), s.now, s.secrets, NeedsLogin); wrong != nil {
		return wrong
	}
	s.secrets = secrets{}
	return s.ended("%s", why)
}

// sameIssuer refuses a server that names another authorization server than the login's:
// the server expects tokens from that other issuer.
func (s *Source) sameIssuer(ctx context.Context, named string) error {
	http, err := newClient(s.Target, s.login.reachesInside(s.Target))
	if err != nil {
		return err
	}
	d, err := http.published(ctx, s.Server.URL, named, s.login.Stated)
	known := err == nil // without a document no change is known
	if !known || spelled(d.AuthorizationServers, s.login.Issuer, operators(s.Server.OAuth) != "") != "" {
		return nil
	}
	return failing(verdict.ServerIssuer, nil, "`ask servers login "+s.Server.Name+"`, if you trust the new one",
		"server %s names another authorization server than you logged in at: %s, and not %s", s.Server.Name,
		escape.Line(fmt.Sprint(d.AuthorizationServers), maxShown), escape.Line(s.login.Issuer, maxShown))
}

// Logout revokes a login's tokens if the issuer has an endpoint for it, and deletes them.
// The login's issuer and account stay known, for its approvals.
func (l *Logins) Logout(ctx context.Context, t Target) (is Login, revoked bool, err error) {
	if is, err = l.Store.Look(t.Server.Name, t.Entry); err != nil || is.Format == 0 {
		return is, false, err
	}
	lock, err := l.Store.lock(ctx, t.Server.Name, t.Entry)
	if err != nil {
		return Login{}, false, err
	}
	defer func() { _ = lock.Close() }() // it ends by itself, too
	is, held, err := l.Store.open(ctx, t.Server.Name, t.Entry, false)
	if err != nil || is.Format == 0 {
		return is, false, err
	}
	revoked = l.revoke(ctx, t, is, held)
	is, err = l.Store.end(ctx, is, held, LoggedOut)
	return is, revoked, err
}

// revoke tries to revoke a token. A token that cannot be revoked is deleted, too.
func (l *Logins) revoke(ctx context.Context, t Target, is Login, held secrets) bool {
	token, kind := held.Refresh, "refresh_token"
	if token == "" {
		token, kind = held.Access, "access_token"
	}
	to, err := issuerOf(t, is, held)
	if err != nil || is.Revocation == "" || token == "" {
		return false
	}
	return to.revoke(ctx, is.Revocation, token, kind) == nil
}
