package runs

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"sync"
)

// A journal is a file in which the lines of many runs wait for the disk together. One
// process has it at a time, by a lock. A run writes its lines to its own file first, which
// is not synced, and then to the journal, which is. Its file has all lines as long as the
// machine runs; after a crash of the machine the next process completes it from the
// journal (settle.go).
//
// The file begins with a header, and an entry follows another:
//
//	header  magic (8 bytes), epoch (16), digest of the boot (32)
//	entry   SHA-256 of epoch and the rest (32), length of the rest (4),
//	        offset in the run's file (8), length of the run id (2), run id, lines
//
// Integers are big-endian. The first entry whose digest is wrong ends the journal: it was
// not whole when the machine stopped, or belongs to an epoch before. An empty journal has
// zeros in place of a header.
type journal struct {
	f    file
	boot [sha256.Size]byte

	mu     sync.Mutex
	wakes  *sync.Cond // after each write
	epoch  [epochLen]byte
	end    int64    // of the entries on the disk; 0 in an empty journal
	queue  []byte   // entries for the next write
	queued int      // number of entries so far
	synced int      // number of those on the disk
	busy   bool     // one run writes for all that wait
	err    error    // of the last write
	names  []string // run ids of the entries

	users, left int // runs that may add entries, and that did; guarded by [Remembering]
}

// worn reports whether new runs need another journal.
func (j *journal) worn() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.err != nil || j.end > full
}

const (
	magic     = "askruns1"
	epochLen  = 16
	headerLen = len(magic) + epochLen + sha256.Size
	sumLen    = sha256.Size
	entryLen  = sumLen + 4 // before an entry's rest
	idAt      = 8 + 2      // in the rest

	// roomy is the size of a new journal, in bytes: some fifty runs. Its blocks are
	// written ahead, so that a sync has only data to write.
	roomy = 256 << 10
	// full is the end of the entries from which on new runs use another journal.
	full = roomy * 3 / 4
	// maxEntry bounds an entry, in bytes. Longer lines are synced in the run's own file.
	maxEntry = 64 << 10
)

// add queues the lines that a run has written from an offset in its file. It returns the
// entry's number.
func (j *journal) add(runID string, at int64, lines []byte) int {
	rest := binary.BigEndian.AppendUint64(nil, uint64(at))
	rest = binary.BigEndian.AppendUint16(rest, uint16(len(runID)))
	rest = append(append(rest, runID...), lines...)
	j.mu.Lock()
	defer j.mu.Unlock()
	sum := sumOf(j.epoch, rest)
	j.queue = append(binary.BigEndian.AppendUint32(append(j.queue, sum[:]...), uint32(len(rest))), rest...)
	j.names = append(j.names, runID)
	j.queued++
	return j.queued
}

func sumOf(epoch [epochLen]byte, rest []byte) (sum [sumLen]byte) {
	h := sha256.New()
	h.Write(epoch[:])
	h.Write(rest)
	return [sumLen]byte(h.Sum(sum[:0]))
}

// wait returns when the entry with a number is on stable storage. Of all runs that wait,
// one writes what is queued; the others wait for it, or for the one that writes next.
func (j *journal) wait(number int) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	for j.synced < number && j.err == nil {
		if j.busy {
			j.wakes.Wait()
			continue
		}
		j.flush()
	}
	if j.synced < number {
		return j.err
	}
	return nil
}

// flush writes and syncs the queue. Entries are queued meanwhile.
func (j *journal) flush() {
	b, at, last := j.queue, j.end, j.queued
	if at == 0 {
		b = append(j.header(), b...)
	}
	j.queue, j.busy = nil, true
	j.mu.Unlock()
	_, err := j.f.WriteAt(b, at)
	if err == nil {
		err = j.f.SyncData()
	}
	if err != nil {
		// No later sync writes these bytes again. Entries after them would be lost with them.
		_, _ = j.f.WriteAt(make([]byte, len(b)), at)
	}
	j.mu.Lock()
	j.busy = false
	if err != nil {
		j.err = err
	} else {
		j.end, j.synced = at+int64(len(b)), last
	}
	j.wakes.Broadcast()
}

func (j *journal) header() []byte { return append(append([]byte(magic), j.epoch[:]...), j.boot[:]...) }

// entry is one entry that was read.
type entry struct {
	runID string
	at    int64
	lines []byte
}

// since reports whether the journal's entries, if any, were written since the machine
// started.
func (j *journal) since() (bool, error) {
	b := make([]byte, headerLen)
	if n, err := j.f.ReadAt(b, 0); n < len(b) {
		return true, ignoreEOF(err)
	}
	return string(b[:len(magic)]) != magic || bytes.Equal(j.boot[:], b[len(magic)+epochLen:]), nil
}

func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// block is how much of a journal is read at a time, in bytes.
const block = 16 << 10

// read reads the journal's entries, and not much of the room after them. New ones are
// added after them.
func (j *journal) read() (all []entry, err error) {
	b, at := make([]byte, 0, roomy), headerLen
	for size := more; size == more; {
		b = slices.Grow(b, block)
		n, err := j.f.ReadAt(b[len(b):][:block], int64(len(b)))
		if ignoreEOF(err) != nil {
			return nil, err
		}
		b = b[:len(b)+n]
		if len(b) < headerLen || string(b[:len(magic)]) != magic {
			return nil, nil
		}
		j.epoch = [epochLen]byte(b[len(magic):])
		var e entry
		for e, size = entryOf(j.epoch, b[at:]); size > 0; e, size = entryOf(j.epoch, b[at:]) {
			all, j.names = append(all, e), append(j.names, e.runID)
			at += size
		}
		if n < block { // the end of the file
			break
		}
	}
	if len(all) > 0 {
		j.end = int64(at)
	}
	return all, nil
}

// more is the size of an entry that is not whole yet.
const more = -1

// entryOf reads the entry at the beginning of b, and returns its size; 0 without one.
func entryOf(epoch [epochLen]byte, b []byte) (e entry, size int) {
	if len(b) < entryLen {
		return entry{}, more
	}
	n := int64(binary.BigEndian.Uint32(b[sumLen:]))
	if n < idAt {
		return entry{}, 0
	}
	if n > int64(len(b)-entryLen) {
		return entry{}, more
	}
	rest := b[entryLen:][:n]
	id := int(binary.BigEndian.Uint16(rest[8:]))
	if sum := sumOf(epoch, rest); !bytes.Equal(sum[:], b[:sumLen]) || id > len(rest)-idAt {
		return entry{}, 0
	}
	return entry{string(rest[idAt:][:id]), int64(binary.BigEndian.Uint64(rest)), rest[idAt+id:]}, entryLen + int(n)
}
