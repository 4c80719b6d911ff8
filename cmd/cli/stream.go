package cli

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/onestep-run/onestep/cmd/cli/show"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/host/session"
)

// Stream is stdout or stderr. It remembers the first write that failed, so
// that printing reads as printing; [App.Main] looks once, at the end.
//
// On a terminal it breaks lines itself, and marks each row that goes on from the
// one above (see [show.Rows]): no row begins with a stranger's text where no line
// does. Elsewhere lines stay whole.
//
// It may be written to from any goroutine: a server is refused something at any
// time.
type Stream struct {
	w      io.Writer
	mu     sync.Mutex // guards what follows; the notice is set before anything is written
	err    error
	open   []byte  // of a terminal: a line that has not ended yet
	held   *Stream // whose terminal its text is for; see [Stream.Hold]
	notice *notice // on the same terminal; it makes way for what is written
}

// NewStream is a stream onto w.
func NewStream(w io.Writer) *Stream { return &Stream{w: w} }

// Write writes, until a write has failed. A terminal gets whole lines: the rest
// waits for its end, or for [Stream.Prompt].
func (s *Stream) Write(b []byte) (int, error) {
	width := s.Width()
	s.mu.Lock()
	defer s.mu.Unlock()
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

func (s *Stream) flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
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

func (o own) Write(b []byte) (int, error) {
	o.to.mu.Lock()
	defer o.to.mu.Unlock()
	return o.to.write(b)
}

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

// Hold is a stream into a buffer, with the rows and styles of this one's terminal.
func (s *Stream) Hold(into *bytes.Buffer) *Stream { return &Stream{w: into, held: s} }

// Rows is how many rows the terminal has; 0 where it does not say, and of what is
// not a terminal.
func (s *Stream) Rows() int {
	_, rows := s.size()
	return rows
}

func (s *Stream) terminal() *os.File {
	if s.held != nil {
		return s.held.terminal()
	}
	if f, is := s.w.(*os.File); is && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// minReport is how many columns a server's report has at least, to be shown.
const minReport = 20

// patience is how long nothing is said of a wait.
const patience = time.Second

// notice is one line on a terminal that says what is waited for, and for how
// long: of several waits the one that began last. It is gone before anything else is
// printed, and when the wait is over.
type notice struct {
	w     io.Writer
	width int
	spins bool // the start of a server has a mark that turns

	mu     sync.Mutex
	waits  []*wait
	timer  *time.Timer
	shown  bool
	frames int
}

// wait is one that goes on.
type wait struct {
	what     string
	since    time.Time
	reported string // by a server, last
}

// Notices says on stderr what is waited for; nil where no user reads it, or wants
// it.
func (a *App) Notices() setup.Waits {
	if a.Quiet || !a.Err.Terminal() || a.Env.Get("TERM") == "dumb" {
		return nil
	}
	n := &notice{w: a.Err.w, width: a.Err.Width(), spins: a.colour(a.Err)}
	a.Out.notice, a.Err.notice = n, n
	a.Reports = n.report
	return n.begin
}

// report keeps the last report of a server, which the line shows behind its own
// words: no row begins with it.
func (n *notice) report(server, text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.waits) > 0 {
		n.waits[len(n.waits)-1].reported = "; " + server + " reports: " + text
	}
}

func (n *notice) begin(what string) (over func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	w := &wait{what: what, since: time.Now()}
	n.waits = append(n.waits, w)
	if n.timer == nil {
		n.timer = time.AfterFunc(patience, n.tick)
	} else {
		n.timer.Reset(patience)
	}
	return func() { n.end(w) }
}

// tick shows the line again, with the time that has passed.
func (n *notice) tick() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.waits) == 0 { // it was on its way when the wait ended
		return
	}
	w := n.waits[len(n.waits)-1]
	if since := time.Since(w.since); since < patience { // or when another one began
		n.timer.Reset(patience - since)
		return
	}
	n.clear()
	_, err := io.WriteString(n.w, n.line(w))
	if n.shown = err == nil; n.shown {
		n.timer.Reset(n.pause(w))
	}
}

// turns are the forms of the mark that turns, and turn how long each is shown.
const (
	turns = `-\|/`
	turn  = patience / 8
)

func (n *notice) pause(w *wait) time.Duration {
	if n.spins && strings.HasPrefix(w.what, session.StartsWith) {
		return turn
	}
	return patience
}

func (n *notice) line(w *wait) string {
	seconds := time.Since(w.since) / time.Second
	before, passed := "Waiting for ", fmt.Sprintf(" (%d s)", seconds)
	if strings.HasPrefix(w.what, session.StartsWith) {
		before, passed = "", fmt.Sprintf(" %d s", seconds)
		if n.spins {
			n.frames++
			before = turns[n.frames%len(turns):][:1] + " "
		}
	}
	line := show.Line(before+w.what, n.width-len(passed)-1) + passed
	if left := n.width - 1 - utf8.RuneCountInString(line); w.reported != "" && left >= minReport {
		line += show.Line(w.reported, left)
	}
	return line
}

func (n *notice) end(w *wait) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.waits = slices.DeleteFunc(n.waits, func(other *wait) bool { return other == w })
	n.clear()
	if n.timer.Stop(); len(n.waits) > 0 {
		n.timer.Reset(turn)
	}
}

// aside takes the line away, and keeps it away until it is told to be back.
func (n *notice) aside() (back func()) {
	n.mu.Lock()
	n.clear()
	return n.mu.Unlock
}

// clear wants the lock.
func (n *notice) clear() {
	if n.shown {
		_, _ = io.WriteString(n.w, "\r\x1b[K") // a terminal that is gone shows nothing
		n.shown = false
	}
}
