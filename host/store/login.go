package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"sync"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Logins are the records of one owner's logins, as host/login seals them, and the leases of
// their names.
type Logins struct {
	store *Store
	owner string

	mu   sync.Mutex
	held map[string]string // holders of this process, by name
}

// Logins are the records of an owner.
func (s *Store) Logins(owner string) *Logins {
	return &Logins{store: s, owner: owner, held: map[string]string{}}
}

// Get returns a record, nil if there is no such record.
func (l *Logins) Get(ctx context.Context, name string) (b []byte, err error) {
	err = l.store.read(ctx, `SELECT body FROM login WHERE owner = $1 AND name = $2`, []any{l.owner, name}, func(row scan) error { return row(&b) })
	return b, err
}

// Put stores a record. If the lease of the name was taken here, it must not have been lost
// since: another process may have stored a newer record.
func (l *Logins) Put(ctx context.Context, name string, b []byte) error {
	if !fit(l.owner, name) {
		return misuse("the login %.80q cannot be kept", name)
	}
	l.mu.Lock()
	holder := l.held[name]
	l.mu.Unlock()
	return l.store.write(ctx, func(tx *sql.Tx) error {
		kept := holder == ""
		err := each(ctx, tx, `SELECT holder FROM lease WHERE owner = $1 AND name = $2`, []any{l.owner, name}, func(row scan) error {
			var is string
			err := row(&is)
			kept = kept || is == holder
			return err
		})
		if err == nil && !kept {
			err = verdict.Fail(verdict.StateLocked, nil, "another process has taken over the record %.80q", name)
		}
		if err != nil {
			return err
		}
		return exec(ctx, tx, `INSERT INTO login (owner, name, body) VALUES ($1, $2, $3)
			ON CONFLICT (owner, name) DO UPDATE SET body = excluded.body`, l.owner, name, bytesOf(b))
	})
}

// Remove removes a record, if there is one.
func (l *Logins) Remove(ctx context.Context, name string) error {
	_, err := l.store.remove(ctx, `DELETE FROM login WHERE owner = $1 AND name = $2`, l.owner, name)
	return err
}

// Names are the names of the records.
func (l *Logins) Names(ctx context.Context) ([]string, error) {
	return list(ctx, l.store, `SELECT name FROM login WHERE owner = $1 ORDER BY name`, []any{l.owner}, func(row scan) (name string, err error) {
		err = row(&name)
		return name, err
	})
}

const (
	// leaseTime is how long a lease lasts whose process was killed. It is longer than the
	// requests that are made under it.
	leaseTime = 2 * time.Minute
	// leaseTry is how often a lease of another is tried.
	leaseTry = 50 * time.Millisecond
)

// Lease waits until no other has the lease of a name, or ctx ends, and takes it. No
// transaction is open meanwhile: other writes go on.
func (l *Logins) Lease(ctx context.Context, name string) (end func(), err error) {
	holder := rand.Text()
	for {
		taken, err := l.lease(ctx, name, holder)
		if err != nil {
			return nil, err
		}
		if taken {
			break
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(leaseTry):
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held[name] = holder
	return func() { l.end(name, holder) }, nil //nolint:contextcheck // it ends also after the context
}

// lease gives the holder a lease that is free or has expired.
func (l *Logins) lease(ctx context.Context, name, holder string) (taken bool, err error) {
	now, free := l.store.now(), true
	err = l.store.read(ctx, `SELECT expires FROM lease WHERE owner = $1 AND name = $2`, []any{l.owner, name}, func(row scan) error {
		var until int64
		err := row(&until)
		free = until < stamp(now)
		return err
	})
	if err != nil || !free {
		return false, err
	}
	err = l.store.write(ctx, func(tx *sql.Tx) error {
		n, err := affected(ctx, tx, `INSERT INTO lease (owner, name, holder, expires) VALUES ($1, $2, $3, $4)
			ON CONFLICT (owner, name) DO UPDATE SET holder = $3, expires = $4 WHERE lease.expires < $5`,
			l.owner, name, holder, stamp(now.Add(leaseTime)), stamp(now))
		taken = n == 1
		return err
	})
	return taken, err
}

// end ends a lease. If that fails, it expires.
func (l *Logins) end(name, holder string) {
	l.mu.Lock()
	delete(l.held, name)
	l.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_ = l.store.write(ctx, func(tx *sql.Tx) error {
		return exec(ctx, tx, `DELETE FROM lease WHERE owner = $1 AND name = $2 AND holder = $3`, l.owner, name, holder)
	})
}
