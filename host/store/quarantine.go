package store

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Kept is a result that is not shown unless a person releases it.
type Kept struct {
	Run      string    `json:"run_id"`       // the run that received it, which identifies it
	Trace    string    `json:"trace_digest"` // of that run
	Server   string    `json:"server"`       // that answered
	Tool     string    `json:"tool"`
	Rules    []string  `json:"rules"` // that withhold it
	Size     int64     `json:"size"`  // of the body; Keep sets it
	Body     []byte    `json:"-"`     // without its secrets; only the method Kept returns it
	Created  time.Time `json:"created"`
	By       string    `json:"released_by,omitempty"` // who released it; "" for a result that is not released
	Released time.Time `json:"released,omitzero"`     // when
}

// Keep stores a result. A run has one: a second one is refused.
func (s *Store) Keep(ctx context.Context, k Kept) error {
	k.Size = int64(len(k.Body))
	digest, rules := contentDigest(k.Body), k.rules()
	if k.Run == "" || k.By != "" || strings.Count(rules, "\n")+1 > max(len(k.Rules), 1) {
		return misuse("the result of run %q cannot be kept", k.Run)
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		n, err := affected(ctx, tx, `INSERT INTO kept (run, trace, server, tool, rules, digest, size, body, created, released_by, released_at, sum)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (run) DO NOTHING`,
			k.Run, k.Trace, k.Server, k.Tool, rules, digest, k.Size, bytesOf(k.Body), stamp(k.Created), k.By, stamp(k.Released), k.sum(digest))
		if err == nil && n == 0 {
			err = misuse("a result of run %q is kept already", k.Run)
		}
		return err
	})
}

// Kept returns the result of a run, or fails with [verdict.StateMissing].
func (s *Store) Kept(ctx context.Context, run string) (Kept, error) {
	all, err := list(ctx, s, `SELECT `+keptColumns+`, body FROM kept WHERE run = $1`, []any{run}, func(row scan) (Kept, error) {
		var body []byte
		k, digest, err := readKept(row, &body)
		if err == nil && (contentDigest(body) != digest || int64(len(body)) != k.Size) {
			err = altered("the withheld result of run %.80q is damaged", run)
		}
		k.Body = body
		return k, err
	})
	if err != nil {
		return Kept{}, err
	}
	if len(all) == 0 {
		return Kept{}, noneKept(run)
	}
	return all[0], nil
}

// AllKept are the stored results, the oldest first, without their bodies.
func (s *Store) AllKept(ctx context.Context) ([]Kept, error) {
	return list(ctx, s, `SELECT `+keptColumns+` FROM kept ORDER BY created, run`, nil, func(row scan) (Kept, error) {
		k, _, err := readKept(row)
		return k, err
	})
}

// Release records who releases a result, once: for an already released result it returns the
// first releaser.
func (s *Store) Release(ctx context.Context, run, by string) (Kept, error) {
	if by == "" {
		return Kept{}, misuse("a release needs the name of a person")
	}
	if s.absent() {
		return Kept{}, noneKept(run)
	}
	err := s.write(ctx, func(tx *sql.Tx) error {
		var k Kept
		var digest string
		err := each(ctx, tx, `SELECT `+keptColumns+` FROM kept WHERE run = $1`, []any{run}, func(row scan) (err error) {
			k, digest, err = readKept(row)
			return err
		})
		if err != nil || k.Run == "" || k.By != "" {
			return err
		}
		k.By, k.Released = by, s.now()
		return exec(ctx, tx, `UPDATE kept SET released_by = $1, released_at = $2, sum = $3 WHERE run = $4`, k.By, stamp(k.Released), k.sum(digest), run)
	})
	if err != nil {
		return Kept{}, err
	}
	return s.Kept(ctx, run)
}

// Drop removes a result for good.
func (s *Store) Drop(ctx context.Context, run string) error {
	n, err := s.remove(ctx, `DELETE FROM kept WHERE run = $1`, run)
	if err == nil && n == 0 {
		return noneKept(run)
	}
	return err
}

// Hand removes a released result and labels the conversation that gets it, in one
// transaction. Of several callers one gets it, and none without the labels.
func (s *Store) Hand(ctx context.Context, run string, labels []grant.Mark) error {
	n, err := s.removing(ctx, func(tx *sql.Tx) (int64, error) {
		n, err := affected(ctx, tx, `DELETE FROM kept WHERE run = $1 AND length(released_by) > 0`, run)
		if err != nil || n == 0 {
			return n, err
		}
		return n, setMarks(ctx, tx, grant.Redemption{Marks: labels})
	})
	if err == nil && n == 0 {
		return noneKept(run)
	}
	return err
}

// Purge removes results from before a time, and returns their number.
func (s *Store) Purge(ctx context.Context, before time.Time) (int64, error) {
	return s.remove(ctx, `DELETE FROM kept WHERE created < $1`, stamp(before))
}

// Shrink removes the oldest results until the rest has at most size bytes.
func (s *Store) Shrink(ctx context.Context, size int64) (int64, error) {
	return s.remove(ctx, `DELETE FROM kept WHERE run IN (
		SELECT run FROM (SELECT run, sum(size) OVER (ORDER BY created DESC, run DESC) AS total FROM kept) AS newest WHERE total > $1)`, size)
}

// remove leaves no trace of the removed data in the files, as far as the file system really
// overwrites.
func (s *Store) remove(ctx context.Context, query string, args ...any) (n int64, err error) {
	return s.removing(ctx, func(tx *sql.Tx) (int64, error) { return affected(ctx, tx, query, args...) })
}

func (s *Store) removing(ctx context.Context, step func(*sql.Tx) (int64, error)) (n int64, err error) {
	if s.absent() {
		return 0, nil
	}
	err = s.write(ctx, func(tx *sql.Tx) (err error) {
		n, err = step(tx)
		return err
	})
	if err == nil && n > 0 && s.server == "" {
		// The log still contains data that was overwritten in the database. While another
		// process reads, the log keeps that data until the last process closes.
		err = s.read(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`, nil, func(scan) error { return nil })
	}
	return n, err
}

func noneKept(run string) error {
	return verdict.Fail(verdict.StateMissing, nil, "nothing is withheld of run %.80q", run)
}

const keptColumns = `run, trace, server, tool, rules, digest, size, created, released_by, released_at, sum`

// readKept reads the columns, and those after them into more. The row names the body by its
// digest.
func readKept(row scan, more ...any) (k Kept, digest string, err error) {
	var rules, own string
	var created, released int64
	into := []any{&k.Run, &k.Trace, &k.Server, &k.Tool, &rules, &digest, &k.Size, &created, &k.By, &released, &own}
	if err := row(append(into, more...)...); err != nil {
		return Kept{}, "", err
	}
	if rules != "" {
		k.Rules = strings.Split(rules, "\n")
	}
	k.Created, k.Released = timeOf(created), timeOf(released)
	if k.sum(digest) != own {
		return Kept{}, "", altered("the stored result of run %.80q is damaged", k.Run)
	}
	if k.By == "" {
		k.Released = time.Time{}
	}
	return k, digest, nil
}

func (k Kept) rules() string { return strings.Join(k.Rules, "\n") }

// sum covers every column; the body by its digest.
func (k Kept) sum(digest string) string {
	return sum(k.Run, k.Trace, k.Server, k.Tool, k.rules(), digest, number(k.Size), number(stamp(k.Created)), k.By, number(stamp(k.Released)))
}
