package talk

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/onestep-run/onestep/host/disk"
	"github.com/onestep-run/onestep/host/seal"
)

// rowsLock is the lock that rows are added under, and that a prune has alone.
const rowsLock = "rows.lock"

// Expire removes the files that no row was added to for a day. A hook calls it.
func (s Store) Expire() error {
	files, err := filepath.Glob(filepath.Join(s.Dir, "*.rows"))
	for _, f := range files {
		if info, lost := os.Stat(f); lost == nil && s.Now().Sub(info.ModTime()) >= Lifetime {
			err = errors.Join(err, os.Remove(f))
		}
	}
	return err
}

// Prune ends the rows from before a time, the rows that are too old to be used, and the results of
// runs. It returns the number of these rows. With dry it only counts them, and locks nothing.
func (s Store) Prune(ctx context.Context, before time.Time, runs []string, dry bool) (ended int, err error) {
	key, err := s.key(ctx, false)
	if s.Dir == "" || errors.Is(err, fs.ErrNotExist) {
		return 0, nil // no row was ever added
	}
	if err != nil {
		return 0, err
	}
	p := pruning{before: before, runs: runs, dry: dry}
	if p.keys, err = seal.Read(string(key)); err != nil {
		return 0, err
	}
	if over := s.Now().Add(-Lifetime); over.After(before) {
		p.before = over
	}
	if !dry {
		lock, err := disk.Lock(ctx, filepath.Join(s.Dir, rowsLock), true)
		if err != nil {
			return 0, err
		}
		defer lock.Close()
	}
	files, err := filepath.Glob(filepath.Join(s.Dir, "*.rows"))
	for _, f := range files {
		n, lost := p.file(f)
		ended, err = ended+n, errors.Join(err, lost)
	}
	return ended, err
}

// pruning is one prune.
type pruning struct {
	keys   seal.Keys
	before time.Time
	runs   []string
	dry    bool
}

func (p pruning) over(r Row) bool {
	return !time.Unix(r.At, 0).After(p.before) || r.Run != "" && slices.Contains(p.runs, r.Run)
}

// file ends rows of one file. Lines that do not open go with them; without any other row, they go
// once they are old.
func (p pruning) file(path string) (ended int, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	var kept []byte
	err = open(path, p.keys, func(line []byte, r *Row) {
		switch {
		case r == nil:
		case p.over(*r):
			ended++
		default:
			kept = append(append(kept, line...), '\n')
		}
	})
	unread := kept == nil && info.ModTime().Before(p.before)
	changes := ended > 0 || unread
	if err != nil || p.dry || !changes {
		return ended, err
	}
	if kept == nil {
		return ended, os.Remove(path)
	}
	return ended, replace(path, kept)
}

// replace replaces a file whole or not at all.
func replace(path string, text []byte) error {
	if err := os.WriteFile(path+".new", text, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}
