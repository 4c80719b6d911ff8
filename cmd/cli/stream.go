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

// Stream is stdout or stderr. It remembers the first write that failed, so that
// callers need not check each write; [App.Main] checks once, at the end.
//
// On a terminal it breaks lines itself, and marks each row that continues the one
// above (see [show.Rows]). So a row begins with untrusted text only where a line does.
// Elsewhere lines stay whole.
//
// Any goroutine may write to it, because a server may be refused something at any
// time.
type Stream struct {
	w      io.Writer
	mu     sync.Mutex // guards the fields below; the notice is set before the first write
	err    error
	open   []byte  // for a terminal: an unfinished line
	held   *Stream // the stream of the text's terminal; see [Stream.Hold]
	notice *notice // on the same terminal; it is removed before other output
}

// NewStream returns a stream that writes to w.
func NewStream(w io.Writer) *Stream { return &Stream{w: w} }

// Write writes, until a write has failed. A terminal gets whole lines: an unfinished
// line waits for its end, or for [Stream.Prompt].
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

// Prompt writes an open line; the user's input follows on it.
func (s *Stream) Prompt(text string) {
	_, _ = io.WriteString(s, text) // the stream keeps the error
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
	_, _ = s.write([]byte(strings.Join(show.Rows(text, s.Width()), "\n") + after)) // the stream keeps the error
}

// Own returns the stream for the program's own text alone, such as help, scripts and a
// bar that redraws its row. It writes at once, and the terminal breaks its lines.
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

// Width returns the number of columns of the stream's terminal, or 80 if it does not
// report it. It returns 0 if the stream is not a terminal.
func (s *Stream) Width() int {
	columns, _ := s.size()
	return columns
}

// size returns the size of the terminal. If it does not report it, columns are 80 and
// rows 0.
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

// Holds reports whether all lines of a text fit on the screen at once, with a row left
// for a question. Text that scrolls away is not read.
func (s *Stream) Holds(text string) bool {
	columns, left := s.size()
	for line := range strings.Lines(text) {
		left -= len(show.Rows(strings.TrimSuffix(line, "\n"), columns))
	}
	return left > 0
}

// Limit returns how many bytes of a text to show: max on a terminal, and all of them
// elsewhere. A program that reads a pipe or a file could not see that the text was
// cut.
func (s *Stream) Limit(max int) int {
	if s.Terminal() {
		return max
	}
	return math.MaxInt
}

// Terminal reports whether the stream is a terminal.
func (s *Stream) Terminal() bool { return s.terminal() != nil }

// Hold returns a stream that writes into a buffer, with the rows and styles of this
// stream's terminal.
func (s *Stream) Hold(into *bytes.Buffer) *Stream { return &Stream{w: into, held: s} }

// Rows returns the number of rows of the terminal. It is 0 if the terminal does not
// report it, or if the stream is not a terminal.
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

// minReport is the least number of columns for a server's report.
const minReport = 20

// patience is how long a wait lasts before it is shown.
const patience = time.Second

// notice is one line on a terminal that shows what the program waits for, and for how
// long. Of several waits it shows the latest. It is removed before any other output,
// and when the wait is over.
type notice struct {
	w     io.Writer
	width int
	spins bool // the start of a server has a turning mark

	mu     sync.Mutex
	waits  []*wait
	timer  *time.Timer
	shown  bool
	frames int
}

// wait is an unfinished wait.
type wait struct {
	what     string
	since    time.Time
	reported string // the last report of a server
}

// Notices shows on stderr what the program waits for. It returns nil if no user reads
// that, or wants it.
func (a *App) Notices() setup.Waits {
	if a.Quiet || !a.Err.Terminal() || a.Env.Get("TERM") == "dumb" {
		return nil
	}
	n := &notice{w: a.Err.w, width: a.Err.Width(), spins: a.colour(a.Err)}
	a.Out.notice, a.Err.notice = n, n
	a.Reports = n.report
	return n.begin
}

// report keeps the last report of a server. The line shows it after the program's own
// words, so that no row begins with it.
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
	if len(n.waits) == 0 { // the tick was on its way when the wait ended
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

// turns are the forms of the turning mark. turn is how long each form is shown.
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

// aside removes the line, and keeps it away until back is called.
func (n *notice) aside() (back func()) {
	n.mu.Lock()
	n.clear()
	return n.mu.Unlock
}

// clear removes the line. The caller has the lock.
func (n *notice) clear() {
	if n.shown {
		_, _ = io.WriteString(n.w, "\r\x1b[K") // a terminal that is gone shows nothing
		n.shown = false
	}
}
