package cli

import (
	"bytes"
	"io"
	"math"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/onestep-run/onestep/cmd/cli/show"
)

// Stream is stdout or stderr. It remembers the first write that failed, so
// that printing reads as printing; [App.Main] looks once, at the end.
//
// On a terminal it breaks lines itself, and marks each row that goes on from the
// one above (see [show.Rows]): no row begins with a stranger's text where no line
// does. Elsewhere lines stay whole.
type Stream struct {
	w      io.Writer
	err    error
	open   []byte  // of a terminal: a line that has not ended yet
	notice *notice // on the same terminal; it makes way for what is written
}

// NewStream is a stream onto w.
func NewStream(w io.Writer) *Stream { return &Stream{w: w} }

// Write writes, until a write has failed. A terminal gets whole lines: the rest
// waits for its end, or for [Stream.Prompt].
func (s *Stream) Write(b []byte) (int, error) {
	width := s.Width()
	if width == 0 {
		return s.write(b)
	}
	s.open = append(s.open, b...)
	end := bytes.LastIndexByte(s.open, '\n') + 1
	if end == 0 {
		return len(b), s.err
	}
	var rows strings.Builder
	for line := range strings.Lines(string(s.open[:end])) {
		for _, row := range show.Rows(strings.TrimSuffix(line, "\n"), width) {
			rows.WriteString(row + "\n")
		}
	}
	s.open = append(s.open[:0], s.open[end:]...)
	_, err := s.write([]byte(rows.String()))
	return len(b), err
}

// Prompt writes a line that is left open: what is typed goes on from it.
func (s *Stream) Prompt(text string) {
	_, _ = io.WriteString(s, text) // its error is kept
	s.flush()
}

// flush writes the line that is open.
func (s *Stream) flush() {
	if len(s.open) == 0 {
		return
	}
	text := strings.TrimRight(string(s.open), " ")
	after := string(s.open[len(text):])
	s.open = nil
	_, _ = s.write([]byte(strings.Join(show.Rows(text, s.Width()), "\n") + after)) // its error is kept
}

// Own is the stream for text of the program alone, such as help, scripts and a
// bar that redraws its row: it is written at once, and a terminal breaks its lines.
func (s *Stream) Own() io.Writer { return own{s} }

type own struct{ to *Stream }

func (o own) Write(b []byte) (int, error) { return o.to.write(b) }

func (s *Stream) write(b []byte) (int, error) {
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
	columns, _ := s.size()
	return columns
}

// size is that of the terminal. Where it does not say, its columns are 80 and
// its rows 0.
func (s *Stream) size() (columns, rows int) {
	f := s.terminal()
	if f == nil {
		return 0, 0
	}
	if columns, rows, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
		return columns, rows
	}
	return 80, 0
}

// Holds reports whether all lines of a text are on the screen at once, with a
// row left for a question: what scrolls away is not read.
func (s *Stream) Holds(text string) bool {
	columns, left := s.size()
	for line := range strings.Lines(text) {
		left -= len(show.Rows(strings.TrimSuffix(line, "\n"), columns))
	}
	return left > 0
}

// Limit is how many bytes of a text are shown: max on a terminal, and all of
// them elsewhere. What reads a pipe or a file does not see that something was cut.
func (s *Stream) Limit(max int) int {
	if s.Terminal() {
		return max
	}
	return math.MaxInt
}

// Terminal reports whether somebody reads the stream on a terminal.
func (s *Stream) Terminal() bool { return s.terminal() != nil }

func (s *Stream) terminal() *os.File {
	if f, is := s.w.(*os.File); is && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}
