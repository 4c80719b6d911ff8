package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/onestep-run/onestep/gate/pin"
)

// The decisions of a person. An unknown one is refused, and never read.
const (
	Approved = "approved"
	Rejected = "rejected"
	Removed  = "removed"
)

// maxKey bounds the keys of rows, in bytes: no name that is looked up is longer.
const maxKey = 4 << 10

// Decision is a person's decision about one tool of a server, or about the server if Tool is
// "". The last decision on a tool counts.
type Decision struct {
	Seq          int64 // ascending over all places; Decide sets it
	Place        pin.Place
	Server       string // the server's name at the decision, for display
	Tool         string
	State        string
	Reviewed     string // digest of the reviewed definition
	Meaning      string // digest of its meaning
	Raw          []byte // the tool as the server listed it
	Instructions string // the server's
	Review       string // digest of the change set that was shown
	Effect       string // the effect that the decider stated: read, write or nothing
	By, How      string
	At           time.Time // Decide sets it
}

const decisions = `SELECT p.entry, p.credential, p.seq, p.sum, d.seq, d.server, d.tool, d.state, d.reviewed, d.meaning, d.raw, d.instructions,
	d.review, d.effect, d.decided_by, d.how, d.at, d.sum, r.bytes, i.bytes
	FROM place p LEFT JOIN decision d ON d.entry = p.entry AND d.credential = p.credential
	LEFT JOIN content r ON r.digest = d.raw LEFT JOIN content i ON i.digest = d.instructions `

// Decisions are the decisions about a place, in order.
func (s *Store) Decisions(ctx context.Context, place pin.Place) ([]Decision, error) {
	return s.decisions(ctx, decisions+`WHERE p.entry = $1 AND p.credential = $2 ORDER BY d.seq`, place.Entry, place.Credential)
}

// All are the decisions of every place, one place after the other, each in order.
func (s *Store) All(ctx context.Context) ([]Decision, error) {
	return s.decisions(ctx, decisions+`ORDER BY p.entry, p.credential, d.seq`)
}

func (s *Store) decisions(ctx context.Context, query string, args ...any) ([]Decision, error) {
	var c chain
	all, err := list(ctx, s, query, args, c.next)
	if err == nil {
		err = s.fault(c.end())
	}
	if err != nil {
		return nil, err
	}
	return all, nil
}

// lastDecided is the time of the last decision of all places. The decision's sum covers the
// time, and a place names the decision's number.
func (s *Store) lastDecided(ctx context.Context) (at time.Time, err error) {
	err = s.read(ctx, `SELECT d.seq, d.entry, d.credential, d.server, d.tool, d.state, d.reviewed, d.meaning, d.raw, d.instructions,
		d.review, d.effect, d.decided_by, d.how, d.at, d.sum, (SELECT max(seq) FROM place), coalesce((SELECT b.sum FROM decision b
			WHERE b.entry = d.entry AND b.credential = d.credential AND b.seq < d.seq ORDER BY b.seq DESC LIMIT 1), '')
		FROM (SELECT 1) AS one LEFT JOIN decision d ON d.seq = (SELECT max(seq) FROM decision)
		WHERE EXISTS (SELECT 1 FROM place)`, nil, func(row scan) error {
		var d Decision
		var raw, told, own, before string
		var ms, last int64
		err := row(&d.Seq, &d.Place.Entry, &d.Place.Credential, &d.Server, &d.Tool, &d.State, &d.Reviewed, &d.Meaning, &raw, &told,
			&d.Review, &d.Effect, &d.By, &d.How, &ms, &own, &last, &before)
		if err != nil {
			return err
		}
		d.At = timeOf(ms)
		if d.Seq != last || d.sum(before, raw, told) != own {
			return altered("decision %d is damaged, or a later one is missing", d.Seq)
		}
		at = d.At
		return nil
	})
	return at, err
}

// Decide adds decisions, all of them or none. If one of their places has a decision later
// than after, another user or process was first, and Decide fails with [ErrMoved]. It removes
// the pending entries of the decided tools.
func (s *Store) Decide(ctx context.Context, after int64, all []Decision) error {
	for _, d := range all {
		if err := d.check(); err != nil {
			return err
		}
	}
	if len(all) == 0 {
		return nil
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		heads, err := headsOf(ctx, tx, after, all)
		if err != nil {
			return err
		}
		if err := insert(ctx, tx, heads, all, s.now()); err != nil {
			return err
		}
		return settle(ctx, tx, all)
	})
}

func (d Decision) check() error {
	switch {
	case d.Place.Entry == "":
		return misuse("a decision about %q is of no place", d.Tool)
	case len(d.Tool) > maxKey || len(d.Place.Entry) > maxKey || len(d.Place.Credential) > maxKey:
		return misuse("a decision is about a name of %d bytes", max(len(d.Tool), len(d.Place.Entry), len(d.Place.Credential)))
	case d.State != Approved && d.State != Rejected && d.State != Removed:
		return misuse("a decision about %q says %q", d.Tool, d.State)
	}
	return nil
}

// head is the last decision of a place.
type head struct {
	seq int64
	sum string
}

// headsOf are the heads of the decisions' places. None may be later than after.
func headsOf(ctx context.Context, tx *sql.Tx, after int64, all []Decision) (map[pin.Place]head, error) {
	heads := map[pin.Place]head{}
	for _, d := range all {
		if _, known := heads[d.Place]; known {
			continue
		}
		var h head
		err := each(ctx, tx, `SELECT seq, sum FROM place WHERE entry = $1 AND credential = $2`, []any{d.Place.Entry, d.Place.Credential},
			func(row scan) error { return row(&h.seq, &h.sum) })
		if err != nil {
			return nil, err
		}
		if h.seq > after {
			return nil, ErrMoved
		}
		heads[d.Place] = h
	}
	return heads, nil
}

func insert(ctx context.Context, tx *sql.Tx, heads map[pin.Place]head, all []Decision, at time.Time) error {
	var seq int64
	err := each(ctx, tx, `SELECT coalesce(max(seq), 0) FROM decision`, nil, func(row scan) error { return row(&seq) })
	if err != nil {
		return err
	}
	for _, d := range all {
		seq++
		d.Seq, d.At = seq, at
		sum, err := insertOne(ctx, tx, heads[d.Place].sum, d)
		if err != nil {
			return err
		}
		heads[d.Place] = head{seq, sum}
	}
	for place, h := range heads {
		err := exec(ctx, tx, `INSERT INTO place (entry, credential, seq, sum) VALUES ($1, $2, $3, $4)
			ON CONFLICT (entry, credential) DO UPDATE SET seq = excluded.seq, sum = excluded.sum`, place.Entry, place.Credential, h.seq, h.sum)
		if err != nil {
			return err
		}
	}
	return nil
}

// insertOne writes a decision after the one with the given sum, and returns its own sum.
func insertOne(ctx context.Context, tx *sql.Tx, before string, d Decision) (string, error) {
	raw, told := contentDigest(d.Raw), contentDigest([]byte(d.Instructions))
	for digest, b := range map[string][]byte{raw: d.Raw, told: []byte(d.Instructions)} {
		if digest == "" {
			continue
		}
		err := exec(ctx, tx, `INSERT INTO content (digest, bytes) VALUES ($1, $2) ON CONFLICT (digest) DO NOTHING`, digest, b)
		if err != nil {
			return "", err
		}
	}
	sum := d.sum(before, raw, told)
	return sum, exec(ctx, tx, `INSERT INTO decision (seq, entry, credential, server, tool, state, reviewed, meaning, raw, instructions, review, effect, decided_by, how, at, sum)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
		d.Seq, d.Place.Entry, d.Place.Credential, d.Server, d.Tool, d.State, d.Reviewed, d.Meaning, raw, told, d.Review, d.Effect, d.By, d.How, stamp(d.At), sum)
}
