package proxy

import (
	"io"
	"strings"
	"testing"
)

// What is refused while a session ends is dropped, and ends nothing else.
func TestAnAnswerAfterTheLastOneIsDropped(t *testing.T) {
	t.Parallel()
	for range 50 {
		l := newTransport(t.Context(), strings.NewReader(""), io.Discard)
		go l.writeAll()
		l.put([]byte("{}"))
		l.flush()
		l.end()
		l.put([]byte("{}"))
	}
}

// All that was answered before the end is written.
func TestTheLastAnswersAreWritten(t *testing.T) {
	t.Parallel()
	for range 50 {
		var out strings.Builder
		l := newTransport(t.Context(), strings.NewReader(""), &out)
		for range cap(l.write) {
			l.put([]byte("{}"))
		}
		go l.writeAll()
		l.flush()
		if n := strings.Count(out.String(), "\n"); n != cap(l.write) {
			t.Errorf("%d lines", n)
		}
		l.end()
	}
}
