package store

import (
	"context"
	"database/sql"

	"github.com/onestep-run/onestep/gate/approval"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/seal"
)

// Sealing has the store seal what people are shown of calls, and refuse what is not sealed.
// It is called before the store is used.
func (s *Store) Sealing(keys seal.Keys) { s.keys = keys }

// Request is what a person is shown of the call of a pending approval, as [Store.Ask] got
// it. It is of the approval with this digest.
func (s *Store) Request(ctx context.Context, run, digest string) ([]byte, error) {
	all, err := list(ctx, s, `SELECT `+requestColumns+` FROM request WHERE run = $1 AND digest = $2`, []any{run, digest}, func(row scan) ([]byte, error) {
		r, err := readRequest(row)
		if err != nil {
			return nil, err
		}
		return s.unsealed(r)
	})
	if err == nil && len(all) == 0 {
		err = verdict.Deny(verdict.ApprovalUnknown, "the call that run %.80q asked for is not stored", run)
	}
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// request is a row of the table of that name.
type request struct {
	run, digest string
	box         seal.Box // with a Key of "", its Sealed is not sealed
	expires     int64
}

const requestColumns = `run, digest, sealed, nonce, body, expires, sum`

func readRequest(row scan) (r request, err error) {
	var own string
	if err := row(&r.run, &r.digest, &r.box.Key, &r.box.Nonce, &r.box.Sealed, &r.expires, &own); err != nil {
		return request{}, err
	}
	if r.sum() != own {
		return request{}, altered("the call that run %.80q asked for is damaged", r.run)
	}
	return r, nil
}

func (r request) sum() string {
	return sum(r.run, r.digest, r.box.Key, string(r.box.Nonce), string(r.box.Sealed), number(r.expires))
}

func (r request) thing() seal.Thing {
	return seal.Thing{Kind: "request", Owner: r.run, Name: r.digest}
}

func (s *Store) unsealed(r request) ([]byte, error) {
	if r.box.Key == "" && !s.keys.Any() {
		return r.box.Sealed, nil
	}
	b, err := s.keys.Open(r.thing(), r.box)
	if err != nil {
		return nil, altered("the call that run %.80q asked for cannot be opened: %v", r.run, err)
	}
	return b, nil
}

// keepRequest stores what a person is shown of an approval's call, and removes what is
// forgotten with its approval.
func (s *Store) keepRequest(ctx context.Context, tx *sql.Tx, a approval.Approval) error {
	if err := exec(ctx, tx, `DELETE FROM request WHERE expires < $1`, stamp(a.Created.Add(-forgotten))); err != nil {
		return err
	}
	if a.Request == "" {
		return nil
	}
	r := request{run: a.RunID, digest: a.Digest, box: seal.Box{Sealed: []byte(a.Request)}, expires: stamp(a.Expires)}
	if s.keys.Any() {
		var err error
		if r.box, err = s.keys.Seal(r.thing(), []byte(a.Request)); err != nil {
			return err
		}
	}
	return putRequest(ctx, tx, r)
}

func putRequest(ctx context.Context, tx *sql.Tx, r request) error {
	return exec(ctx, tx, `INSERT INTO request (`+requestColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (run) DO UPDATE SET digest = $2, sealed = $3, nonce = $4, body = $5, expires = $6, sum = $7`,
		r.run, r.digest, r.box.Key, bytesOf(r.box.Nonce), bytesOf(r.box.Sealed), r.expires, r.sum())
}
