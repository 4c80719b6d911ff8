package proxy

import (
	"context"
	"crypto/sha256"
	"time"

	"github.com/onestep-run/onestep/host/store"
)

// Rows are sessions in the state, which every process of a service shares.
func Rows(state *store.Store) Sessions { return rows{state} }

type rows struct{ *store.Store }

func (r rows) Begin(ctx context.Context, s Session) error {
	begun, err := r.BeginSession(ctx, store.Session{
		ID: string(s.ID[:]), Token: s.Token, Conversation: s.Conversation, Client: s.Client, Version: s.Version, Expires: s.Expires,
	})
	if err == nil && !begun {
		err = ErrSessions
	}
	return err
}

func (r rows) Find(ctx context.Context, id [sha256.Size]byte, token string, expires time.Time) (Session, error) {
	is, found, err := r.FindSession(ctx, string(id[:]), token, expires)
	if err == nil && !found {
		err = ErrNoSession
	}
	if err != nil {
		return Session{}, err
	}
	return Session{ID: id, Token: is.Token, Conversation: is.Conversation, Client: is.Client, Version: is.Version, Expires: is.Expires}, nil
}

func (r rows) End(ctx context.Context, id [sha256.Size]byte, token string) error {
	return r.EndSession(ctx, string(id[:]), token)
}
