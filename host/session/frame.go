package session

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"

	"github.com/onestep-run/onestep/gate/verdict"
)

var errTooLarge = errors.New("a message over the limit")

// frames watches a stream of messages for one that is longer than the limit,
// and ends the stream there: until then the reader above keeps every byte in
// memory. Messages are lines, or events that a blank line ends, or one body.
type frames struct {
	io.ReadCloser
	wire  *wire
	split split

	length int  // of the message so far
	blank  bool // nothing stands on the line so far
	dead   error
}

type split int

const (
	byLine  split = iota // stdio
	byEvent              // text/event-stream
	never                // one body
)

// headMax is how much of the first line that is no message is kept.
const headMax = 4 << 10

func newFrames(r io.ReadCloser, w *wire, s split) *frames {
	return &frames{ReadCloser: r, wire: w, split: s, blank: true}
}

func (f *frames) Read(b []byte) (int, error) {
	if f.dead != nil {
		return 0, f.dead
	}
	n, err := f.ReadCloser.Read(b)
	for _, c := range b[:n] {
		f.see(c)
		if f.length > f.wire.limits.Bytes {
			f.dead = f.wire.fail(verdict.ServerTooLarge, errTooLarge, "it sent a message of more than %d bytes", f.wire.limits.Bytes)
			return 0, f.dead
		}
	}
	return n, err
}

func (f *frames) see(c byte) {
	f.length++
	switch {
	case f.split == never || c == '\r':
	case c != '\n':
		f.blank = false
	default:
		if f.split == byLine || f.blank {
			f.length = 0
		}
		f.blank = true
	}
}

// banner keeps what a server prints to stdout where only messages belong, so
// that the operator can be told what it was. It sees the stream before the
// JSON reader does, which reports the one byte it stumbled over.
type banner struct {
	io.ReadCloser
	mu   sync.Mutex
	line []byte
	over bool // the first line that is no message has been found and is complete
}

func (b *banner) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.mu.Lock()
	defer b.mu.Unlock()
	for rest := p[:n]; !b.over && len(rest) > 0; {
		line, after, whole := bytes.Cut(rest, []byte{'\n'})
		b.line = append(b.line, line[:min(len(line), headMax-len(b.line))]...)
		if whole {
			b.over = !message(b.line)
			if !b.over {
				b.line = b.line[:0]
			}
		}
		rest = after
	}
	return n, err
}

// text is the first line that was no message, as far as it was read.
func (b *banner) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if message(b.line) {
		return ""
	}
	return strings.TrimSpace(string(b.line))
}

// message reports whether a line can be a message: nothing, an object or a batch.
func message(line []byte) bool {
	line = bytes.TrimLeft(line, " \t\r")
	return len(line) == 0 || line[0] == '{' || line[0] == '['
}
