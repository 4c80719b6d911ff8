package store

import (
	"context"
	"database/sql"
	"math"
	"strconv"
	"strings"

	"github.com/onestep-run/onestep/gate/grant"
)

// Record is a row of a service, such as an agent: a body by its kind and name.
type Record struct {
	Name string
	Body []byte
}

// Event is a row of the audit of a service. The sum of each covers the one before.
type Event struct {
	Seq  int64
	Body []byte
}

// Tx is one transaction on records and events. It is for the function that gets it alone.
type Tx struct {
	ctx context.Context //nolint:containedctx // of the transaction
	tx  *sql.Tx
}

// Change runs do in one transaction, which no other writer overlaps. An error undoes all of it.
func (s *Store) Change(ctx context.Context, do func(*Tx) error) error {
	return s.write(ctx, func(tx *sql.Tx) error { return do(&Tx{ctx, tx}) })
}

// RedeemIf is [Store.Redeem] with a check before it in the same transaction, also of a
// redemption that spends nothing. An error of the check is returned, and nothing is spent.
func (s *Store) RedeemIf(ctx context.Context, r grant.Redemption, check func(*Tx) error) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		if err := check(&Tx{ctx, tx}); err != nil {
			return err
		}
		return redeem(ctx, tx, r)
	})
}

// Record is the body of a record, nil if it does not exist.
func (s *Store) Record(ctx context.Context, kind, name string) (body []byte, err error) {
	err = s.read(ctx, oneRecord, []any{kind, name}, oneBody(&body, kind))
	return body, err
}

// Records are records of a kind, in order of their names. The names begin with prefix and come
// after a name. There are at most limit of them, and never more than 100,000.
func (s *Store) Records(ctx context.Context, kind, prefix, after string, limit int) ([]Record, error) {
	return list(ctx, s, someRecords, []any{kind, max(prefix, after), prefix + lastName, atMost(limit), after}, func(row scan) (Record, error) { return readRecord(row, kind) })
}

// Record is the body of a record in this transaction, nil if it does not exist.
func (t *Tx) Record(kind, name string) (body []byte, err error) {
	err = each(t.ctx, t.tx, oneRecord, []any{kind, name}, oneBody(&body, kind))
	return body, err
}

// Records are all records of a kind whose names begin with prefix, in order of their names.
func (t *Tx) Records(kind, prefix string) (all []Record, err error) {
	err = each(t.ctx, t.tx, someRecords, []any{kind, prefix, prefix + lastName, int64(math.MaxInt64), ""}, func(row scan) error {
		r, err := readRecord(row, kind)
		all = append(all, r)
		return err
	})
	return all, err
}

// Put adds a record, or replaces its body.
func (t *Tx) Put(kind, name string, body []byte) error {
	if !fit(kind, name) || len(body) > maxBody {
		return misuse("the %.20s %.80q cannot be kept", kind, name)
	}
	return exec(t.ctx, t.tx, `INSERT INTO record (kind, name, body, sum) VALUES ($1, $2, $3, $4)
		ON CONFLICT (kind, name) DO UPDATE SET body = $3, sum = $4`, kind, name, body, sum(kind, name, string(body)))
}

// Remove removes a record, if there is one.
func (t *Tx) Remove(kind, name string) error {
	return exec(t.ctx, t.tx, `DELETE FROM record WHERE kind = $1 AND name = $2`, kind, name)
}

// Add adds an event after all others.
func (t *Tx) Add(body []byte) error {
	if len(body) > maxBody {
		return misuse("an event of %d bytes cannot be kept", len(body))
	}
	var last int64
	var before string
	err := each(t.ctx, t.tx, `SELECT seq, sum FROM event ORDER BY seq DESC LIMIT 1`, nil, func(row scan) error { return row(&last, &before) })
	if err != nil {
		return err
	}
	end, err := t.Record(auditEnd, auditEnd)
	if err != nil {
		return err
	}
	if string(end) != endOf(last, before) {
		return altered("the last event of the audit is missing")
	}
	own := sum(before, number(last+1), string(body))
	if err := exec(t.ctx, t.tx, `INSERT INTO event (seq, body, sum) VALUES ($1, $2, $3)`, last+1, body, own); err != nil {
		return err
	}
	return t.Put(auditEnd, auditEnd, []byte(endOf(last+1, own)))
}

// auditEnd is the record of the last event: a missing one is found by it.
const auditEnd = "audit"

func endOf(seq int64, own string) string {
	if seq == 0 {
		return ""
	}
	return number(seq) + " " + own
}

// Events are the events after a number, in order, at most limit of them.
func (s *Store) Events(ctx context.Context, after int64, limit int) (all []Event, err error) {
	limit, after = atMost(limit), max(after, 0)
	end, err := s.Record(ctx, auditEnd, auditEnd) // before the events, which only become more
	if err != nil {
		return nil, err
	}
	text, sumOfLast, _ := strings.Cut(string(end), " ")
	last, _ := strconv.ParseInt(text, 10, 64) // without an event it is 0
	at, before := max(min(after, last)-1, 0), ""
	from := at
	err = s.read(ctx, `SELECT seq, body, sum FROM event WHERE seq > $1 ORDER BY seq LIMIT $2`, []any{from, limit + 1}, func(row scan) error {
		var e Event
		var own string
		if err := row(&e.Seq, &e.Body, &own); err != nil {
			return err
		}
		linked := at == from && from > 0 || sum(before, number(e.Seq), string(e.Body)) == own
		ends := e.Seq != last || own == sumOfLast
		if !linked || !ends || e.Seq != at+1 {
			return altered("event %d of the audit is damaged, or an earlier one is missing", e.Seq)
		}
		if at, before = e.Seq, own; e.Seq > after {
			all = append(all, e)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if at < min(last, from+int64(limit)+1) {
		return nil, s.fault(altered("an event after %d of the audit is missing", at))
	}
	return all[:min(len(all), limit)], nil
}

// atMost bounds a limit that a caller was given.
func atMost(limit int) int { return min(max(limit, 0), maxRecords) }

const (
	maxBody    = 1 << 20
	maxRecords = 100_000
	lastName   = "\x7f" // comes after every character of a name
)

const (
	oneRecord   = `SELECT name, body, sum FROM record WHERE kind = $1 AND name = $2`
	someRecords = `SELECT name, body, sum FROM record WHERE kind = $1 AND name >= $2 AND name < $3 AND name > $5 ORDER BY name LIMIT $4`
)

func readRecord(row scan, kind string) (r Record, err error) {
	var own string
	if err := row(&r.Name, &r.Body, &own); err != nil {
		return Record{}, err
	}
	if sum(kind, r.Name, string(r.Body)) != own {
		return Record{}, altered("the %s %.80q is damaged", kind, r.Name)
	}
	return r, nil
}

func oneBody(into *[]byte, kind string) func(scan) error {
	return func(row scan) error {
		r, err := readRecord(row, kind)
		*into = r.Body
		return err
	}
}
