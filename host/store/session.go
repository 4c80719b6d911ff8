package store

import (
	"context"
	"database/sql"
	"time"
)

// Session is the session of a client over HTTP.
type Session struct {
	ID              string // the SHA-256 of the client's
	Token           string // whose it is
	Conversation    string
	Client, Version string // as the client says
	Expires         time.Time
}

const (
	// maxSessions bounds the sessions of one token.
	maxSessions = 100
	// expiryStep is how much later an expiry has to be to be written: not every request of
	// a session writes.
	expiryStep = time.Minute
)

// BeginSession stores a new session. It reports false if the token has too many.
func (s *Store) BeginSession(ctx context.Context, n Session) (begun bool, err error) {
	if !fit(n.ID, n.Conversation) || tooLong(n.Token, n.Client, n.Version) {
		return false, misuse("the session of the client %.80q cannot be kept", n.Client)
	}
	now := stamp(s.now())
	err = s.write(ctx, func(tx *sql.Tx) error {
		if err := exec(ctx, tx, `DELETE FROM session WHERE expires < $1`, now); err != nil {
			return err
		}
		added, err := affected(ctx, tx, `INSERT INTO session (`+sessionColumns+`)
			SELECT $1, $2, $3, $4, $5, $6, $7 WHERE (SELECT count(*) FROM session WHERE token = $2) < $8`,
			n.ID, n.Token, n.Conversation, n.Client, n.Version, stamp(n.Expires), n.sum(), maxSessions)
		begun = added == 1
		return err
	})
	return begun && err == nil, err
}

// FindSession returns a session of a token, which then expires at the given time or later. It
// reports false if that session does not exist.
func (s *Store) FindSession(ctx context.Context, id, token string, expires time.Time) (Session, bool, error) {
	all, err := list(ctx, s, `SELECT `+sessionColumns+` FROM session WHERE id = $1 AND token = $2`, []any{id, token}, readSession)
	if err != nil || len(all) == 0 || all[0].Expires.Before(s.now()) {
		return Session{}, false, err
	}
	is := all[0]
	if expires.Sub(is.Expires) < expiryStep {
		return is, true, nil
	}
	var found int64
	err = s.write(ctx, func(tx *sql.Tx) error {
		found, err = affected(ctx, tx, `UPDATE session SET expires = $1 WHERE id = $2 AND token = $3`, stamp(expires), id, token)
		return err
	})
	is.Expires = expires
	return is, found == 1, err // it may just have ended
}

// EndSession ends a session of a token, if there is one.
func (s *Store) EndSession(ctx context.Context, id, token string) error {
	if s.absent() {
		return nil
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		return exec(ctx, tx, `DELETE FROM session WHERE id = $1 AND token = $2`, id, token)
	})
}

const sessionColumns = `id, token, conversation, client, version, expires, sum`

func readSession(row scan) (n Session, err error) {
	var expires int64
	var own string
	if err := row(&n.ID, &n.Token, &n.Conversation, &n.Client, &n.Version, &expires, &own); err != nil {
		return Session{}, err
	}
	if n.sum() != own {
		return Session{}, altered("the session of a client is damaged")
	}
	n.Expires = timeOf(expires)
	return n, nil
}

func (n Session) sum() string { return sum(n.ID, n.Token, n.Conversation, n.Client, n.Version) }
