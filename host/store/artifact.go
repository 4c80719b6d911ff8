package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/onestep-run/onestep/gate/pin"
)

// Artifact is what was fetched to run at a place. The store knows no more of it
// than its names.
type Artifact struct {
	Place         pin.Place
	Kind          string // npm, pypi and so on
	Name, Version string
	Integrity     string
	Dir, Program  string
	Detail        []byte    // whatever else its maker wants to find again
	At            time.Time // SetArtifact gives it
}

// Artifact is the one of a place; there may be none.
func (s *Store) Artifact(ctx context.Context, place pin.Place) (Artifact, bool, error) {
	a, found := Artifact{Place: place}, false
	var at int64
	var own string
	err := s.read(ctx, `SELECT kind, name, version, integrity, dir, program, detail, at, sum FROM artifact WHERE entry = $1 AND credential = $2`,
		[]any{place.Entry, place.Credential}, func(row scan) error {
			found = true
			return row(&a.Kind, &a.Name, &a.Version, &a.Integrity, &a.Dir, &a.Program, &a.Detail, &at, &own)
		})
	if err == nil && found && a.sum(at) != own {
		err = s.fault(altered("what was fetched to run is not what was written"))
	}
	if err != nil || !found {
		return Artifact{}, false, err
	}
	a.At = timeOf(at)
	return a, true, nil
}

// SetArtifact puts an artifact in place of an earlier one.
func (s *Store) SetArtifact(ctx context.Context, a Artifact) error {
	at := stamp(s.now())
	return s.write(ctx, func(tx *sql.Tx) error {
		return exec(ctx, tx, `INSERT INTO artifact (entry, credential, kind, name, version, integrity, dir, program, detail, at, sum)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
			ON CONFLICT (entry, credential) DO UPDATE SET kind = excluded.kind, name = excluded.name, version = excluded.version, integrity = excluded.integrity,
			dir = excluded.dir, program = excluded.program, detail = excluded.detail, at = excluded.at, sum = excluded.sum`,
			a.Place.Entry, a.Place.Credential, a.Kind, a.Name, a.Version, a.Integrity, a.Dir, a.Program, bytesOf(a.Detail), at, a.sum(at))
	})
}

func (a Artifact) sum(at int64) string {
	return sum(a.Place.Entry, a.Place.Credential, a.Kind, a.Name, a.Version, a.Integrity, a.Dir, a.Program, string(a.Detail), number(at))
}

// bytesOf is what a column takes that is never NULL.
func bytesOf(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
