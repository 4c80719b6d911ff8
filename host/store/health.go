package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/onestep-run/onestep/gate/pin"
)

// Health is how a server fared from a time on. It is for people, and decides
// nothing.
type Health struct {
	Place pin.Place
	Code  string    // "" where it answered
	At    time.Time // since when; NoteHealth gives it
}

// maxHealth bounds what is kept of one place.
const maxHealth = 16

// NoteHealth notes how a server fares. Where the last note says the same
// nothing is written.
func (s *Store) NoteHealth(ctx context.Context, place pin.Place, code string) error {
	was, err := s.HealthOf(ctx, place)
	if err != nil || len(was) > 0 && was[len(was)-1].Code == code {
		return err
	}
	at := stamp(s.now())
	return s.write(ctx, func(tx *sql.Tx) error {
		var last int64
		err := each(ctx, tx, `SELECT coalesce(max(seq), 0) FROM health WHERE entry = $1 AND credential = $2`, []any{place.Entry, place.Credential},
			func(row scan) error { return row(&last) })
		if err != nil {
			return err
		}
		err = exec(ctx, tx, `INSERT INTO health (entry, credential, seq, code, at) VALUES ($1, $2, $3, $4, $5)`, place.Entry, place.Credential, last+1, code, at)
		if err != nil {
			return err
		}
		return exec(ctx, tx, `DELETE FROM health WHERE entry = $1 AND credential = $2 AND seq <= $3`, place.Entry, place.Credential, last+1-maxHealth)
	})
}

// HealthOf is the short history of a server's health, the oldest first.
func (s *Store) HealthOf(ctx context.Context, place pin.Place) ([]Health, error) {
	var all []Health
	err := s.read(ctx, `SELECT code, at FROM health WHERE entry = $1 AND credential = $2 ORDER BY seq`, []any{place.Entry, place.Credential}, func(row scan) error {
		h := Health{Place: place}
		var at int64
		err := row(&h.Code, &at)
		h.At = timeOf(at)
		all = append(all, h)
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}
