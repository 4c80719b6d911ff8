package session

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/onestep-run/onestep/gate/verdict"
)

var errTooLarge = errors.New("a message over the limit")

// frames lets a stream of messages pass one by one: each is whole, within the
// limit and found good before the reader above gets a byte of it. At the first
// that is not, the stream ends. Messages are lines, or events that a blank line
// ends, or one body. What the wire keeps of a message for us, the reader above
// does not get: it would be copied three times on its way.
type frames struct {
	io.ReadCloser
	wire  *wire
	split split
	good  func(message []byte) (instead []byte, err error) // nil where nothing decodes what passes
	named bool                                             // an event of any name is a message, not just "message"
	// asked ends when nobody waits any more for the one body.
	asked context.Context //nolint:containedctx // of the request that it answers

	in    *bufio.Reader
	ready []byte // what was found good and is not yet read
	dead  error
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
	f := &frames{ReadCloser: r, wire: w, split: s, asked: w.life, in: bufio.NewReaderSize(r, 64<<10)}
	f.good = w.pass
	return f
}

func (f *frames) Read(b []byte) (int, error) {
	for len(f.ready) == 0 && f.dead == nil {
		f.ready, f.dead = f.next()
	}
	if len(f.ready) == 0 {
		return 0, f.dead
	}
	n := copy(b, f.ready)
	if f.ready = f.ready[n:]; len(f.ready) == 0 {
		f.ready = nil // or its memory would be kept until the next message comes
	}
	return n, nil
}

// next is the next message, and why none comes after it.
func (f *frames) next() ([]byte, error) {
	frame, end := f.frame()
	switch {
	case end != nil && f.split == never && f.asked.Err() != nil:
		f.wire.over.Store(true) // the SDK ends the connection for it
		return nil, end
	case end != nil && !errors.Is(end, io.EOF):
		return nil, end // half a message is none
	}
	message := frame
	if f.split == byEvent {
		message = data(frame, f.named)
	}
	if f.good == nil || len(bytes.TrimSpace(message)) == 0 {
		return frame, end
	}
	instead, err := f.good(message)
	switch {
	case err != nil:
		return nil, f.wire.fail(verdict.ServerProtocol, err, "it sent what is no message: %v", err)
	case instead != nil:
		frame = f.wrap(frame, instead)
	}
	return frame, end
}

// wrap puts another message in the place of a frame's own.
func (f *frames) wrap(frame, message []byte) []byte {
	switch f.split {
	case byLine:
		return append(message, '\n')
	case never:
		return message
	}
	var event []byte
	for line := range bytes.Lines(frame) {
		if field, _, _ := bytes.Cut(line, []byte{':'}); string(field) == "id" || string(field) == "event" || string(field) == "retry" {
			event = append(event, line...)
		}
	}
	return fmt.Appendf(event, "data: %s\n\n", message)
}

// frame reads to the end of a message, and no further where it can be none.
func (f *frames) frame() ([]byte, error) {
	var frame []byte
	for line := 0; ; { // where the last line begins
		if _, err := f.in.Peek(1); err != nil {
			return frame, err
		}
		part, _ := f.in.Peek(f.in.Buffered())
		newline := bytes.IndexByte(part, '\n')
		if newline >= 0 {
			part = part[:newline+1]
		}
		frame = append(frame, part...)
		_, _ = f.in.Discard(len(part))
		length, complete := len(frame), newline >= 0 && f.ends(frame[line:])
		if complete {
			length--
		}
		switch {
		case length > f.wire.limits.Bytes:
			return nil, f.wire.fail(verdict.ServerTooLarge, errTooLarge, "it sent a message of more than %d bytes", f.wire.limits.Bytes)
		case complete, f.split == byLine && f.good != nil && !object(frame):
			return frame, nil
		case newline >= 0:
			line = len(frame)
		}
	}
}

// ends reports whether a message ends with this line of it.
func (f *frames) ends(line []byte) bool {
	return f.split == byLine || f.split == byEvent && len(bytes.TrimRight(line, "\r\n")) == 0
}

// object reports whether a line is one, as far as it has come.
func object(line []byte) bool {
	line = bytes.TrimLeft(line, " \t\r\n")
	return len(line) == 0 || line[0] == '{'
}

// data is what the SDK decodes of an event: its lines of data. Over streamable
// HTTP it passes over an event with a name of its own.
func data(event []byte, named bool) []byte {
	var all []byte
	name, found := "", false
	for line := range bytes.Lines(event) {
		field, value, _ := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte{':'})
		switch value = bytes.TrimSpace(value); {
		case string(field) == "event":
			name = string(value)
		case string(field) != "data":
		case found:
			all = append(append(all, '\n'), value...)
		default: // most often the only one: shared, and copied if there are more
			all, found = value[:len(value):len(value)], true
		}
	}
	if !named && name != "" && name != "message" {
		return nil
	}
	return all
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

// message reports whether a line was meant for one: nothing, an object, or a
// list of messages, which is refused for what it is.
func message(line []byte) bool {
	line = bytes.TrimLeft(line, " \t\r")
	return len(line) == 0 || line[0] == '{' || line[0] == '['
}
