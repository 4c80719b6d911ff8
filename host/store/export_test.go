package store

import (
	"context"
	"testing/fstest"
	"time"
)

// Open is At, opened now.
func Open(ctx context.Context, path string, now func() time.Time) (*Store, error) {
	s := At(path, now)
	if _, err := s.opened(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// OpenOld opens the database as the version with the first migration alone did.
func OpenOld(ctx context.Context, path string, now func() time.Time) (*Store, error) {
	const first = folder + "/00001_approvals.sql"
	b, err := migrations.ReadFile(first)
	if err != nil {
		return nil, err
	}
	s := At(path, now)
	s.db, err = open(ctx, s.path, fstest.MapFS{first: {Data: b}})
	return s, s.fault(err)
}

// Open SQLite at a path as a store does.
var Source = source
