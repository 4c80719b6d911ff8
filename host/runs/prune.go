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

// Pruned is the result of a prune, or what it would be.
type Pruned struct {
	Traces     []string `json:"traces"`            // run ids
	Objects    []string `json:"objects"`           // digests
	Unreadable []string `json:"unreadable_traces"` // kept traces that cannot be read; they keep every object
	Bytes      int64    `json:"bytes"`
}

// Prune removes the traces that were last written before a time. It then removes the objects
// that no remaining trace refers to. The trace of a run that waits for an approval stays,
// whatever its age, while waits reports true for it. So does one in the journal of another
// process, which has it for seconds. No other run may be active: otherwise
// the error has the code trace.busy.
//
// It can be killed at any point. Then an unused object may remain, but never a trace without
// its objects.
//
// With dry it returns what it would remove, and locks nothing.
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
	// Reading many traces takes long, so it is done before runs are locked out. Under the
	// lock only new traces are read.
	err := p.survey(ctx)
	if err == nil && remove != nil {
		var lock io.Closer
		if lock, err = d.lock(ctx, true, 0); err == nil {
			defer func() { _ = lock.Close() }() // closing the descriptor releases it
			if p.journaled, err = d.settleAll(); err == nil {
				err = p.survey(ctx)
			}
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

// pruning is one prune: its findings, and its results.
type pruning struct {
	dir    string
	before time.Time
	waits  func(runID string) bool
	remove func(path string) error // nil in a dry run
	read   map[string]reading      // by file name

	journaled map[string]bool // run ids in journals of other processes

	old   []os.FileInfo       // traces to remove
	named map[trace.Hash]bool // by the remaining traces
	done  Pruned
}

// reading is the objects that one trace refers to.
type reading struct {
	info  os.FileInfo // of the file that was read
	names []trace.Hash
	err   error
}

// survey separates old traces from the others, and reads the references of the others.
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
		stays := p.journaled[id] || p.waits(id)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case info.Mode().IsRegular() && info.ModTime().Before(p.before) && !stays:
			p.old = append(p.old, info)
		default:
			p.keep(id, info)
		}
	}
	return nil
}

// keep reads the references of a trace that stays, unless the unchanged file was read before.
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

// names are the digests that a trace refers to. For a trace that was cut off, they are those
// in its whole lines.
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
