package store

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"github.com/onestep-run/onestep/gate/pin"
)

// Seen is a finding about a server that waits for a decision.
type Seen struct {
	Place        pin.Place `json:"-"`
	Tool         string    `json:"tool"`
	Code         string    `json:"code"`
	Why          string    `json:"why"`
	Raw          []byte    `json:"-"`
	Instructions string    `json:"-"`
	At           time.Time `json:"-"` // ChangeSeen sets it
}

// Seen are the pending findings at a place, by tool.
func (s *Store) Seen(ctx context.Context, place pin.Place) ([]Seen, error) {
	return list(ctx, s, seenQuery, []any{place.Entry, place.Credential}, seenAt(place))
}

// ChangeSeen replaces the pending findings at a place with the result of change. It works in
// one transaction, so no finding of another process is lost. It calls change again inside, so
// change must return the same for the same input. If nothing changes, it writes nothing.
func (s *Store) ChangeSeen(ctx context.Context, place pin.Place, change func([]Seen) []Seen) error {
	was, err := s.Seen(ctx, place)
	if err != nil {
		return err
	}
	if now, err := changed(place, was, change); err != nil || slices.EqualFunc(was, now, Seen.same) {
		return err
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		var was []Seen
		err := each(ctx, tx, seenQuery, []any{place.Entry, place.Credential}, func(row scan) error {
			v, err := seenAt(place)(row)
			was = append(was, v)
			return err
		})
		if err != nil {
			return err
		}
		now, err := changed(place, was, change)
		if err != nil || slices.EqualFunc(was, now, Seen.same) {
			return err
		}
		return replaceSeen(ctx, tx, place, now, stamp(s.now()))
	})
}

func changed(place pin.Place, was []Seen, change func([]Seen) []Seen) ([]Seen, error) {
	now := slices.Clone(change(slices.Clone(was)))
	if place.Entry == "" || slices.ContainsFunc(now, func(v Seen) bool { return len(v.Tool) > maxKey }) {
		return nil, misuse("what is pending is of no place, or of a name of more than %d bytes", maxKey)
	}
	slices.SortFunc(now, func(a, b Seen) int { return strings.Compare(a.Tool, b.Tool) })
	return now, nil
}

func replaceSeen(ctx context.Context, tx *sql.Tx, place pin.Place, all []Seen, at int64) error {
	if err := exec(ctx, tx, `DELETE FROM seen WHERE entry = $1 AND credential = $2`, place.Entry, place.Credential); err != nil {
		return err
	}
	for _, v := range all {
		err := exec(ctx, tx, `INSERT INTO seen (entry, credential, tool, code, why, raw, instructions, at, sum) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			place.Entry, place.Credential, v.Tool, v.Code, v.Why, bytesOf(v.Raw), v.Instructions, at, v.sum(place, at))
		if err != nil {
			return err
		}
	}
	return nil
}

// AfterCall is the code of a tool that is listed only after a call.
const AfterCall = "after_call"

// Listed is the code of an entry with the names of all tools that a server listed, as a JSON
// list. It belongs to no tool, and decides nothing.
const Listed = "listed"

// settle removes the pending findings about decided tools.
func settle(ctx context.Context, tx *sql.Tx, all []Decision) error {
	for _, d := range all {
		err := exec(ctx, tx, `DELETE FROM seen WHERE entry = $1 AND credential = $2 AND tool = $3 AND code <> $4`, d.Place.Entry, d.Place.Credential, d.Tool, Listed)
		if err != nil {
			return err
		}
	}
	return nil
}

const seenQuery = `SELECT tool, code, why, raw, instructions, at, sum FROM seen WHERE entry = $1 AND credential = $2 ORDER BY tool`

func seenAt(place pin.Place) func(scan) (Seen, error) {
	return func(row scan) (Seen, error) {
		v := Seen{Place: place}
		var at int64
		var own string
		if err := row(&v.Tool, &v.Code, &v.Why, &v.Raw, &v.Instructions, &at, &own); err != nil {
			return Seen{}, err
		}
		if v.sum(place, at) != own {
			return Seen{}, altered("the pending description of the tool %q is damaged", v.Tool)
		}
		v.At = timeOf(at)
		return v, nil
	}
}

func (v Seen) sum(place pin.Place, at int64) string {
	return sum(place.Entry, place.Credential, v.Tool, v.Code, v.Why, string(v.Raw), v.Instructions, number(at))
}

// same reports whether two findings are equal except for their times.
func (v Seen) same(other Seen) bool { return v.sum(pin.Place{}, 0) == other.sum(pin.Place{}, 0) }

// Health is the state of a server from a time on. It is for display, and decides nothing.
type Health struct {
	Place pin.Place `json:"-"`
	Code  string    `json:"code"`  // "" if it answered
	At    time.Time `json:"since"` // NoteHealth sets it
}

// maxHealth bounds the entries of one place.
const maxHealth = 16

// NoteHealth records the state of a server. If the last entry has the same code, it writes
// nothing.
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
	query := `SELECT code, at FROM health WHERE entry = $1 AND credential = $2 ORDER BY seq`
	return list(ctx, s, query, []any{place.Entry, place.Credential}, func(row scan) (Health, error) {
		h := Health{Place: place}
		var at int64
		err := row(&h.Code, &at)
		h.At = timeOf(at)
		return h, err
	})
}
