package login

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

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
	var f *verdict.Fault
	if !errors.As(err, &f) || f.Hint == "" {
		return err
	}
	if f.Code != verdict.LoginDiscovery && f.Code != verdict.LoginRegistration {
		return err
	}
	b, bad := json.Marshal(failure{f.Code, f.Hint, l.Now().UTC().Format(time.RFC3339)})
	if bad == nil && l.Store.Dir != "" && os.MkdirAll(l.Store.Dir, 0o700) == nil {
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
	all, err := filepath.Glob(filepath.Join(s.Dir, loginName(server, entry)+failedFile+"*"))
	for _, path := range all {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}
