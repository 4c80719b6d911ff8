package store

import (
	"context"
	"database/sql"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Use notes that the approval of a run is used, for good: a pending approval is
// a file, and whoever restores that file gets nothing for it here. Of any number
// of callers in any number of processes one gets nil, when the row is on disk.
// The others get a denial, [verdict.ApprovalSpent], and so does a caller with
// the same digest for another run. On any other error the approval may be used
// and no call may be made.
func (s *Store) Use(ctx context.Context, run, digest string) error {
	if run == "" || digest == "" || len(run) > maxKey || len(digest) > maxKey {
		return misuse("the use of the approval %.80q of run %.80q cannot be noted", digest, run)
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		before := usedChain{run: run, digest: digest}
		if err := each(ctx, tx, usedQuery, nil, before.next); err != nil {
			return err
		}
		if before.found {
			return verdict.Deny(verdict.ApprovalSpent, "the approval of run %s was used before: its call may have left", run)
		}
		r := usedRow{run, digest, before.last.seq + 1, stamp(s.now())}
		return exec(ctx, tx, `INSERT INTO used (run, digest, seq, at, sum) VALUES ($1, $2, $3, $4, $5)`, r.run, r.digest, r.seq, r.at, r.sum(before.last.sum))
	})
}

// usedRow is a used approval as its row has it.
type usedRow struct {
	run, digest string
	seq, at     int64
}

func (r usedRow) sum(before string) string {
	return sum(before, r.run, r.digest, number(r.seq), number(r.at))
}

const usedQuery = `SELECT run, digest, seq, at, sum FROM used ORDER BY seq`

// usedChain reads the used approvals in their order, and checks each against the
// one before it. The last ones may be gone unnoticed: no other row names them.
type usedChain struct {
	run, digest string // to find
	found       bool   // one of the two
	last        head
}

func (c *usedChain) next(row scan) error {
	var r usedRow
	var own string
	if err := row(&r.run, &r.digest, &r.seq, &r.at, &own); err != nil {
		return err
	}
	if r.seq != c.last.seq+1 || r.sum(c.last.sum) != own {
		return altered("the used approval %d is not what was written, or one before it is gone", r.seq)
	}
	c.last = head{r.seq, own}
	c.found = c.found || r.run == c.run || r.digest == c.digest
	return nil
}
