package setup

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host/keys"
	"github.com/onestep-run/onestep/host/login"
	"github.com/onestep-run/onestep/host/session"
)

// ClientDocument is the address of this program's client ID metadata document. The
// build sets it; "" means none.
var ClientDocument = ""

// logins returns the logins of the state's user.
func (o Options) logins(s config.Settings, limits session.Limits) *login.Logins {
	store := &login.Store{}
	if s.StateFile.V != "" {
		store.Dir = filepath.Join(filepath.Dir(s.StateFile.V), "logins")
	}
	if s.TokenKey.V != "file" {
		store.Ring = keys.Ring{Account: "key of the logins", Env: o.environ()}
	}
	return &login.Logins{Store: store, Limits: limits, Document: ClientDocument, Now: o.Clock(), Wait: wait}
}

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Login returns the stored login of a server, or zero.
func (i Inventory) Login(server string) (login.Login, error) {
	at, _ := i.Registry.Place(server)
	if i.Logins == nil || at.Entry == "" {
		return login.Login{}, nil
	}
	return i.Logins.Store.Look(server, at.Entry)
}

// DropLogin deletes the stored login of a server, without asking its issuer.
func (i Inventory) DropLogin(server string) error {
	at, _ := i.Registry.Place(server)
	if i.Logins == nil || at.Entry == "" {
		return nil
	}
	return i.Logins.Store.Drop(server, at.Entry)
}

// LoginTarget returns a server to log in to, or out of.
func (i Inventory) LoginTarget(name string) (login.Target, error) {
	servers, err := i.Registry.Resolve(i.with.environ(), i.with.Ask, []string{name})
	if err == nil && len(servers) == 1 {
		err = servers[0].Wrong
	}
	if err != nil || len(servers) != 1 {
		return login.Target{}, err
	}
	servers[0].Starting = func() func() { return i.with.Waits.begin(waitingFor([]string{name})) }
	return i.target(servers[0]), nil
}

func (i Inventory) target(s session.Server) login.Target {
	if own, there := i.of[s.Name]; there {
		own.Apply(&s)
	}
	at, _ := i.Registry.Place(s.Name)
	return login.Target{Server: s, Entry: at.Entry}
}

// logIn gives a server the credential of its login. A configured Authorization header
// takes precedence.
func (i Inventory) logIn(s *session.Server) {
	switch {
	case i.Logins == nil, s.URL == "", s.Wrong != nil, s.Authorized():
		return
	}
	target := i.target(*s)
	s.Stuck = i.Logins.Store.Stuck(target)
	source, err := i.Logins.Source(target)
	switch {
	case err != nil:
		*s = session.Server{Name: s.Name, Wrong: err}
	case source != nil:
		s.Credential = source
	}
}

// atLogin adds a server's login to its place. Another issuer or account is another
// place, with separate pins.
func (i Inventory) atLogin(server string, at pin.Place, text jsontext.Value) (pin.Place, jsontext.Value) {
	is, err := i.Login(server)
	if err != nil || is.Place() == "" {
		return at, text // an unreadable login is reported when the server is reached
	}
	parts := slices.DeleteFunc([]string{at.Credential, is.Place()}, func(s string) bool { return s == "" })
	at.Credential = strings.Join(parts, ", ")
	return at, text
}

// Shared returns the key for a file of pins.
func (i Inventory) Shared(server string) (pin.Place, jsontext.Value) {
	at, text := i.Registry.Shared(server)
	return i.atLogin(server, at, text)
}
