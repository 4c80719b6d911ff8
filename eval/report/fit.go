package report

import (
	"html/template"
	"math"
	"slices"

	"github.com/onestep-run/onestep/gate/escape"
)

// What a page holds of cases, in bytes as they stand in it. A page is read by
// people and opens at once; the rows stand whole in a file of their own.
const (
	maxField = 1 << 10 // of one text of a row
	maxData  = 16 << 10
	maxTrace = 64 << 10

	room          = 13 << 20 // of all of them
	roomForData   = 2 << 20  // and of these at most
	roomForTraces = 4 << 20

	// What goes with each of them in the template, about.
	caseMarkup = 250
	markMarkup = 60
	partMarkup = 140
	runMarkup  = 180

	maxLines = 500 // of a table that grows with the cases
)

// fit leaves out what a page has no room for. Long data and traces are cut
// before short ones; whole cases are left out only where there are many
// thousands, and of those first the ones in which all is as expected.
func (l *caseList) fit() {
	data, traces := l.extras()
	left := room - min(roomForData, total(data)) - min(roomForTraces, total(traces))
	if gone := l.fitCases(left); gone > 0 {
		l.LeftOut = append(l.LeftOut, grouped(gone)+" cases, as expected as far as there was room for the others")
	}
	data, traces = l.extras()
	if n := fitAll(data, roomForData, maxData); n > 0 {
		l.LeftOut = append(l.LeftOut, "the end of the data of "+grouped(n)+" rows")
	}
	if n := fitAll(traces, roomForTraces, maxTrace); n > 0 {
		l.LeftOut = append(l.LeftOut, "parts of "+grouped(n)+" traces")
	}
}

// bounded is something long that can be made shorter.
type bounded interface {
	size() int
	shorten(limit int)
	cut() bool
}

// extras are the data and the traces of the cases that are shown.
func (l *caseList) extras() (data, traces []bounded) {
	for _, c := range l.Cases {
		for _, p := range c.Parts {
			data = append(data, &p.Data)
			for _, r := range p.Runs {
				data, traces = append(data, &r.Data), append(traces, &r.Trace)
			}
		}
	}
	return data, traces
}

func total(list []bounded) (n int) {
	for _, b := range list {
		n += b.size()
	}
	return n
}

func (l *caseList) fitCases(room int) (gone int) {
	left := map[*oneCase]bool{}
	for _, bad := range []bool{true, false} {
		for _, c := range l.Cases {
			if c.Bad == bad {
				room -= c.size()
				left[c] = room < 0
			}
		}
	}
	before := len(l.Cases)
	l.Cases = slices.DeleteFunc(l.Cases, func(c *oneCase) bool { return left[c] })
	return before - len(l.Cases)
}

func (c *oneCase) size() int {
	n := caseMarkup + size(c.ID) + size(c.Query) + markMarkup*len(c.Marks)
	for _, p := range c.Parts {
		n += partMarkup + size(p.Query) + size(p.Exp)
		for _, r := range p.Runs {
			n += runMarkup + size(r.Observed) + size(r.Detail) + size(r.Facts)
		}
	}
	return n
}

// fitAll makes what is long as much shorter as all of them need to fit, and
// says how many are not whole.
func fitAll(list []bounded, room, most int) (cut int) {
	var sizes []int
	for _, b := range list {
		sizes = append(sizes, min(most, b.size()))
	}
	bound := min(most, level(sizes, room))
	for _, b := range list {
		if b.shorten(bound); b.cut() {
			cut++
		}
	}
	return cut
}

// size is what a text takes on the page.
func size(s string) int { return len(template.HTMLEscapeString(s)) }

// level is the greatest bound such that all sizes, cut to it, fit into room.
func level(sizes []int, room int) int {
	for i, s := range slices.Sorted(slices.Values(sizes)) {
		left := len(sizes) - i
		if s > room/left {
			return max(0, room/left)
		}
		room -= s
	}
	return math.MaxInt
}

// shorter is a text of about limit bytes on the page.
func shorter(s string, limit int) (kept string, cut bool) {
	n := size(s)
	if n <= limit {
		return s, false
	}
	return escape.Text(s, int(int64(len(s))*int64(limit)/int64(n))), true
}
