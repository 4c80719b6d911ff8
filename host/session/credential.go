package session

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/secret"
	"github.com/onestep-run/onestep/trace"
)

// Credential is a user's login to one server. It is safe for concurrent use.
type Credential interface {
	// ID identifies the login. It stays the same while the login lasts, so it is not a
	// token.
	ID() string
	// Fresh returns the token for a connection. It may ask the issuer for a new one.
	Fresh(ctx context.Context) (Token, error)
	// Refused returns another token after the server refused token with HTTP 401. Its
	// error says why it cannot. metadata is the address that the challenge names.
	Refused(ctx context.Context, token, metadata string) (Token, error)
	// Current returns the last token given. It asks no user and does not block.
	Current() Token
}

// Token is what a login sends, and the facts about it that are recorded.
type Token struct {
	Access    string
	Secrets   []string // further texts that no output may quote
	Issuer    string
	Scopes    []string
	Obtained  time.Time
	Refreshed bool // in this process
}

// known contains the secrets that a connection was given. Each token adds to it.
type known struct {
	mu          sync.Mutex
	texts, bare []string
	secrets     secret.Values // no message quotes them
	keys        secret.Values // no result or listing carries them
	token       Token
	lessons     int // how often values were added
}

// learn adds values. Call it before any of them is sent.
func (k *known) learn(secrets, keys []string) {
	k.texts, k.bare = append(k.texts, secrets...), append(k.bare, keys...)
	k.lessons++
	k.secrets, k.keys = secret.ValuesOf(k.texts...).Words(k.texts...), secret.ValuesOf(k.bare...)
}

func (c *conn) secrets() secret.Values {
	c.known.mu.Lock()
	defer c.known.mu.Unlock()
	return c.known.secrets
}

func (c *conn) keys() secret.Values {
	c.known.mu.Lock()
	defer c.known.mu.Unlock()
	return c.known.keys
}

func (c *conn) lessons() int {
	c.known.mu.Lock()
	defer c.known.mu.Unlock()
	return c.known.lessons
}

// token returns the token of the next request. From now on it is redacted.
func (c *conn) token() string {
	if c.server.Credential == nil {
		return ""
	}
	t := c.server.Credential.Current()
	c.known.mu.Lock()
	defer c.known.mu.Unlock()
	if t.Access != c.known.token.Access {
		all := append([]string{t.Access}, t.Secrets...)
		c.known.learn(all, all)
	}
	c.known.token = t
	return t.Access
}

func (c *conn) login() *trace.LoginBody {
	c.known.mu.Lock()
	defer c.known.mu.Unlock()
	t := c.known.token
	if t.Access == "" {
		return nil
	}
	return &trace.LoginBody{Issuer: t.Issuer, Scopes: t.Scopes, Age: int64(time.Since(t.Obtained) / time.Second), Refreshed: t.Refreshed}
}

// freshen gets the login's token ready for a connection.
func (s Server) freshen(ctx context.Context) error {
	if valid := s.Validate() == nil; s.Credential == nil || !valid {
		return nil // dialling it says what is wrong
	}
	_, err := s.Credential.Fresh(ctx)
	return err
}

// renewed reports whether a refused token was replaced. The error says why not.
func (p *Pool) renewed(ctx context.Context, name string, err error) (bool, error) {
	status, all := Challenged(err)
	s := p.slots[name]
	if s == nil || s.server.Credential == nil || status != http.StatusUnauthorized {
		return false, err
	}
	metadata := ""
	for _, c := range all {
		metadata = cmp.Or(metadata, c.Params["resource_metadata"])
	}
	if _, no := s.server.Credential.Refused(ctx, s.server.Credential.Current().Access, metadata); no != nil {
		return false, no
	}
	return true, nil
}

// Challenge is one login that a server takes (RFC 9110, section 11.6.1).
type Challenge struct {
	Scheme string
	Params map[string]string
}

// Challenged returns the HTTP status with which a server refused, and the logins that it
// accepts. The status is 0 if err is not such a refusal.
func Challenged(err error) (status int, all []Challenge) {
	r, is := errors.AsType[*refusal](err)
	if !is {
		return 0, nil
	}
	for _, c := range r.login {
		all = append(all, Challenge(c))
	}
	return r.status, all
}

// plainScopes matches scopes of RFC 6749, appendix A, that a shell takes literally.
var plainScopes = lex.Pattern(`^[A-Za-z0-9:/._-]+( [A-Za-z0-9:/._-]+)*$`)

// aboutLogin is the next step if a server wants a login, or a login with more rights.
func (c *conn) aboutLogin(r *refusal) string {
	login := "`ask servers login " + c.server.Name
	for _, one := range r.login {
		scope := one.Params["scope"]
		if one.Params["error"] == "insufficient_scope" && plainScopes().MatchString(scope) && len(scope) <= maxParam {
			return login + " --scope " + strings.Join(strings.Fields(scope), " --scope ") + "` asks for the missing values"
		}
	}
	switch {
	case c.server.Stuck != "":
		return c.server.Stuck
	case r.status == http.StatusForbidden && c.server.Credential != nil:
		return "the login may not do this; " + login + " --scope NAME` asks for more, or `--account NAME` for another account"
	case r.status == http.StatusForbidden:
		return "the server does not let you; " + login + "` logs in, where it has a login"
	case c.server.Credential != nil:
		return login + "` logs in again"
	}
	return login + "` logs in, or says what its entry lacks for that; where the server takes a token instead, write \"headers\": {\"Authorization\": \"Bearer ${NAME}\"} in its entry"
}
