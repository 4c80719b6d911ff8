package store

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/onestep-run/onestep/gate/approval"
)

// watcher reads the approvals that callers wait for, all of them at once.
type watcher struct {
	mu      sync.Mutex
	waiting map[string][]chan<- reading // by run
	running bool

	reading sync.Mutex // a store is not closed during a reading, which would open it again
}

type reading struct {
	is  approval.Approval
	err error
}

const (
	// watchEvery is how often they are read.
	watchEvery = 100 * time.Millisecond
	// maxWatched bounds the runs of one query.
	maxWatched = 1000
)

// Next waits for the next reading of an approval, and returns it as [Store.Approval] does.
// All callers of a process share one reading every 100 ms.
func (s *Store) Next(ctx context.Context, run string) (approval.Approval, error) {
	read := make(chan reading, 1)
	w := &s.watcher
	w.mu.Lock()
	if w.waiting == nil {
		w.waiting = map[string][]chan<- reading{}
	}
	w.waiting[run] = append(w.waiting[run], read)
	if !w.running {
		w.running = true
		go s.watch() //nolint:contextcheck // it reads for other callers, too
	}
	w.mu.Unlock()
	select {
	case r := <-read:
		return r.is, r.err
	case <-ctx.Done():
		w.leave(run, read)
		return approval.Approval{}, ctx.Err()
	}
}

func (w *watcher) leave(run string, read chan<- reading) {
	w.mu.Lock()
	defer w.mu.Unlock()
	rest := slices.DeleteFunc(w.waiting[run], func(c chan<- reading) bool { return c == read })
	if len(rest) > 0 {
		w.waiting[run] = rest
	} else {
		delete(w.waiting, run)
	}
}

// watch reads until no caller waits.
func (s *Store) watch() {
	for more := true; more; {
		time.Sleep(watchEvery)
		more = s.look()
	}
}

// look reads once. It reports false if no caller waits.
func (s *Store) look() bool {
	w := &s.watcher
	w.reading.Lock()
	defer w.reading.Unlock()
	w.mu.Lock()
	waiting := w.waiting
	w.waiting, w.running = nil, len(waiting) > 0
	w.mu.Unlock()
	if len(waiting) > 0 {
		s.readAll(waiting)
	}
	return len(waiting) > 0
}

func (s *Store) readAll(waiting map[string][]chan<- reading) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	found := map[string]approval.Approval{}
	var err error
	for some := range slices.Chunk(slices.Collect(maps.Keys(waiting)), maxWatched) {
		var runs []any
		var marks []string
		for i, run := range some {
			runs, marks = append(runs, run), append(marks, fmt.Sprint("$", i+1))
		}
		all, bad := s.approvals(ctx, `WHERE run IN (`+strings.Join(marks, ", ")+`)`, runs...)
		for _, a := range all {
			found[a.RunID] = a
		}
		err = cmp.Or(err, bad)
	}
	for run, callers := range waiting {
		r := reading{found[run], err}
		if err == nil && r.is.RunID == "" {
			r.err = unasked(run)
		}
		for _, caller := range callers {
			caller <- r
		}
	}
}
