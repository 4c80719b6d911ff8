package store

import (
	"context"
	"database/sql"
)

// AddLines stores a part of the trace of a run. Parts have the numbers 0, 1 and so on; a
// part that is there is an error. It is on disk when AddLines returns nil.
func (s *Store) AddLines(ctx context.Context, run string, part int64, lines []byte) error {
	if !fit(run) {
		return misuse("the trace of run %.80q cannot be kept", run)
	}
	return s.add(ctx, `INSERT INTO run (run, part, lines, at) SELECT $1, $2, $3, $4`, ``, run, part, bytesOf(lines), stamp(s.now()))
}

// Lines are the lines of the trace of a run so far, nil for a run that is not known.
func (s *Store) Lines(ctx context.Context, run string) (lines []byte, err error) {
	next := int64(0)
	err = s.read(ctx, `SELECT part, lines FROM run WHERE run = $1 ORDER BY part`, []any{run}, func(row scan) error {
		var part int64
		var some []byte
		if err := row(&part, &some); err != nil {
			return err
		}
		if part != next {
			return altered("part %d of the trace of run %.80q is missing", next, run)
		}
		next, lines = next+1, append(lines, some...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return lines, nil
}

// AddObject stores a value that traces share, if it is not there.
func (s *Store) AddObject(ctx context.Context, digest string, b []byte) error {
	return s.add(ctx, `INSERT INTO object (digest, bytes) SELECT $1, $2`, ` ON CONFLICT (digest) DO NOTHING`, digest, bytesOf(b))
}

// Object is a value that traces share, nil if it is not there. The caller compares the digest.
func (s *Store) Object(ctx context.Context, digest string) (b []byte, err error) {
	err = s.read(ctx, `SELECT bytes FROM object WHERE digest = $1`, []any{digest}, func(row scan) error { return row(&b) })
	return b, err
}

// durably has one statement of PostgreSQL on disk when it returns, also where the server's
// default says otherwise.
const durably = ` FROM (SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END) AS durably`

// add adds a row. On PostgreSQL it is one statement that waits for no other writer: what is
// added decides nothing.
func (s *Store) add(ctx context.Context, insert, end string, args ...any) error {
	if s.server == "" {
		return s.write(ctx, func(tx *sql.Tx) error { return exec(ctx, tx, insert+` WHERE true`+end, args...) })
	}
	db, err := s.opened(ctx, true)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, insert+durably+end, inBytes(args)...)
	return s.fault(err)
}
