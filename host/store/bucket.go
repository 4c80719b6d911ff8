package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/onestep-run/onestep/gate/grant"
)

// takeCalls takes one call from each of the buckets, or from none if one of them is empty. It
// stores in r.Takes what was left before. A full bucket keeps its row: after a clock that
// went ahead and back it is not full.
func takeCalls(ctx context.Context, tx *sql.Tx, r grant.Redemption) error {
	if len(r.Takes) == 0 {
		return nil
	}
	for i, b := range r.Takes {
		key := r.Counts + b.Key // a key is as long as any other
		full, err := fullAt(ctx, tx, key)
		if err != nil {
			return err
		}
		left, then, wait := b.Take(full, r.Now)
		r.Takes[i].Left, r.Takes[i].Wait = left, wait.Milliseconds()
		at := then.UnixMicro()
		err = exec(ctx, tx, `INSERT INTO bucket (rate, full_at, sum) VALUES ($1, $2, $3) ON CONFLICT (rate) DO UPDATE SET full_at = excluded.full_at, sum = excluded.sum`,
			key, at, bucketSum(key, at))
		if err != nil {
			return err
		}
	}
	return grant.Exhausted(r.Takes)
}

// fullAt is when a bucket is full, or the zero time if nothing was taken from it.
func fullAt(ctx context.Context, tx *sql.Tx, key string) (full time.Time, err error) {
	err = each(ctx, tx, `SELECT full_at, sum FROM bucket WHERE rate = $1`, []any{key}, func(row scan) error {
		var at int64
		var own string
		if err := row(&at, &own); err != nil {
			return err
		}
		if own != bucketSum(key, at) {
			return altered("the bucket %.80q is damaged", key)
		}
		full = time.UnixMicro(at)
		return nil
	})
	return full, err
}

func bucketSum(key string, at int64) string { return sum(key, number(at)) }
