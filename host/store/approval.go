package store

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"github.com/onestep-run/onestep/gate/approval"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
)

// forgotten is how long after its expiry an approval's row stays. Without a row the approval
// counts as never given.
const forgotten = 30 * 24 * time.Hour

// fit reports whether no key is empty or too long.
func fit(keys ...string) bool { return !slices.Contains(keys, "") && !tooLong(keys...) }

func tooLong(keys ...string) bool {
	return slices.ContainsFunc(keys, func(k string) bool { return len(k) > maxKey })
}

// Ask stores a pending approval. A run has one at a time: it may ask again, for another call,
// once the earlier approval is void.
func (s *Store) Ask(ctx context.Context, a approval.Approval) error {
	if a.State != approval.Pending || !fit(a.RunID, a.Digest) || tooLong(a.Trace, a.Key, a.Deciding, a.Call) {
		return misuse("the approval of run %.80q cannot be kept", a.RunID)
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		if err := exec(ctx, tx, `DELETE FROM approval WHERE expires < $1`, stamp(a.Created.Add(-forgotten))); err != nil {
			return err
		}
		n, err := affected(ctx, tx, `INSERT INTO approval (`+approvalColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
			ON CONFLICT (run) DO UPDATE SET digest = $2, trace = $3, call = $4, client = $5, state = $6, decided_by = $7, how = $8, held = $9, created = $10, expires = $11, deciding = $12, call_digest = $13, sum = $14
			WHERE approval.state = $15`,
			a.RunID, a.Digest, a.Trace, a.Key, flag(a.Client), a.State, a.By, a.How, held(a.Held), stamp(a.Created), stamp(a.Expires), a.Deciding, a.Call, approvalSum(a), approval.Superseded)
		if err == nil && n == 0 {
			err = misuse("run %.80q has asked for an approval before", a.RunID)
		}
		if err != nil {
			return err
		}
		return s.keepRequest(ctx, tx, a)
	})
}

// Approval returns the approval of a run, or the denial [verdict.ApprovalUnknown].
func (s *Store) Approval(ctx context.Context, run string) (approval.Approval, error) {
	all, err := s.approvals(ctx, `WHERE run = $1`, run)
	if err == nil && len(all) == 0 {
		err = unasked(run)
	}
	if err != nil {
		return approval.Approval{}, err
	}
	return all[0], nil
}

// SameCall returns the newest approval with a key, or the zero value.
func (s *Store) SameCall(ctx context.Context, key string) (approval.Approval, error) {
	now := s.Stamp(ctx)
	known, err := remembered(s, now, knownCalls{}, func() ([]string, error) { return s.calls(ctx) })
	if err != nil || len(known) <= maxCalls && !slices.Contains(known, key) {
		return approval.Approval{}, err
	}
	return remembered(s, now, sameCall(key), func() (approval.Approval, error) {
		all, err := s.approvals(ctx, `WHERE call = $1 AND length(call) > 0 ORDER BY created DESC, run DESC LIMIT 1`, key)
		if err != nil || len(all) == 0 {
			return approval.Approval{}, err
		}
		return all[0], nil
	})
}

// The keys of remembered approvals.
type (
	knownCalls struct{}
	sameCall   string
)

// maxCalls is how many keys of calls are remembered. If there are more, each key is looked
// up.
const maxCalls = 64

// calls are keys of approvals: all of them, or more than maxCalls.
func (s *Store) calls(ctx context.Context) ([]string, error) {
	return list(ctx, s, `SELECT call FROM approval WHERE length(call) > 0 LIMIT $1`, []any{maxCalls + 1}, func(row scan) (key string, err error) {
		err = row(&key)
		return key, err
	})
}

// Waiting lists the approvals that wait for a person or for their use, the oldest first. It
// includes expired ones.
func (s *Store) Waiting(ctx context.Context) ([]approval.Approval, error) {
	all, err := s.approvals(ctx, `ORDER BY created, run`)
	return slices.DeleteFunc(all, func(a approval.Approval) bool { return a.State != approval.Pending && a.State != approval.Approved }), err
}

func (s *Store) approvals(ctx context.Context, where string, args ...any) ([]approval.Approval, error) {
	return list(ctx, s, `SELECT `+approvalColumns+` FROM approval `+where, args, readApproval)
}

// Move takes the approval of a run one step further. Of any number of callers in any number
// of processes one takes each step, and it is on disk when Move returns. Every other caller
// gets a denial with the state of the approval. On any other error the step may have been
// taken, and no call may be made.
func (s *Store) Move(ctx context.Context, run, digest string, to approval.Step) (a approval.Approval, err error) {
	if s.absent() {
		return approval.Approval{}, unasked(run)
	}
	err = s.write(ctx, func(tx *sql.Tx) error {
		a, err = step(ctx, tx, run, digest, to)
		return err
	})
	if err != nil {
		return approval.Approval{}, err
	}
	return a, nil
}

// step takes the approval of a run one step further, in a transaction.
func step(ctx context.Context, tx *sql.Tx, run, digest string, to approval.Step) (a approval.Approval, err error) {
	was := approval.Approval{}
	err = each(ctx, tx, `SELECT `+approvalColumns+` FROM approval WHERE run = $1`, []any{run}, func(row scan) (err error) {
		was, err = readApproval(row)
		return err
	})
	if err == nil && was.RunID == "" {
		err = unasked(run)
	}
	if err == nil {
		a, err = was.After(digest, to)
	}
	if err != nil {
		return approval.Approval{}, err
	}
	n, err := affected(ctx, tx, `UPDATE approval SET state = $1, decided_by = $2, how = $3, held = $4, sum = $5 WHERE run = $6 AND state = $7`,
		a.State, a.By, a.How, held(a.Held), approvalSum(a), run, was.State)
	if err == nil && n != 1 {
		err = altered("the approval of run %.80q changed in the middle of a step", run)
	}
	return a, err
}

func unasked(run string) error {
	if !escape.Name(run) {
		return verdict.Deny(verdict.ApprovalUnknown, "the run id %.64q is not a plain name", run)
	}
	return verdict.Deny(verdict.ApprovalUnknown, "no approval of run %.80q is known", run)
}

const approvalColumns = `run, digest, trace, call, client, state, decided_by, how, held, created, expires, deciding, call_digest, sum`

func readApproval(row scan) (a approval.Approval, err error) {
	var client, held, created, expires int64
	var own string
	if err := row(&a.RunID, &a.Digest, &a.Trace, &a.Key, &client, &a.State, &a.By, &a.How, &held, &created, &expires, &a.Deciding, &a.Call, &own); err != nil {
		return approval.Approval{}, err
	}
	a.Client, a.Created, a.Expires = client != 0, timeOf(created), timeOf(expires)
	if held != 0 {
		a.Held = timeOf(held)
	}
	if approvalSum(a) != own || client != flag(a.Client) {
		return approval.Approval{}, altered("the approval of run %.80q is damaged", a.RunID)
	}
	return a, nil
}

// approvalSum covers every column.
func approvalSum(a approval.Approval) string {
	return sum(a.RunID, a.Digest, a.Trace, a.Key, number(flag(a.Client)), string(a.State), a.By, a.How, number(held(a.Held)),
		number(stamp(a.Created)), number(stamp(a.Expires)), a.Deciding, a.Call)
}

func flag(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

// held is a time in milliseconds, or 0 if no process waits.
func held(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return stamp(t)
}
