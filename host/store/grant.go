package store

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Granted is a grant as the database stores it.
type Granted struct {
	grant.Grant
	Revoked   time.Time `json:"revoked,omitzero"`
	RevokedBy string    `json:"revoked_by,omitempty"`
}

// Known returns the stored data for a call: the labels, the unrevoked grants, and the time of
// the newest entry. A conversation that has ended has no grants.
func (s *Store) Known(ctx context.Context, k grant.Key) (known grant.Known, err error) {
	now := s.Stamp(ctx)
	known.Newest, err = remembered(s, now, newestEntry{}, func() (time.Time, error) { return s.newest(ctx) })
	if err != nil {
		return grant.Known{}, err
	}
	labels, err := remembered(s, now, labelsOf(k.Labelled), func() ([]grant.Mark, error) {
		return s.marks(ctx, `WHERE id = $1 AND mark <> $2`, k.Labelled, grant.Ended)
	})
	if err != nil || k.Labelled == "" && len(labels) > 0 {
		return grant.Known{}, cmp.Or(err, misuse("labels are kept of no conversation"))
	}
	for _, m := range labels {
		known.Labels = append(known.Labels, m.Name)
	}
	known.Labels = grant.Labelled(known.Labels, nil)
	if slices.Contains([]string{k.Conversation, k.Subject, k.Resource}, "") {
		return known, nil
	}
	given, err := remembered(s, now, grantedIn(k.Conversation), func() (bool, error) { return s.gives(ctx, k.Conversation) })
	if err != nil || !given {
		return known, err
	}
	rows, err := s.granted(ctx, `WHERE conversation = $1 AND subject = $2 AND server = $3 AND tool = $4 AND resource = $5
		AND NOT EXISTS (SELECT 1 FROM conversation c WHERE c.id = granted.conversation AND c.mark = $6) ORDER BY created, id`,
		k.Conversation, k.Subject, k.Server, k.Tool, k.Resource, grant.Ended)
	for _, g := range rows {
		if g.Revoked.IsZero() {
			known.Grants = append(known.Grants, g.Grant)
		}
	}
	return known, err
}

// The keys of remembered grants and labels.
type (
	newestEntry struct{}
	labelsOf    string
	grantedIn   string
)

// gives reports whether a grant was ever given in a conversation.
func (s *Store) gives(ctx context.Context, conversation string) (is bool, err error) {
	err = s.read(ctx, `SELECT EXISTS (SELECT 1 FROM granted WHERE conversation = $1)`, []any{conversation}, func(row scan) error { return row(&is) })
	return is, err
}

// newest is the time of the newest entry: the clock cannot have been earlier.
func (s *Store) newest(ctx context.Context) (at time.Time, err error) {
	err = s.read(ctx, `SELECT coalesce(max(at), 0) FROM (
		SELECT max(created) AS at FROM approval UNION ALL SELECT max(created) FROM granted UNION ALL SELECT max(at) FROM conversation) AS entries`, nil, func(row scan) error {
		var ms int64
		if err := row(&ms); err != nil || ms == 0 {
			return err
		}
		at = timeOf(ms)
		return nil
	})
	if err != nil {
		return at, err
	}
	decided, err := s.lastDecided(ctx)
	if decided.After(at) {
		at = decided
	}
	return at, err
}

// Grants lists every grant, the newest first.
func (s *Store) Grants(ctx context.Context) ([]Granted, error) {
	return s.granted(ctx, `ORDER BY created DESC, id`)
}

// Marks lists the labels of all conversations, and their ends.
func (s *Store) Marks(ctx context.Context) ([]grant.Mark, error) {
	return s.marks(ctx, `ORDER BY at, id, mark`)
}

// Grant stores a grant that a person gave.
func (s *Store) Grant(ctx context.Context, g grant.Grant) error {
	return s.write(ctx, func(tx *sql.Tx) error { return give(ctx, tx, g) })
}

// Revoke ends a grant for good.
func (s *Store) Revoke(ctx context.Context, id, by string) error {
	if s.absent() {
		return noGrant(id)
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		all, err := grantsIn(ctx, tx, `WHERE id = $1`, id)
		if err == nil && len(all) == 0 {
			err = noGrant(id)
		}
		if err != nil || !all[0].Revoked.IsZero() {
			return err
		}
		g := all[0]
		g.Revoked, g.RevokedBy = timeOf(stamp(s.now())), by
		body, err := bodyOf(g.Grant)
		if err != nil {
			return err
		}
		return exec(ctx, tx, `UPDATE granted SET revoked = $1, revoked_by = $2, sum = $3 WHERE id = $4`, stamp(g.Revoked), by, g.sum(body), id)
	})
}

// End ends conversations for good: no grant in them answers a call again.
func (s *Store) End(ctx context.Context, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		for _, id := range ids {
			if err := setMark(ctx, tx, grant.Mark{Conversation: id, Name: grant.Ended, At: s.now()}); err != nil {
				return err
			}
		}
		return nil
	})
}

func noGrant(id string) error {
	return verdict.Fail(verdict.StateMissing, nil, "there is no grant %.80q", id).WithHint("`ask grants list` shows the grants")
}

// give adds a grant, unless its conversation has ended.
func give(ctx context.Context, tx *sql.Tx, g grant.Grant) error {
	if ended, err := endedIn(ctx, tx, g.Conversation); err != nil || ended {
		return cmp.Or(err, error(verdict.Deny(verdict.GrantRefused, "the conversation has ended")))
	}
	body, err := bodyOf(g)
	if err != nil || !fit(g.ID, g.Conversation, g.Subject) || tooLong(g.Server, g.Tool, g.Resource) {
		return cmp.Or(err, misuse("the grant %.80q cannot be kept", g.ID))
	}
	kept := Granted{Grant: g}
	n, err := affected(ctx, tx, `INSERT INTO granted (`+grantedColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (id) DO NOTHING`,
		g.ID, g.Subject, g.Conversation, g.Server, g.Tool, g.Resource, body, stamp(g.Created), stamp(g.Until), int64(0), "", kept.sum(body))
	if err == nil && n == 0 {
		err = misuse("a grant %.80q is kept already", g.ID)
	}
	return err
}

func endedIn(ctx context.Context, tx *sql.Tx, conversation string) (bool, error) {
	marks, err := marksIn(ctx, tx, `WHERE id = $1 AND mark = $2`, conversation, grant.Ended)
	return len(marks) > 0, err
}

// setMark sets a label, or ends a conversation. An existing mark stays.
func setMark(ctx context.Context, tx *sql.Tx, m grant.Mark) error {
	if m.Conversation == "" || m.Name == "" || max(len(m.Conversation), len(m.Name), len(m.Run)) > maxKey {
		return misuse("the label %.80q is of no conversation", m.Name)
	}
	return exec(ctx, tx, `INSERT INTO conversation (id, mark, run, at, sum) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id, mark) DO NOTHING`,
		m.Conversation, m.Name, m.Run, stamp(m.At), markSum(m))
}

const grantedColumns = `id, subject, conversation, server, tool, resource, body, created, until, revoked, revoked_by, sum`

func (s *Store) granted(ctx context.Context, where string, args ...any) ([]Granted, error) {
	return list(ctx, s, `SELECT `+grantedColumns+` FROM granted `+where, args, readGranted)
}

func grantsIn(ctx context.Context, tx *sql.Tx, where string, args ...any) (all []Granted, err error) {
	err = each(ctx, tx, `SELECT `+grantedColumns+` FROM granted `+where, args, func(row scan) error {
		g, err := readGranted(row)
		all = append(all, g)
		return err
	})
	return all, err
}

// bodyLimits fit the largest grant.
var bodyLimits = schema.Limits{Bytes: 1 << 20, Depth: 8, Values: 10_000, Exponent: 9, Digits: 12}

func readGranted(row scan) (g Granted, err error) {
	var key struct{ id, subject, conversation, server, tool, resource, body, sum string }
	var created, until, revoked int64
	if err := row(&key.id, &key.subject, &key.conversation, &key.server, &key.tool, &key.resource, &key.body, &created, &until, &revoked, &g.RevokedBy, &key.sum); err != nil {
		return Granted{}, err
	}
	if err := schema.Decode([]byte(key.body), &g.Grant, bodyLimits); err != nil {
		return Granted{}, altered("the grant %.80q is damaged", key.id)
	}
	if revoked != 0 {
		g.Revoked = timeOf(revoked)
	}
	is := []any{g.ID, g.Subject, g.Conversation, g.Server, g.Tool, g.Resource, stamp(g.Created), stamp(g.Until), g.sum(key.body)}
	if !slices.Equal(is, []any{key.id, key.subject, key.conversation, key.server, key.tool, key.resource, created, until, key.sum}) {
		return Granted{}, altered("the grant %.80q is damaged", key.id)
	}
	return g, nil
}

func bodyOf(g grant.Grant) (string, error) {
	b, err := json.Marshal(g)
	return string(b), err
}

// sum covers every column: the body contains the columns that are not named.
func (g Granted) sum(body string) string { return sum(body, number(held(g.Revoked)), g.RevokedBy) }

const markColumns = `id, mark, run, at, sum`

func (s *Store) marks(ctx context.Context, where string, args ...any) ([]grant.Mark, error) {
	return list(ctx, s, `SELECT `+markColumns+` FROM conversation `+where, args, readMark)
}

func marksIn(ctx context.Context, tx *sql.Tx, where string, args ...any) (all []grant.Mark, err error) {
	err = each(ctx, tx, `SELECT `+markColumns+` FROM conversation `+where, args, func(row scan) error {
		m, err := readMark(row)
		all = append(all, m)
		return err
	})
	return all, err
}

func readMark(row scan) (m grant.Mark, err error) {
	var at int64
	var own string
	if err := row(&m.Conversation, &m.Name, &m.Run, &at, &own); err != nil {
		return grant.Mark{}, err
	}
	if m.At = timeOf(at); markSum(m) != own {
		return grant.Mark{}, altered("a mark of the conversation %.80q is damaged", m.Conversation)
	}
	return m, nil
}

func markSum(m grant.Mark) string { return sum(m.Conversation, m.Name, m.Run, number(stamp(m.At))) }
