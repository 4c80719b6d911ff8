package report

import (
	"html/template"
	"math"
	"slices"

	"github.com/onestep-run/onestep/gate/guard"
)

// What a page holds of cases, in bytes as they stand in it. A page is read by
// people and opens at once; the rows stand whole in a file of their own.
const (
	maxField = 1 << 10 // of one text of a row
	maxData  = 4 << 10 // of one row's data
	maxTrace = 16 << 10

	roomForCases  = 7 << 20
	roomForData   = 2 << 20
	roomForTraces = 4 << 20

	markup = 250 // that goes with a row, about

	maxLines = 500 // of a table that grows with the cases
)

// fit leaves out what a page has no room for. Long data and traces are cut
// before short ones; whole cases are left out only where there are many
// thousands, and of those first the ones in which all is as expected.
func (l *caseList) fit() {
	if gone := l.fitCases(); gone > 0 {
		l.LeftOut = append(l.LeftOut, grouped(gone)+" cases, as expected as far as there was room for the others")
	}
	var data []*extra
	var traces []*steps
	for _, c := range l.Cases {
		for _, p := range c.Parts {
			data = append(data, &p.Data)
			for _, r := range p.Runs {
				data, traces = append(data, &r.Data), append(traces, &r.Trace)
			}
		}
	}
	if n := fitData(data); n > 0 {
		l.LeftOut = append(l.LeftOut, "the end of the data of "+grouped(n)+" rows")
	}
	if n := fitTraces(traces); n > 0 {
		l.LeftOut = append(l.LeftOut, "parts of "+grouped(n)+" traces")
	}
}

func (l *caseList) fitCases() (gone int) {
	room := roomForCases
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
	n := markup + size(c.ID) + size(c.Query)
	for _, p := range c.Parts {
		n += markup + size(p.Query) + size(p.Exp)
		for _, r := range p.Runs {
			n += markup + size(r.Observed) + size(r.Detail) + size(r.Facts)
		}
	}
	return n
}

func fitData(data []*extra) (cut int) {
	var sizes []int
	for _, e := range data {
		sizes = append(sizes, size(e.Text))
	}
	bound := level(sizes, roomForData)
	for _, e := range data {
		if e.shorten(bound); e.Cut {
			cut++
		}
	}
	return cut
}

func fitTraces(traces []*steps) (cut int) {
	var sizes []int
	for _, s := range traces {
		sizes = append(sizes, min(maxTrace, s.size()))
	}
	bound := min(maxTrace, level(sizes, roomForTraces))
	for _, s := range traces {
		if s.shorten(bound); s.Cut {
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
	return guard.Text(s, int(int64(len(s))*int64(limit)/int64(n))), true
}
