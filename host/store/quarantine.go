package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Kept is a result that nobody is shown unless a person releases it.
type Kept struct {
	Run      string    `json:"run_id"`       // the run that had it: what it is called
	Trace    string    `json:"trace_digest"` // of that run
	Server   string    `json:"server"`       // that answered
	Tool     string    `json:"tool"`
	Rules    []string  `json:"rules"` // that withhold it
	Size     int64     `json:"size"`  // of the body; Keep computes it
	Body     []byte    `json:"-"`     // without its secrets; only Kept gives it
	Created  time.Time `json:"created"`
	By       string    `json:"released_by,omitempty"` // who released it; "" is nobody
	Released time.Time `json:"released,omitzero"`     // when
}

// Keep keeps a result. There is one of a run: a second one is refused.
func (s *Store) Keep(ctx context.Context, k Kept) error {
	r := keptRecord(k)
	if r.run == "" || r.by != "" || strings.Count(r.rules, "\n")+1 > max(len(k.Rules), 1) {
		return misuse("the result of run %q cannot be kept", r.run)
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, `INSERT INTO kept (run, trace, server, tool, rules, digest, size, body, created, released_by, released_at, sum)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (run) DO NOTHING`,
			r.run, r.trace, r.server, r.tool, r.rules, r.digest, r.size, bytesOf(k.Body), r.created, r.by, r.released, r.sum())
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return errors.Join(misuse("a result of run %q is kept already", r.run), err)
		}
		return nil
	})
}

// Kept gives the result of a run, or fails with [verdict.StateMissing].
func (s *Store) Kept(ctx context.Context, run string) (Kept, error) {
	var r keptRow
	var body []byte
	found := false
	err := s.read(ctx, `SELECT `+keptColumns+`, body FROM kept WHERE run = $1`, []any{run}, func(row scan) error {
		found = true
		return r.read(row, &body)
	})
	switch {
	case err != nil:
		return Kept{}, err
	case !found:
		return Kept{}, noneKept(run)
	case contentDigest(body) != r.digest || int64(len(body)) != r.size:
		return Kept{}, s.fault(altered("the withheld result of run %.80q is not what was written", run))
	}
	k := r.kept()
	k.Body = body
	return k, nil
}

// AllKept are the results that are kept, the oldest first, without their bodies.
func (s *Store) AllKept(ctx context.Context) ([]Kept, error) {
	return list(ctx, s, `SELECT `+keptColumns+` FROM kept ORDER BY created, run`, nil, func(row scan) (Kept, error) {
		var r keptRow
		err := r.read(row)
		return r.kept(), err
	})
}

// Release notes who lets a result go on, once: of one that was released before
// it gives who did that.
func (s *Store) Release(ctx context.Context, run, by string) (Kept, error) {
	if by == "" {
		return Kept{}, misuse("a release is by nobody")
	}
	if s.absent() {
		return Kept{}, noneKept(run)
	}
	err := s.write(ctx, func(tx *sql.Tx) error {
		var r keptRow
		err := each(ctx, tx, `SELECT `+keptColumns+` FROM kept WHERE run = $1`, []any{run}, func(row scan) error { return r.read(row) })
		if err != nil || r.run == "" || r.by != "" {
			return err
		}
		r.by, r.released = by, stamp(s.now())
		return exec(ctx, tx, `UPDATE kept SET released_by = $1, released_at = $2, sum = $3 WHERE run = $4`, r.by, r.released, r.sum(), run)
	})
	if err != nil {
		return Kept{}, err
	}
	return s.Kept(ctx, run)
}

// Drop takes a result away for good.
func (s *Store) Drop(ctx context.Context, run string) error {
	n, err := s.remove(ctx, `DELETE FROM kept WHERE run = $1`, run)
	if err == nil && n == 0 {
		return noneKept(run)
	}
	return err
}

// Purge takes away what was kept before a time, and says how many those were.
func (s *Store) Purge(ctx context.Context, before time.Time) (int64, error) {
	return s.remove(ctx, `DELETE FROM kept WHERE created < $1`, stamp(before))
}

// Shrink takes the oldest away until no more than so many bytes are kept.
func (s *Store) Shrink(ctx context.Context, size int64) (int64, error) {
	return s.remove(ctx, `DELETE FROM kept WHERE run IN (
		SELECT run FROM (SELECT run, sum(size) OVER (ORDER BY created DESC, run DESC) AS total FROM kept) AS newest WHERE total > $1)`, size)
}

// remove leaves nothing of what it takes away in the files, as far as the file
// system overwrites what it is told to.
func (s *Store) remove(ctx context.Context, query string, args ...any) (n int64, err error) {
	if s.absent() {
		return 0, nil
	}
	err = s.write(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, query, args...)
		if err == nil {
			n, err = done.RowsAffected()
		}
		return err
	})
	if err == nil && n > 0 {
		err = s.forget(ctx)
	}
	return n, err
}

func noneKept(run string) error {
	return verdict.Fail(verdict.StateMissing, nil, "nothing is withheld of run %.80q", run)
}

const keptColumns = `run, trace, server, tool, rules, digest, size, created, released_by, released_at, sum`

// keptRow is what a row says of a result: its body is named by its digest.
type keptRow struct {
	run, trace, server, tool, rules, digest string
	size, created                           int64
	by                                      string
	released                                int64
}

func keptRecord(k Kept) keptRow {
	return keptRow{
		k.Run, k.Trace, k.Server, k.Tool, strings.Join(k.Rules, "\n"), contentDigest(k.Body), int64(len(k.Body)), stamp(k.Created), k.By, stamp(k.Released),
	}
}

// read reads the columns, and those after them into more.
func (r *keptRow) read(row scan, more ...any) error {
	var own string
	into := []any{&r.run, &r.trace, &r.server, &r.tool, &r.rules, &r.digest, &r.size, &r.created, &r.by, &r.released, &own}
	if err := row(append(into, more...)...); err != nil {
		return err
	}
	if r.sum() != own {
		return altered("what is kept of run %.80q is not what was written", r.run)
	}
	return nil
}

func (r *keptRow) sum() string {
	return sum(r.run, r.trace, r.server, r.tool, r.rules, r.digest, number(r.size), number(r.created), r.by, number(r.released))
}

func (r *keptRow) kept() Kept {
	k := Kept{Run: r.run, Trace: r.trace, Server: r.server, Tool: r.tool, Size: r.size, Created: timeOf(r.created), By: r.by}
	if r.rules != "" {
		k.Rules = strings.Split(r.rules, "\n")
	}
	if r.by != "" {
		k.Released = timeOf(r.released)
	}
	return k
}
