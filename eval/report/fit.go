package report

import (
	"html/template"
	"math"
	"slices"

	"github.com/onestep-run/onestep/gate/escape"
)

// Bounds for the cases on a page, in bytes of the page. A page is for people and must
// open at once; the rows are whole in a separate file.
const (
	maxField = 1 << 10 // for one text of a row
	maxData  = 16 << 10
	maxTrace = 64 << 10

	room          = 13 << 20 // for all of them
	roomForData   = 2 << 20  // at most for these
	roomForTraces = 4 << 20

	// About the length of the markup for each of them.
	caseMarkup = 250
	markMarkup = 60
	partMarkup = 140
	runMarkup  = 180

	maxLines = 500 // for a table that grows with the cases
)

// fit leaves out what a page has no room for. It cuts long data and traces before
// short ones. It leaves out whole cases only if there are many thousands, and first
// the cases in which everything is as expected.
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

// bounded is a long text that can be shortened.
type bounded interface {
	size() int
	shorten(limit int)
	cut() bool
}

// extras returns the data and the traces of the shown cases.
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

// fitAll shortens the long texts until all fit, and returns how many are not whole.
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

// size returns the length of a text on the page.
func size(s string) int { return len(template.HTMLEscapeString(s)) }

// level returns the greatest bound for which all sizes, cut to it, fit into room.
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

// shorter returns a text of about limit bytes on the page.
func shorter(s string, limit int) (kept string, cut bool) {
	n := size(s)
	if n <= limit {
		return s, false
	}
	return escape.Text(s, int(int64(len(s))*int64(limit)/int64(n))), true
}
