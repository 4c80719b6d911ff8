package cli

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Stream is stdout or stderr. It remembers the first write that failed, so
// that printing reads as printing; [App.Main] looks once, at the end.
type Stream struct {
	w      io.Writer
	err    error
	notice *notice // on the same terminal; it makes way for what is written
}

// NewStream is a stream onto w.
func NewStream(w io.Writer) *Stream { return &Stream{w: w} }

// Write writes, until a write has failed.
func (s *Stream) Write(b []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	if s.notice != nil {
		defer s.notice.aside()()
	}
	n, err := s.w.Write(b)
	s.err = err
	return n, err
}

// Width is how many columns the terminal has that somebody reads the stream on,
// 80 where it does not say; 0 of what is not a terminal.
func (s *Stream) Width() int {
	f := s.terminal()
	if f == nil {
		return 0
	}
	if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
		return columns
	}
	return 80
}

// Terminal reports whether somebody reads the stream on a terminal.
func (s *Stream) Terminal() bool { return s.terminal() != nil }

func (s *Stream) terminal() *os.File {
	if f, is := s.w.(*os.File); is && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}
