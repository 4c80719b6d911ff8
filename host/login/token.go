package login

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/secret"
	"github.com/onestep-run/onestep/gate/verdict"
)

// tokens are the answer of a token endpoint (RFC 6749, section 5.1).
type tokens struct {
	Access   string  `json:"access_token"`
	Type     string  `json:"token_type"`
	Lifetime seconds `json:"expires_in"`
	Refresh  string  `json:"refresh_token"`
	Scope    string  `json:"scope"`
}

const (
	maxToken    = 8 << 10         // bytes; many servers accept no longer header
	maxLifetime = 365 * 24 * 3600 // seconds; a longer lifetime counts as this
)

// check refuses tokens that cannot be sent as bearer tokens (RFC 6750, section 2.1).
func (t tokens) check() error {
	switch {
	case !isToken(t.Access):
		return errors.New("it has no access_token that a header can carry")
	case t.Refresh != "" && !isToken(t.Refresh):
		return errors.New("its refresh_token has characters that no token has")
	case !strings.EqualFold(t.Type, "Bearer"):
		return errors.New("its token_type is not Bearer")
	case t.Lifetime.over():
		return errExpired
	case !areScopes(strings.Fields(t.Scope)):
		return errors.New("its scope has characters that no scope has, or is too long")
	}
	return nil
}

// isToken reports whether a text is a token (RFC 6749, appendix A). A token is visible
// ASCII without spaces, of bounded length.
func isToken(s string) bool {
	if s == "" || len(s) > maxToken {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}

// areScopes reports whether all are scopes (RFC 6749, appendix A.4), and short enough.
func areScopes(all []string) bool {
	return len(strings.Join(all, " ")) <= maxToken && !slices.ContainsFunc(all, func(s string) bool { return !isToken(s) || strings.ContainsAny(s, `"\\`) })
}

// hide keeps these texts out of later errors.
func (c *client) hide(texts ...string) {
	c.known = append(c.known, texts...)
	c.secrets = secret.ValuesOf(c.known...)
}

type authority struct {
	http               *client
	endpoint           string
	resource           string
	id, secret, method string
}

func (a *attempt) authority() authority {
	return authority{a.http, a.meta.TokenEndpoint, a.resource.Resource, a.client.ID, a.client.secret, a.method}
}

// exchange requests tokens, once.
func (a *attempt) exchange(ctx context.Context, form url.Values) (tokens, error) {
	t, err := a.authority().exchange(ctx, form)
	switch _, no := errors.AsType[*denial](err); {
	case err == nil:
		return t, nil
	case no:
		return t, a.denied(err)
	}
	return t, a.unexchanged(err)
}

func (a *attempt) unexchanged(err error) error {
	if errors.Is(err, errNetwork) {
		return failing(verdict.LoginTimeout, err, "`ask servers login "+a.Server.Name+"` begins again", "server %s: %v", a.Server.Name, err)
	}
	return failing(verdict.LoginState, err, "`ask servers login "+a.Server.Name+"` begins again", "server %s: %s: %v", a.Server.Name, a.issuerShown(), err)
}

// exchange requests tokens for the token's resource (RFC 8707, section 2.2), once.
func (a authority) exchange(ctx context.Context, form url.Values) (tokens, error) {
	form.Set("resource", a.resource)
	got, err := a.send(ctx, a.endpoint, form)
	if err != nil {
		return tokens{}, err
	}
	if got.status != http.StatusOK {
		return tokens{}, a.http.refusal(got)
	}
	var t tokens
	if err := got.decode(&t); err != nil {
		return tokens{}, fmt.Errorf("the answer of its token endpoint cannot be used: %s", a.http.words(err.Error()))
	}
	a.http.hide(t.Access, t.Refresh)
	if err := t.check(); err != nil {
		return tokens{}, fmt.Errorf("the answer of its token endpoint cannot be used: %w", err)
	}
	return t, nil
}

// send posts a form, authenticated by the chosen method (RFC 6749, section 2.3.1).
func (a authority) send(ctx context.Context, endpoint string, form url.Values) (answer, error) {
	a.http.hide(a.secret)
	authorization := ""
	switch a.method {
	case methodBasic:
		pair := url.QueryEscape(a.id) + ":" + url.QueryEscape(a.secret)
		authorization = "Basic " + base64.StdEncoding.EncodeToString([]byte(pair))
		a.http.hide(authorization)
	case methodPost:
		form.Set("client_secret", a.secret)
		fallthrough
	default:
		form.Set("client_id", a.id)
	}
	for name, values := range form {
		if len(values) == 0 {
			delete(form, name)
		}
	}
	return a.http.post(ctx, endpoint, "application/x-www-form-urlencoded", form.Encode(), authorization)
}

// revoke revokes a token at the issuer (RFC 7009, section 2.1).
func (a authority) revoke(ctx context.Context, endpoint, token, kind string) error {
	got, err := a.send(ctx, endpoint, url.Values{"token": {token}, "token_type_hint": {kind}})
	if err == nil && got.status != http.StatusOK {
		err = a.http.refusal(got)
	}
	return err
}

// recordTokens records the tokens' lifetime and scopes. If the answer names no scopes, the
// requested ones are granted (RFC 6749, section 5.1).
func (l *Login) recordTokens(t tokens, asked []string, now time.Time) {
	l.Obtained, l.Expires = now.UTC().Format(time.RFC3339), ""
	if t.Lifetime.known {
		l.Expires = now.Add(time.Duration(min(t.Lifetime.n, maxLifetime)) * time.Second).UTC().Format(time.RFC3339)
	}
	l.Scopes = asked
	if t.Scope != "" {
		l.Scopes = strings.Fields(t.Scope)
	}
}

// seconds are a lifetime as servers write it: a JSON number, or its decimal text.
// Fractions are rounded down. Any other value is unknown and no error: it must not end a
// login after its code is spent.
type seconds struct {
	n     int64
	known bool
}

const (
	maxSeconds    = 1 << 53
	maxTextDigits = 18
)

var decimal = lex.Pattern(`^[0-9]+(\.[0-9]+)?$`)

// UnmarshalJSON accepts any value.
func (s *seconds) UnmarshalJSON(b []byte) error {
	*s = seconds{}
	text := string(b)
	switch jsontext.Value(b).Kind() {
	case '0':
	case '"':
		unquoted, err := jsontext.AppendUnquote(nil, b)
		text = string(unquoted)
		if err != nil || !decimal().MatchString(text) || len(strings.Replace(text, ".", "", 1)) > maxTextDigits {
			return nil //nolint:nilerr // it is unknown
		}
	default:
		return nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) || math.Signbit(n) {
		return nil
	}
	*s = seconds{int64(min(n, maxSeconds)), true}
	return nil
}

// errExpired is an answer that has expired when it arrives.
var errExpired = errors.New("the server issued an expired token")

// over reports whether the lifetime is known to be zero.
func (s seconds) over() bool { return s.known && s.n == 0 }
