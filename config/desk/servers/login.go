package servers

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/login"
)

// LoginState is the state of a login to a server. It contains no token.
type LoginState struct {
	Server  string   `json:"server"`
	State   string   `json:"state"`
	Issuer  string   `json:"issuer,omitempty"`
	Account string   `json:"account,omitempty"`
	Scopes  []string `json:"scopes"`
	Missing []string `json:"scopes_not_granted,omitempty"`
	Expires string   `json:"expires,omitempty"` // of the token, in RFC 3339
	Renews  bool     `json:"renews"`            // without the user
	Revoked bool     `json:"revoked,omitempty"` // by a logout, at the issuer
	Stated  bool     `json:"issuer_stated_by_operator,omitempty"`
}

// IssuerStated marks a login to a server that names no issuer itself.
const IssuerStated = "issuer stated by the operator"

func loginState(l login.Login) *LoginState {
	if l.Format == 0 {
		return nil
	}
	s := &LoginState{
		Server: l.Server, State: l.State, Issuer: l.Issuer, Account: l.Account, Scopes: append([]string{}, l.Scopes...), Expires: l.Expires,
		Renews: l.Renews && l.State == login.LoggedIn, Stated: l.Stated,
	}
	for _, scope := range l.Asked {
		if !slices.Contains(l.Scopes, scope) && l.State == login.LoggedIn {
			s.Missing = append(s.Missing, scope)
		}
	}
	return s
}

// String is the state in a few words.
func (l *LoginState) String() string {
	if l.State != login.LoggedIn {
		return "needs login"
	}
	at := l.Issuer
	if u, err := url.Parse(l.Issuer); err == nil {
		at = cmp.Or(u.Host, l.Issuer)
	}
	said := "logged in at " + at
	if l.Stated {
		said += " (" + IssuerStated + ")"
	}
	if l.Account != "" {
		said += " as " + l.Account
	}
	switch {
	case l.Renews:
		said += ", renewed automatically"
	case l.Expires != "":
		said += " until " + l.Expires
	}
	if len(l.Scopes) > 0 {
		said += ", scopes " + strings.Join(l.Scopes, " ")
	}
	return said
}

// LoginOf is the state of a server's login, nil without a login.
func (s Servers) LoginOf(name string) (*LoginState, error) {
	is, err := s.Login(name)
	return loginState(is), err
}

// LogIn logs the user in to a server.
func (s Servers) LogIn(ctx context.Context, name string, r login.Request, u login.User) (*LoginState, error) {
	target, err := s.loginTarget(name)
	if err != nil {
		return nil, err
	}
	is, err := s.Logins.Login(ctx, target, r, u)
	return loginState(is), err
}

// LogOut ends the login to a server.
func (s Servers) LogOut(ctx context.Context, name string) (*LoginState, error) {
	target, err := s.loginTarget(name)
	if err != nil {
		return nil, err
	}
	is, revoked, err := s.Logins.Logout(ctx, target)
	if err != nil {
		return nil, err
	}
	state := loginState(is)
	if state == nil {
		return nil, verdict.Fail(verdict.UsageArgument, nil, "you are not logged in to %s; `ask servers list` shows your logins", name)
	}
	state.Revoked = revoked
	return state, nil
}

func (s Servers) loginTarget(name string) (login.Target, error) {
	if s.Logins == nil {
		return login.Target{}, verdict.Fail(verdict.UsageFlag, nil, "the demo's servers need no login")
	}
	if err := s.Configured(name); err != nil {
		return login.Target{}, err
	}
	return s.LoginTarget(name)
}

// endsSoon is how long before its end a login is reported.
const endsSoon = 7 * 24 * time.Hour

// examineLogins reports a login that ended, or that ends within a week.
func (s Servers) examineLogins() (found []desk.Check) {
	for _, name := range s.Names() {
		is, err := s.LoginOf(name)
		if err == nil && is == nil {
			continue
		}
		if err == nil {
			err = s.ending(*is)
		}
		note := ""
		if is != nil {
			note = is.String()
		}
		found = append(found, desk.NewCheck("login "+name, note, err))
	}
	return found
}

func (s Servers) ending(is LoginState) error {
	why := ""
	if is.State != login.LoggedIn {
		why = "it has ended"
	} else if at, err := time.Parse(time.RFC3339, is.Expires); err == nil && !is.Renews {
		switch left := at.Sub(s.Desk.Now()); {
		case left <= 0:
			why = "it ended on " + is.Expires
		case left < endsSoon:
			why = fmt.Sprintf("it ends on %s, and cannot be renewed without you", is.Expires)
		}
	}
	if why == "" {
		return nil
	}
	return verdict.Fail(verdict.ServerAuth, nil, "the login to %s: %s", is.Server, why).WithHint("`ask servers login " + is.Server + "`")
}
