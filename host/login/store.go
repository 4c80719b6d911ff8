package login

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/disk"
	"github.com/onestep-run/onestep/host/seal"
)

// Login is the stored part of a login without its tokens. It can be read without the key.
// It is sealed together with the tokens, so that a changed Login opens no tokens.
type Login struct {
	Format        int      `json:"format"`
	Server        string   `json:"server"`
	Entry         string   `json:"entry"`
	State         string   `json:"state"`
	Issuer        string   `json:"issuer"`
	Resource      string   `json:"resource"`
	Client        string   `json:"client"`
	Account       string   `json:"account,omitempty"`
	Grant         string   `json:"grant,omitempty"`
	Scopes        []string `json:"scopes"` // granted
	Asked         []string `json:"asked"`
	Obtained      string   `json:"obtained"`          // RFC 3339
	Expires       string   `json:"expires,omitempty"` // of the access token; RFC 3339, "" if not stated
	Renews        bool     `json:"renews"`            // without the user, as long as the issuer allows
	Generation    int64    `json:"generation"`
	TokenEndpoint string   `json:"token_endpoint"`
	Revocation    string   `json:"revocation_endpoint,omitempty"`
	Method        string   `json:"method"`
	Inside        bool     `json:"inside,omitempty"` // the server was at a private address when the user logged in
	Stated        bool     `json:"stated,omitempty"` // the operator states the issuer: the server names none
}

// reachesInside reports whether the hosts of the login may be at private addresses.
func (l Login) reachesInside(t Target) bool { return l.Inside || operators(t.Server.OAuth) != "" }

// The states of a login. Only a logged-in login has a token.
const (
	LoggedIn   = "logged_in"
	NeedsLogin = "needs_login" // the issuer ended it
	LoggedOut  = "logged_out"  // the user logged out
)

type secrets struct {
	Access  string `json:"access,omitempty"`
	Refresh string `json:"refresh,omitempty"`
	Client  string `json:"client_secret,omitempty"` // of a client registered for this login
}

// ID identifies a login for approvals and connections: by its issuer, resource,
// client and account, and never by a token.
func (l Login) ID() string {
	return fmt.Sprintf("%q %q %q %q", l.Issuer, l.Resource, l.Client, l.Account)
}

// Place distinguishes the places of a server by their login: its issuer and account.
func (l Login) Place() string {
	if l.Issuer == "" {
		return ""
	}
	return strings.TrimSpace("login at " + l.Issuer + " " + l.Account)
}

const loginFormat = 1

// Store keeps logins and registered clients in a directory, or in rows. Each has a separate
// record, which host/seal seals under a key. A program that can read the records and the key
// can use them. The zero Store keeps nothing.
type Store struct {
	Dir  string
	Ring Ring // keeps the key; nil keeps it in the directory, which protects only against a copied file

	Rows  Rows   // in place of the directory; Ring has their key
	Owner string // of the rows: a row of another owner does not open

	looked sync.Map // records that Look read, by name, for the first open

	mu   sync.Mutex
	held seal.Keys
}

// Ring is the system's keyring, a place for the key.
type Ring interface {
	// Get returns the text of Set, and whether one exists.
	Get(ctx context.Context) (text string, there bool, err error)
	Set(ctx context.Context, text string) error
}

const (
	loginFile  = ".login"
	clientFile = ".client"
	failedFile = ".failed-"
	keyFile    = "key"
	previous   = ".previous"
	maxFile    = 128 << 10
)

// keyTime is the limit for a keyring, and storeTime the limit for waiting for another
// process.
const (
	keyTime   = 5 * time.Second
	storeTime = 10 * time.Second
)

func unkept(cause error, format string, args ...any) error {
	return failing(verdict.LoginStore, cause, "unlock the system's keyring, or set token_key = \"file\" in config.toml and log in again: docs/login.md", format, args...)
}

// loginName is the file of a server's login. The entry's digest is part of it: another
// server under the same name has none of its logins.
func loginName(server, entry string) string { return server + "-" + short(entry) + loginFile }

func short(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}

// Look reads a server's login without its tokens. It returns zero without a login. It
// needs no key.
func (s *Store) Look(server, entry string) (Login, error) {
	l, f, err := s.readLogin(server, entry, true)
	if f != nil {
		s.looked.Store(loginName(server, entry), f)
	}
	return l, err
}

// readLogin reads a login. With looked it uses the file that Look has read.
func (s *Store) readLogin(server, entry string, looked bool) (l Login, f *sealed, err error) {
	name := loginName(server, entry)
	if was, there := s.looked.Load(name); there && looked {
		f, _ = was.(*sealed)
	}
	f, err = s.record(name, f, &l)
	other := l.Format != loginFormat || l.Server != server || l.Entry != entry
	if err == nil && f != nil && other {
		err = damaged(name, nil)
	}
	if err != nil {
		return Login{}, nil, err
	}
	return l, f, nil
}

// record reads the unsealed part of a file of the store. It uses f if that is set, or
// reads the file; it returns nil for an absent file.
func (s *Store) record(name string, f *sealed, into any) (*sealed, error) {
	if f == nil {
		file, err := s.readFile(name)
		if err != nil || file == nil {
			return nil, err
		}
		f = new(sealed)
		if err := schema.Decode(file, f, documentLimits); err != nil {
			return nil, damaged(name, err)
		}
	}
	if err := schema.DecodeOpen(f.Open, into, documentLimits); err != nil {
		return nil, damaged(name, err)
	}
	return f, nil
}

// errDamaged is the cause for a file without a login. Only another login replaces it.
var errDamaged = errors.New("it is damaged")

func damaged(name string, err error) error {
	return failing(verdict.LoginStore, errors.Join(errDamaged, err), "log in again; the file is replaced then", "%s, which keeps a login, is damaged or of another version", name)
}

// open reads a login with its secrets. Only the first open after Look uses the file that
// Look read: a refresh has to see another process's change.
func (s *Store) open(ctx context.Context, server, entry string, looked bool) (l Login, is secrets, err error) {
	l, f, err := s.readLogin(server, entry, looked)
	s.looked.Delete(loginName(server, entry))
	if err == nil && f != nil {
		err = s.unseal(ctx, loginName(server, entry), f, &is)
	}
	return l, is, err
}

func (s *Store) lock(ctx context.Context, server, entry string) (io.Closer, error) {
	return s.lockName(ctx, loginName(server, entry), server)
}

// lockName has a record to itself. A refresh, which is a request to an issuer, is made under
// it: in rows it is a lease, so that no other write waits.
func (s *Store) lockName(ctx context.Context, name, server string) (io.Closer, error) {
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	lock, err := s.records().lock(ctx, name, true)
	if errors.Is(err, disk.ErrLocked) {
		return nil, failing(verdict.LoginTimeout, err, "ask again", "server %s: another process is logging in to it; ask waited for %s", server, storeTime)
	}
	if err != nil {
		return nil, unkept(err, "%v", err)
	}
	return lock, nil
}

func (s *Store) replace(ctx context.Context, l Login, is secrets) (Login, error) {
	lock, err := s.lock(ctx, l.Server, l.Entry)
	if err != nil {
		return Login{}, err
	}
	defer func() { _ = lock.Close() }() // it ends by itself, too
	before, _, err := s.readLogin(l.Server, l.Entry, false)
	if err != nil && !errors.Is(err, errDamaged) {
		return Login{}, err
	}
	l.Generation = before.Generation
	_ = s.forget(l.Server, l.Entry) // a failure that stays can only mislead a hint
	return s.next(ctx, l, is)
}

// next writes a login with the next generation. The caller must have the lock.
func (s *Store) next(ctx context.Context, l Login, is secrets) (Login, error) {
	l.Generation++
	l.Renews = is.Refresh != "" || l.Grant != ""
	return l, s.seal(ctx, loginName(l.Server, l.Entry), l, is)
}

// end removes a login's tokens. If the issuer ended the login, it keeps a copy of the old
// file.
func (s *Store) end(ctx context.Context, l Login, is secrets, state string) (Login, error) {
	name := loginName(l.Server, l.Entry)
	was, err := s.readFile(name)
	if err == nil && was != nil && state == NeedsLogin {
		err = s.writeFile(name+previous, was)
	}
	if err != nil {
		return l, unkept(err, "%v", err)
	}
	l.State = state
	return s.next(ctx, l, secrets{Client: is.Client})
}

// Drop deletes a server's login.
func (s *Store) Drop(server, entry string) error {
	if s.keepsNothing() {
		return nil
	}
	for _, end := range []string{"", previous} {
		name := loginName(server, entry) + end
		s.looked.Delete(name)
		if err := s.records().remove(name); err != nil {
			return unkept(err, "%v", err)
		}
	}
	if err := s.forget(server, entry); err != nil {
		return unkept(err, "%v", err)
	}
	return nil
}

func clientName(issuer string) string { return short(issuer) + clientFile }

// registration returns the client that an issuer registered, or zero.
func (s *Store) registration(ctx context.Context, issuer string) (r registration, is registrationSecrets, err error) {
	name := clientName(issuer)
	f, err := s.record(name, nil, &r)
	switch {
	case err != nil || f == nil:
		return registration{}, is, err
	case r.Format != loginFormat || r.Issuer != issuer:
		return registration{}, is, damaged(name, nil)
	}
	err = s.unseal(ctx, name, f, &is)
	return r, is, err
}

// readFile reads a record. It returns nil for an absent record.
func (s *Store) readFile(name string) ([]byte, error) {
	if s.keepsNothing() {
		return nil, nil
	}
	return s.records().record(name)
}

// writeFile writes a record completely or not at all.
func (s *Store) writeFile(name string, b []byte) error {
	s.looked.Delete(name)
	return s.records().write(name, b)
}

// failure is why the last login to an entry could not begin, and what the user can do. It
// is stored unsealed, and decides nothing. Advice to log in names this step instead of
// the login that just failed.
type failure struct {
	Code verdict.Code `json:"code"`
	Hint string       `json:"hint"`
	At   string       `json:"at"` // RFC 3339
}

// failureName is the file of a failure. It depends on the operator's settings for the
// login: with other settings the next attempt is a new one.
func failureName(t Target) string {
	o := t.Server.OAuth
	return loginName(t.Server.Name, t.Entry) + failedFile + short(fmt.Sprintf("%q %q %q %v", o.Issuer, o.ClientID, o.PKCE, o.Own))
}

// noteFailure records what has to change before another login can succeed. It returns err
// unchanged, even if it cannot record it.
func (l *Logins) noteFailure(t Target, err error) error {
	f, is := errors.AsType[*verdict.Fault](err)
	if !is || f.Hint == "" {
		return err
	}
	if f.Code != verdict.LoginDiscovery && f.Code != verdict.LoginRegistration {
		return err
	}
	b, bad := json.Marshal(failure{f.Code, f.Hint, l.Now().UTC().Format(time.RFC3339)})
	if bad == nil && !l.Store.keepsNothing() {
		_ = l.Store.writeFile(failureName(t), b)
	}
	return err
}

// Stuck is the next step after a login to an entry that failed and would fail again.
// Otherwise it is "".
func (s *Store) Stuck(t Target) string {
	var f failure
	b, err := s.readFile(failureName(t))
	if err != nil || b == nil || schema.Decode(b, &f, documentLimits) != nil {
		return ""
	}
	at, err := time.Parse(time.RFC3339, f.At)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("a login failed on %s (%s): %s", at.Format(time.DateOnly), escape.Line(string(f.Code), 60), escape.Line(f.Hint, 600))
}

// forget removes the failures of an entry.
func (s *Store) forget(server, entry string) error {
	all, err := s.records().names()
	for _, name := range all {
		if strings.HasPrefix(name, loginName(server, entry)+failedFile) {
			err = errors.Join(err, s.records().remove(name))
		}
	}
	return err
}
