package cli

import (
	"fmt"
	"io"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/onestep-run/onestep/cmd/cli/show"
	"github.com/onestep-run/onestep/config/setup"
)

// minReport is how many columns a server's report has at least, to be shown.
const minReport = 20

// patience is how long nothing is said of a wait.
const patience = time.Second

// notice is one line on a terminal that says what is waited for, and for how
// long. It is gone before anything else is printed, and when the wait is over.
type notice struct {
	w     io.Writer
	width int

	mu    sync.Mutex
	what  string // "" while nothing is waited for
	since time.Time
	timer *time.Timer
	shown bool
	// reported is what a server reported last during this wait.
	reported string
}

// Notices says on stderr what is waited for; nil where nobody looks, or wants
// to be told.
func (a *App) Notices() setup.Waits {
	if a.Quiet || !a.Err.Terminal() || a.Get("TERM") == "dumb" {
		return nil
	}
	n := &notice{w: a.Err.w, width: a.Err.Width()}
	a.Out.notice, a.Err.notice = n, n
	a.Reports = n.report
	return n.begin
}

// report keeps the last report of a server, which the line shows behind its own
// words: no row begins with it.
func (n *notice) report(server, text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.what != "" {
		n.reported = "; " + server + " reports: " + text
	}
}

func (n *notice) begin(what string) (over func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.what, n.reported, n.since = what, "", time.Now()
	n.timer = time.AfterFunc(patience, n.tick)
	return n.end
}

// tick shows the line anew, with the time that has passed.
func (n *notice) tick() {
	n.mu.Lock()
	defer n.mu.Unlock()
	since := time.Since(n.since)
	if n.what == "" || since < patience { // it was on its way when another wait began
		return
	}
	n.clear()
	passed := fmt.Sprintf(" (%d s)", since/time.Second)
	line := show.Line("Waiting for "+n.what, n.width-len(passed)-1) + passed
	if left := n.width - 1 - utf8.RuneCountInString(line); n.reported != "" && left >= minReport {
		line += show.Line(n.reported, left)
	}
	_, err := io.WriteString(n.w, line)
	if n.shown = err == nil; n.shown {
		n.timer.Reset(patience)
	}
}

func (n *notice) end() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.timer.Stop()
	n.what = ""
	n.clear()
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
