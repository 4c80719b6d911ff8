package runs

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/disk"
	"github.com/onestep-run/onestep/trace"
)

// Pruned is what a prune removed, or would remove.
type Pruned struct {
	Traces     []string `json:"traces"`            // run ids
	Objects    []string `json:"objects"`           // digests
	Unreadable []string `json:"unreadable_traces"` // run ids of traces that are kept and cannot be read: for their sake every object is
	Bytes      int64    `json:"bytes"`
}

// Prune removes the traces that were last written before a time, and then the
// objects that no trace is left to refer to. The trace of a run that waits for an
// approval stays, whatever its age, as long as waits says so. No other run is under
// way meanwhile: where one is, the error is of the code trace.busy.
//
// It can be killed at any point. What it leaves is then an object too many, and
// never a trace without its objects.
//
// With dry it says what it would remove, and locks nothing.
func (d Dir) Prune(ctx context.Context, before time.Time, waits func(runID string) bool, dry bool) (Pruned, error) {
	remove := os.Remove
	if dry {
		remove = nil
	}
	return d.prune(ctx, before, waits, remove)
}

func (d Dir) prune(ctx context.Context, before time.Time, waits func(runID string) bool, remove func(path string) error) (Pruned, error) {
	if _, err := os.Stat(string(d)); errors.Is(err, fs.ErrNotExist) {
		return Pruned{}, nil
	}
	p := pruning{dir: string(d), before: before, waits: waits, remove: remove, read: map[string]reading{}}
	// Reading takes long where there are many, so that it is done before runs are
	// locked out. Under the lock only what is new by then is read.
	err := p.survey(ctx)
	if err == nil && remove != nil {
		var lock io.Closer
		if lock, err = d.lock(ctx, true, 0); err == nil {
			defer func() { _ = lock.Close() }() // it goes with the descriptor
			err = p.survey(ctx)
		}
	}
	if err == nil {
		err = p.run()
	}
	switch {
	case errors.Is(err, disk.ErrLocked):
		return Pruned{}, verdict.Fail(verdict.TraceBusy, err, "a run is writing its trace in %s", d)
	case err != nil:
		return p.done, verdict.Fail(verdict.TraceUnwritable, err, "old traces cannot be removed: %v", err)
	}
	return p.done, nil
}

// pruning is one prune: what it found, and what it has done.
type pruning struct {
	dir    string
	before time.Time
	waits  func(runID string) bool
	remove func(path string) error // nil in a dry run
	read   map[string]reading      // by file name

	old   []os.FileInfo       // traces to remove
	named map[trace.Hash]bool // by those that stay
	done  Pruned
}

// reading is what one trace refers to.
type reading struct {
	info  os.FileInfo // of the file that was read
	names []trace.Hash
	err   error
}

// survey tells old traces from those that stay, and reads what those refer to.
func (p *pruning) survey(ctx context.Context) error {
	entries, err := os.ReadDir(p.dir)
	if err != nil {
		return err
	}
	p.old, p.named, p.done = nil, map[trace.Hash]bool{}, Pruned{}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		id := trace.RunID(e.Name())
		if id == "" {
			continue
		}
		info, err := e.Info()
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case info.Mode().IsRegular() && info.ModTime().Before(p.before) && !p.waits(id):
			p.old = append(p.old, info)
		default:
			p.keep(id, info)
		}
	}
	return nil
}

// keep reads what a trace refers to that stays, unless it was read and is as it was.
func (p *pruning) keep(id string, info os.FileInfo) {
	r, known := p.read[info.Name()]
	same := known && os.SameFile(r.info, info)
	if !same || r.info.Size() != info.Size() || !r.info.ModTime().Equal(info.ModTime()) {
		r = reading{info: info}
		r.names, r.err = names(filepath.Join(p.dir, info.Name()))
		p.read[info.Name()] = r
	}
	if r.err != nil {
		p.done.Unreadable = append(p.done.Unreadable, id)
	}
	for _, h := range r.names {
		p.named[h] = true
	}
}

// names are the digests that a trace refers to. One that was cut off refers to
// no more than its whole lines do.
func names(path string) (hs []trace.Hash, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	_, err = trace.Scan(f, func(e trace.Event) { hs = append(hs, e.Objects...) }, func(trace.Hash, jsontext.Value) {})
	if verdict.CodeOf(err) == verdict.TraceIncomplete {
		err = nil
	}
	return hs, err
}

// run removes traces before objects, and waits for the disk in between.
func (p *pruning) run() error {
	for _, info := range p.old {
		if err := p.drop(p.dir, info); err != nil {
			return err
		}
		p.done.Traces = append(p.done.Traces, trace.RunID(info.Name()))
	}
	if p.remove != nil && len(p.old) > 0 {
		if err := syncDir(openFile, p.dir); err != nil {
			return err
		}
	}
	if len(p.done.Unreadable) > 0 {
		return nil
	}
	return p.objects()
}

func (p *pruning) objects() error {
	dir := Dir(p.dir).objects()
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		h, other := trace.ParseDigest("sha256:" + e.Name())
		part := strings.HasPrefix(e.Name(), temporary) // a run was killed when it wrote this
		named := other == nil && p.named[h]
		ours := other == nil || part
		if named || !ours || !e.Type().IsRegular() {
			continue
		}
		info, gone := e.Info()
		if gone != nil {
			return gone
		}
		if err := p.drop(dir, info); err != nil {
			return err
		}
		if !part {
			p.done.Objects = append(p.done.Objects, h.Digest())
		}
	}
	return err
}

func (p *pruning) drop(dir string, info os.FileInfo) error {
	if p.remove != nil {
		if err := p.remove(filepath.Join(dir, info.Name())); err != nil {
			return err
		}
	}
	p.done.Bytes += info.Size()
	return nil
}
