package cli

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Stream is stdout or stderr. It remembers the first write that failed, so
// that printing reads as printing; [App.Main] looks once, at the end.
type Stream struct {
	w   io.Writer
	err error
}

// NewStream is a stream onto w.
func NewStream(w io.Writer) *Stream { return &Stream{w: w} }

// Write writes, until a write has failed.
func (s *Stream) Write(b []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(b)
	s.err = err
	return n, err
}

// Terminal reports whether somebody reads the stream on a terminal.
func (s *Stream) Terminal() bool {
	f, ok := s.w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
