package session

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/onestep-run/onestep/gate/verdict"
)

var errTooLarge = errors.New("a message over the limit")

// frames passes a stream of messages one by one. The reader above gets no byte of a
// message before the message is complete, within the limit and valid. The first invalid
// message ends the stream. A message is a line, an event that ends with a blank line, or
// one body. The reader above does not get what the wire keeps of a message for us: the
// SDK would copy it three times.
type frames struct {
	io.ReadCloser
	wire  *wire
	split split
	good  func(message []byte) (instead []byte, err error) // nil if no reader decodes the messages
	named bool                                             // an event of any name is a message, not just "message"
	// asked ends when no request waits for the one body any more.
	asked context.Context //nolint:containedctx // of the request that it answers

	// strays are lines that cannot be messages, and are skipped; nil if every line has to
	// be a message.
	strays     *strays
	strayLines int // since the last message
	strayBytes int

	// end is closed when the stream has ended; nil if no request waits for it.
	end chan struct{}

	in    *bufio.Reader
	ready []byte // checked bytes that were not read yet
	dead  error
}

type split int

const (
	byLine  split = iota // stdio
	byEvent              // text/event-stream
	never                // one body
)

func newFrames(r io.ReadCloser, w *wire, s split) *frames {
	f := &frames{ReadCloser: r, wire: w, split: s, asked: w.life, in: bufio.NewReaderSize(r, 64<<10)}
	f.good = func(message []byte) ([]byte, error) { return w.pass(message, exchangeOf(f.asked)) }
	return f
}

func (f *frames) Read(b []byte) (int, error) {
	for len(f.ready) == 0 && f.dead == nil {
		if f.ready, f.dead = f.next(); f.dead != nil && f.end != nil {
			close(f.end)
		}
	}
	if len(f.ready) == 0 {
		return 0, f.dead
	}
	n := copy(b, f.ready)
	if f.ready = f.ready[n:]; len(f.ready) == 0 {
		f.ready = nil // frees its memory before the next message comes
	}
	return n, nil
}

// Close leaves a process its stdout, which is closed with the process. The SDK would
// close it as soon as a write fails, before the last output of the process was read.
func (f *frames) Close() error {
	if f.end != nil {
		return nil
	}
	return f.ReadCloser.Close()
}

// next returns the next message, and the error that ends the stream after it.
func (f *frames) next() ([]byte, error) {
	frame, again, end := f.frame()
	switch {
	case end != nil && f.split == never && f.asked.Err() != nil:
		f.wire.over.Store(true) // the SDK ends the connection for it
		return nil, end
	case end != nil && !errors.Is(end, io.EOF):
		return nil, end // an incomplete message does not count
	}
	message := frame
	if f.split == byEvent {
		message = data(frame, f.named)
		if r := f.repeated(message); r.advance(message) {
			again = r
		}
	}
	if again.whole() {
		f.strayLines, f.strayBytes = 0, 0
		return f.wrap(frame, again.put()), end
	}
	if f.good == nil || len(bytes.TrimSpace(message)) == 0 {
		return frame, end
	}
	instead, err := f.good(message)
	switch {
	case errors.Is(err, errNoID) && f.split != never:
		return nil, cmp.Or(f.discard(message), end)
	case err != nil:
		return nil, f.wire.fail(verdict.ServerProtocol, err, "it sent data that is not a message: %v", err)
	case instead != nil:
		frame = f.wrap(frame, instead)
	}
	f.strayLines, f.strayBytes = 0, 0
	return frame, end
}

// discard skips a whole message like stray output.
func (f *frames) discard(message []byte) error {
	if f.strays != nil {
		f.strays.begin()
		f.strays.add(message)
	}
	f.strayLines++
	return f.strayed(len(message))
}

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

// repeated returns the expected message that begins like a part, or nil.
func (f *frames) repeated(part []byte) *repeat {
	if f.good == nil {
		return nil
	}
	return f.wire.repeated(part)
}

// expected returns the expected message that goes on with a part. Several begin in the same way:
// they differ by an id that may come late.
func (f *frames) expected(again *repeat, part []byte) *repeat {
	if again == nil {
		return f.repeated(part)
	}
	if _, is := again.equal(part); is {
		return again
	}
	other := f.repeated(slices.Concat(again.prefix(), part))
	if other == nil {
		return again
	}
	other.arrived = again.arrived
	return other
}

// frame returns the next frame. If it is a repeated message as a whole, it returns that
// instead.
func (f *frames) frame() (frame []byte, again *repeat, err error) {
	blank := 0         // length of the white space at its beginning
	for line := 0; ; { // index of the last line
		if _, err := f.in.Peek(1); err != nil {
			if again.whole() {
				return nil, again, err
			}
			return append(frame, again.prefix()...), nil, err
		}
		part, _ := f.in.Peek(f.in.Buffered())
		newline := bytes.IndexByte(part, '\n')
		if newline >= 0 {
			part = part[:newline+1]
		}
		if len(frame) == 0 && f.split != byEvent {
			again = f.expected(again, part)
		}
		if again.advance(part) {
			_, _ = f.in.Discard(len(part))
			if f.split == byLine && again.whole() {
				return nil, again, nil
			}
			continue
		}
		frame, again = append(append(frame, again.prefix()...), part...), nil
		_, _ = f.in.Discard(len(part))
		if f.strays != nil {
			blank = len(frame) - len(bytes.TrimLeftFunc(frame[blank:], hidden))
			if stray(frame[blank:], newline >= 0) {
				if err := f.skip(frame); err != nil {
					return nil, nil, err
				}
				frame, blank = nil, 0
				continue
			}
		}
		length, complete := len(frame), newline >= 0 && f.ends(frame[line:])
		if complete {
			length--
		}
		switch {
		case length > f.wire.limits.Bytes:
			return nil, nil, f.wire.fail(verdict.ServerTooLarge, errTooLarge, "it sent a message of more than %d bytes (%s)", f.wire.limits.Bytes, settingMessage)
		case complete:
			return frame, nil, nil
		case newline >= 0:
			line = len(frame)
		}
	}
}

func (f *frames) ends(line []byte) bool {
	return f.split == byLine || f.split == byEvent && len(bytes.TrimRight(line, "\r\n")) == 0
}

// data returns what the SDK decodes of an event: its data lines. Over streamable HTTP the
// SDK ignores an event with another name than "message".
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
		default: // usually the only line: it is shared, and copied if more follow
			all, found = value[:len(value):len(value)], true
		}
	}
	if !named && name != "" && name != "message" {
		return nil
	}
	return all
}
