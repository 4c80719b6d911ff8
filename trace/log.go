package trace

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// Sink receives lines. Sync returns nil only once every line written so far is on stable
// storage. A receipt vouches for as much as Sync does. If Sync returns sooner, or hides
// an error, a call may leave although a crash removes its record, and this package cannot
// detect that.
type Sink interface {
	io.Writer
	Sync() error
}

// Starter is a Sink whose sync goes on while its run does. The wait returns what Sync
// would; it may be called more than once, at any time.
type Starter interface {
	Sink
	Start() (wait func() error)
}

// Log writes one run's trace. After its first error it writes nothing more:
// a trace has no gaps. It is not for concurrent use.
type Log struct {
	sink Sink
	now  func() time.Time
	prev Hash
	seq  int
	err  error
	wait func() error // of the last Commit; nil once it is over
	line spelt        // reused memory of the last line
}

// New begins an empty log.
func New(sink Sink, now func() time.Time) *Log { return &Log{sink: sink, now: now} }

// timeFormat is RFC 3339 in UTC with milliseconds, so that a line's time has one
// spelling.
const timeFormat = "2006-01-02T15:04:05.000Z"

// Append writes one line. It waits for the disk only if a Commit before it still does. A
// line that must be on disk before an action goes through [Log.Commit].
func (l *Log) Append(kind Kind, body any) error {
	if l.err == nil {
		l.err = l.synced()
	}
	if l.err == nil {
		l.err = l.append(kind, body)
	}
	return l.err
}

// Commit writes one line and begins to sync it. The receipt covers exactly the bytes of
// record, which are the body of the line, and counts once they are on stable storage: see
// [Receipt.Wait].
func (l *Log) Commit(kind Kind, record jsontext.Value) (Receipt, error) {
	if c, err := schema.Canonical(record); err != nil || !bytes.Equal(c, record) {
		return Receipt{}, errors.New("only a canonical record can be committed: a receipt covers its bytes")
	}
	if err := l.Append(kind, record); err != nil {
		return Receipt{}, err
	}
	l.wait = l.start()
	if _, later := l.sink.(Starter); !later {
		if l.err = l.wait(); l.err != nil {
			return Receipt{}, l.err
		}
	}
	return Receipt{&receipt{covers: sha256.Sum256(record), wait: l.wait}}, nil
}

// start begins a sync of all lines so far.
func (l *Log) start() func() error {
	wait := l.sink.Sync
	if s, starts := l.sink.(Starter); starts {
		wait = s.Start()
	}
	return sync.OnceValue(func() error {
		if err := wait(); err != nil {
			return fmt.Errorf("sync: %w", err)
		}
		return nil
	})
}

// synced waits for the sync that the last Commit began.
func (l *Log) synced() error {
	if l.wait == nil {
		return nil
	}
	defer func() { l.wait = nil }()
	return l.wait()
}

// Head returns the hash of the last written line.
func (l *Log) Head() Hash { return l.prev }

// Close writes the end line, waits for the disk and returns the digest of the
// whole trace.
func (l *Log) Close() (Hash, error) {
	if err := l.Append(End, struct{}{}); err != nil {
		return Hash{}, err
	}
	l.err = errors.New("the trace has ended")
	if err := l.start()(); err != nil {
		return Hash{}, err
	}
	return l.prev, nil
}

func (l *Log) append(kind Kind, body any) error {
	line := spelt(Event{Seq: l.seq, Time: l.now().UTC(), Kind: kind}.head(l.line[:0]))
	if err := json.MarshalWrite(&line, body, json.Deterministic(true)); err != nil {
		return fmt.Errorf("trace line %s: %w", kind, err)
	}
	line = link(line, l.prev)
	sum := Hash(sha256.Sum256(line))
	line = append(tail(line, sum), '\n')
	if cap(line) <= maxKept {
		l.line = line
	}
	if _, err := l.sink.Write(line); err != nil {
		return fmt.Errorf("trace line %d: %w", l.seq, err)
	}
	l.prev, l.seq = sum, l.seq+1
	return nil
}

// maxKept bounds the memory kept for the next line, in bytes.
const maxKept = 64 << 10

// spelt grows by little more than the data written. A result of 16 MiB can be a line of
// 96 MiB; doubling would take twice that.
type spelt []byte

func (s *spelt) Write(b []byte) (int, error) {
	*s = append(slices.Grow(*s, len(b)+linkLen+tailLen+1), b...)
	return len(b), nil
}

// head, link and tail are the only spelling of a line: the part before its body, the part
// between the body and the hash, and the part after. Each appends to b.

func (e Event) head(b []byte) []byte {
	b = strconv.AppendInt(append(b, seqName...), int64(e.Seq), 10)
	b = e.Time.AppendFormat(append(b, timeName...), timeFormat)
	b = append(append(b, kindName...), e.Kind...)
	return append(b, `"`+bodyName...)
}

const (
	seqName  = `{"seq":`
	timeName = `,"time":"`
	kindName = `","kind":"`
	bodyName = `,"body":`
)

func link(b []byte, prev Hash) []byte {
	return append(hex.AppendEncode(append(b, `,"prev":"`...), prev[:]), '"')
}

func tail(b []byte, own Hash) []byte {
	return append(hex.AppendEncode(append(b, `,"hash":"`...), own[:]), `"}`...)
}

const (
	linkLen = len(`,"prev":""`) + 2*sha256.Size
	tailLen = len(`,"hash":""}`) + 2*sha256.Size
)

// Receipt is for a record that is being synced. Only [Log.Commit] makes a receipt that
// covers anything.
type Receipt struct{ r *receipt }

type receipt struct {
	covers [sha256.Size]byte
	wait   func() error
	spent  atomic.Bool
}

// Wait waits until the record is on stable storage, and returns the error of the disk. A
// receipt without a record has nothing to wait for.
func (r Receipt) Wait() error {
	if r.r == nil {
		return nil
	}
	return r.r.wait()
}

// Spend waits, and reports whether the receipt is for exactly this record and the record is
// on stable storage. It returns true only once.
func (r Receipt) Spend(record []byte) bool {
	if r.r == nil || len(record) == 0 || r.r.covers != sha256.Sum256(record) {
		return false
	}
	return r.r.wait() == nil && r.r.spent.CompareAndSwap(false, true)
}
