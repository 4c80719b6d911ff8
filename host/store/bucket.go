package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/onestep-run/onestep/gate/rule"
)

// Take takes one call from each of the buckets, or from none where one of them has
// nothing left, which [rule.Exhausted] then says. Of any number of processes each
// call is counted once, and the count is on disk when Take returns. It gives the
// buckets with what was left of them before.
func (s *Store) Take(ctx context.Context, limits []rule.Bucket) (found []rule.Bucket, err error) {
	if len(limits) == 0 {
		return nil, nil
	}
	err = s.write(ctx, func(tx *sql.Tx) error {
		found, err = s.take(ctx, tx, limits)
		return err
	})
	return found, err
}

// take is [Store.Take] in a transaction that does more. Its denial undoes all of it.
func (s *Store) take(ctx context.Context, tx *sql.Tx, limits []rule.Bucket) ([]rule.Bucket, error) {
	now := s.now()
	// A full bucket is as good as none.
	if err := exec(ctx, tx, `DELETE FROM bucket WHERE full_at < $1`, now.UnixMicro()); err != nil {
		return nil, err
	}
	found := make([]rule.Bucket, 0, len(limits))
	for _, b := range limits {
		full, err := fullAt(ctx, tx, b.Key)
		if err != nil {
			return nil, err
		}
		left, then, wait := b.Rate.Take(full, now)
		b.Left, b.Until = left, wait
		found = append(found, b)
		at := then.UnixMicro()
		err = exec(ctx, tx, `INSERT INTO bucket (rate, full_at, sum) VALUES ($1, $2, $3) ON CONFLICT (rate) DO UPDATE SET full_at = excluded.full_at, sum = excluded.sum`,
			b.Key, at, bucketSum(b.Key, at))
		if err != nil {
			return nil, err
		}
	}
	return found, rule.Exhausted(found)
}

// fullAt is when a bucket is full: the zero time of one from which nothing was taken.
func fullAt(ctx context.Context, tx *sql.Tx, key string) (full time.Time, err error) {
	err = each(ctx, tx, `SELECT full_at, sum FROM bucket WHERE rate = $1`, []any{key}, func(row scan) error {
		var at int64
		var own string
		if err := row(&at, &own); err != nil {
			return err
		}
		if own != bucketSum(key, at) {
			return altered("the bucket %.80q is not what was written", key)
		}
		full = time.UnixMicro(at)
		return nil
	})
	return full, err
}

func bucketSum(key string, at int64) string { return sum(key, number(at)) }
