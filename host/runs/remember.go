package runs

import (
	"context"
	"crypto/sha256"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/onestep-run/onestep/host"
)

// Remembering is a Dir for all runs of a process. They share a journal, and so wait for the
// disk together; see journal.go. It remembers which objects are on disk: the next run that
// refers to one need not wait for it again.
type Remembering struct {
	Dir

	lasting lasting
	open    opener
	boot    [sha256.Size]byte

	mu      sync.Mutex
	journal *journal // for new runs; nil before the first, and after it was left
}

// Remember returns a Remembering for all runs of a process.
func Remember(d Dir) *Remembering { return &Remembering{Dir: d, open: openFile, boot: boot()} }

// Create is [Dir.Create].
func (r *Remembering) Create(ctx context.Context, runID string) (host.TraceSink, string, error) {
	f, err := r.create(ctx, r.open, runID)
	if err != nil {
		return nil, "", err
	}
	f.lasting = &r.lasting
	j, err := r.use() //nolint:contextcheck // an old journal is settled after the run, too
	if err != nil {
		return nil, "", errors.Join(err, f.Close(), os.Remove(r.path(runID)))
	}
	return &together{traceFile: f, runID: runID, journal: j, leave: r.leave}, r.path(runID), nil
}

// use gives a journal to a new run.
func (r *Remembering) use() (*journal, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if j := r.journal; j != nil && !j.worn() {
		j.users++
		return j, nil
	}
	j, err := r.take(r.open, r.boot)
	if err != nil {
		return nil, err
	}
	if old := r.journal; old != nil && old.users == 0 {
		go r.retire(old)
	}
	j.users++
	r.journal = j
	return j, nil
}

// idle is how long a process keeps a journal that no run uses.
const idle = 2 * time.Second

// leave ends a run's use of a journal. The last run leaves it to be settled: soon, if more
// runs may come.
func (r *Remembering) leave(j *journal) {
	r.mu.Lock()
	defer r.mu.Unlock()
	j.users--
	j.left++
	if j.users > 0 {
		return
	}
	if j != r.journal {
		go r.retire(j)
		return
	}
	left := j.left
	time.AfterFunc(idle, func() {
		r.mu.Lock()
		unused := r.journal == j && j.users == 0 && j.left == left
		if unused {
			r.journal = nil
		}
		r.mu.Unlock()
		if unused {
			r.retire(j)
		}
	})
}

// retire settles a journal that no run uses, and lets another process have it. If that
// fails, the journal is left to the next process.
func (r *Remembering) retire(j *journal) {
	if lock, err := r.share(context.Background()); err == nil {
		_ = r.settle(r.open, j) // the journal still has the lines
		_ = lock.Close()        // closing the descriptor releases it
	}
	_ = j.f.Close() // every entry was synced
}

// together is the trace of a run that waits for the disk together with others.
type together struct {
	*traceFile
	runID   string
	journal *journal
	leave   func(*journal)

	lines []byte // since the last sync
	at    int64  // of lines, in the file
}

func (f *together) Write(b []byte) (int, error) {
	n, err := f.traceFile.Write(b)
	f.lines = append(f.lines, b[:n]...)
	return n, err
}

func (f *together) Sync() error {
	if f.unsure {
		return f.Start()() // the disk works for lines and objects at the same time
	}
	return f.queue()()
}

// Start is a [trace.Starter]: the disk works for all runs that wait, and this run goes on.
func (f *together) Start() func() error {
	wait, objects := f.queue(), f.syncObjects()
	done := make(chan error, 2)
	go func() { done <- wait() }()
	go func() { done <- objects() }()
	return sync.OnceValue(func() error { return errors.Join(<-done, <-done) })
}

// queue gives the lines since the last sync to the journal, and returns the wait for them.
func (f *together) queue() func() error {
	wait := f.syncSelf
	if len(f.lines) <= maxEntry {
		number := f.journal.add(f.runID, f.at, f.lines)
		wait = func() error { return f.journal.wait(number) }
	}
	f.at, f.lines = f.at+int64(len(f.lines)), f.lines[:0]
	return wait
}

func (f *together) Close() error {
	defer f.leave(f.journal)
	return f.traceFile.Close()
}
